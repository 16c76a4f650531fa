# lit.cfg.py - how lit runs these tests.  Tools come from the build folder;
# a feature is a tool that a test may need.
import os
import re
import shutil
import subprocess
import lit.formats

config.name = 'ptx-amd'
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = ['.ptx', '.test', '.cu']
config.excludes = ['Inputs']
config.test_source_root = os.path.dirname(__file__)
build = os.environ['B']
config.test_exec_root = os.path.join(build, 'lit')
llvm = os.environ['LLVMBIN']
config.environment['PATH'] = os.pathsep.join(
    [os.path.join(build, 'bin'), os.path.join(build, 'test'), llvm,
     os.environ['PATH']])
config.environment['B'] = build
config.environment['CUDA_CACHE_DISABLE'] = '1'
for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS'):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment.setdefault('LSAN_OPTIONS', 'print_suppressions=0:suppressions='
    + os.path.join(config.test_source_root, 'lsan.supp'))
for tool in ('nvcc', 'ptxas', 'nvlink', 'clang', 'valgrind', 'python3'):
    if shutil.which(tool, path=config.environment['PATH']):
        config.available_features.add(tool)
# programs that are not built with the sanitizers cannot load what is
with open(os.path.join(build, '..', 'config.mak')) as f:
    if re.search('^SANITIZE *= *yes', f.read(), re.M):
        config.available_features.add('sanitize')
if os.path.exists('/proc/cpuinfo'):
    flags = open('/proc/cpuinfo').read().split()
    config.available_features.update(f for f in ('avx2',) if f in flags)
# where nvcc's toolkit is: it may be called through a script that lies elsewhere
def toolkit():
    if 'nvcc' not in config.available_features:
        return None
    said = subprocess.run(['nvcc', '--dryrun', '-x', 'cu', os.devnull],
        capture_output=True, text=True).stderr
    top = re.search('^#[$] TOP=(.*)$', said, re.M)
    return os.path.realpath(top.group(1)) if top else None
cuda = toolkit()
if cuda and os.path.exists(os.path.join(cuda, 'lib64', 'libcudart.so.13')):
    config.available_features.add('cuda13')
    config.substitutions.append(('%cuda', cuda))
config.substitutions.append(('%golden',
    os.path.join(config.test_source_root, 'golden')))
config.substitutions.append(('%llvminc',
    os.path.join(os.path.dirname(llvm), 'include')))
