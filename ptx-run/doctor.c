#include "run.h"
int doctor(const struct run_options *o, const char *l, const char *a) { (void)o,(void)l,(void)a; return 1; }
