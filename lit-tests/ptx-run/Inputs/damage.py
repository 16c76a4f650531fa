# damage.py - runs a command on damaged copies of a file: cut off, and with
# bytes changed.  The same ones every time.
import os
import subprocess
import sys

source, target, command = sys.argv[1], sys.argv[2], sys.argv[3:]
good = open(source, 'rb').read()
state = 1
def random(n):
    global state
    state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
    return (state >> 33) % n

def damaged():
    for n in (1, 4, 16, 63, 64, 100, 500, len(good) // 2, len(good) - 1):
        yield good[:n]
    for i in range(40):
        bad = bytearray(good)
        for _ in range(1 + random(8)):
            # heads are where it hurts most
            at = random(1200 if i % 2 else len(good))
            bad[at] = random(256) if i % 3 else 0xff
        yield bytes(bad)

files = crashes = 0
for data in damaged():
    with open(target, 'wb') as f:
        f.write(data)
    os.chmod(target, 0o755)
    r = subprocess.run(command + [target], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, timeout=60)
    files += 1
    if r.returncode not in (0, 1):
        crashes += 1
        print(files, r.returncode, r.stderr[-200:])
print(files, 'files,', crashes, 'crashes')
