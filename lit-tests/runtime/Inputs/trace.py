# trace.py - is a Chrome trace sound?  Prints what is in it.
#
# Calls of a thread lie within each other or apart; what a stream does never
# overlaps, and lies within the time of all calls.
import collections
import json
import sys

STREAM = 1 << 30
NS = 0.002  # us: times are rounded
count = collections.Counter()
tracks = collections.defaultdict(list)
arrows = collections.defaultdict(list)
names = {}
for e in json.load(open(sys.argv[1])):
    if e['ph'] == 'M':
        if e['name'] == 'thread_name':
            names[e['pid'], e['tid']] = e['args']['name']
        continue
    if e['ph'] in 'sf':
        arrows[e['pid'], e['id']].append((e['ph'], e['ts']))
        continue
    assert e['ph'] == 'X' and e['ts'] > 0 and e['dur'] >= 0, e
    count[e['cat']] += 1
    tracks[e['pid'], e['tid']].append((e['ts'], e['ts'] + e['dur'], e['name']))
calls = [t for k in tracks if k[1] < STREAM for t in tracks[k]]
first = min(t[0] for t in calls)
for track, list in tracks.items():
    assert track in names, track
    list.sort(key=lambda t: (t[0], -t[1]))
    open_ = []
    for t in list:
        while open_ and open_[-1][1] <= t[0] + NS:
            open_.pop()
        if open_:
            assert track[1] < STREAM, (t, open_[-1])
            assert t[1] <= open_[-1][1] + NS, (t, open_[-1])
        assert t[0] >= first, t
        open_.append(t)
for a in arrows.values():
    assert len(a) < 3 and a[0][0] != a[-1][0] or len(a) == 1, a
    assert dict(a).get('f', 1e99) > dict(a).get('s', 0), a
print(' '.join('%s' % k for k in sorted(count)), '-', len({k[0] for k in tracks}), 'processes')
print('streams:', ', '.join(sorted({names[k] for k in tracks if k[1] >= STREAM})))
