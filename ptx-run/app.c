/* app.c - what is to be run: found as execvp(3) finds it, and which kind of
 * program it is, since the loader does not do for all of them what we ask. */
#include "run.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { HEAD = 4096, MOST_SCRIPTS = 4 };

#if defined __x86_64__
enum { MACHINE = EM_X86_64 };
#elif defined __aarch64__
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE };
#endif

/* a regular file that may be executed; else *err says what is wrong */
static bool
runs(const char *path, int *err)
{
	struct stat s;

	if (stat(path, &s) < 0) {
		*err = errno;
		return false;
	}
	*err = S_ISREG(s.st_mode) ? 0 : EACCES;
	if (!*err && access(path, X_OK) < 0)
		*err = errno;
	return !*err;
}

/* in the folders of PATH; a file that may not be executed is passed over */
static int
search(const char *name, char path[PATH_SIZE])
{
	const char *p = getenv("PATH"), *end;
	int err = ENOENT, e;

	for (p = p ? p : "/bin:/usr/bin"; ; p = end + 1) {
		end = p + strcspn(p, ":");
		if (snprintf(path, PATH_SIZE, "%.*s%s%s", (int)(end - p), p,
		    end > p ? "/" : "./", name) < PATH_SIZE) {
			if (runs(path, &e))
				return 0;
			if (e == EACCES)
				err = e;
		}
		if (!*end)
			break;
	}
	snprintf(path, PATH_SIZE, "%s", name);
	return err;
}

static size_t
read_head(const char *path, unsigned char head[HEAD])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : pread(fd, head, HEAD - 1, 0);

	if (fd >= 0)
		close(fd);
	n = n < 0 ? 0 : n;
	head[n] = 0;
	return (size_t)n;
}

/* does the program get rights that its user has not? */
static bool
is_secure(const char *path)
{
	struct stat s;

	if (stat(path, &s) < 0)
		return false;
	if ((s.st_mode & S_ISUID && s.st_uid != getuid()) ||
	    (s.st_mode & S_ISGID && s.st_gid != getgid()))
		return true;
	return getuid() && getxattr(path, "security.capability", 0, 0) > 0;
}

/* has it a program header of that type?  They stand at the beginning. */
static bool
has(const unsigned char *head, size_t n, unsigned type)
{
	Elf64_Ehdr e;
	Elf64_Phdr p;
	uint64_t at;
	unsigned i;

	memcpy(&e, head, sizeof e);
	for (i = 0; i < e.e_phnum; i++) {
		at = e.e_phoff + (uint64_t)i * sizeof p;
		if (e.e_phoff > n || at + sizeof p > n)
			return false;
		memcpy(&p, head + at, sizeof p);
		if (p.p_type == type)
			return true;
	}
	return false;
}

/* without an interpreter it is a library, or a static program that may lie
 * at any address */
static bool
is_library(const char *path, const Elf64_Ehdr *e)
{
	const char *base = strrchr(path, '/');

	return e->e_type == ET_DYN &&
		(!e->e_entry || strstr(base ? base : path, ".so"));
}

static void
look_elf(struct app *a, const char *path, const unsigned char *head, size_t n)
{
	Elf64_Ehdr e = { .e_ident = "" };

	memcpy(&e, head, n < sizeof e ? n : sizeof e);
	if (n < sizeof e || e.e_ident[EI_CLASS] != ELFCLASS64 ||
	    e.e_machine != MACHINE) {
		a->kind = APP_FOREIGN;
		a->why = e.e_ident[EI_CLASS] == ELFCLASS32 ?
			"is a program of 32 bits, and our libraries have 64" :
			"is for another machine";
	} else if (has(head, n, PT_INTERP)) {
		a->kind = APP_DYNAMIC;
		if (is_secure(path)) {
			a->kind = APP_SECURE;
			a->why = "runs with another user's rights (setuid): "
				"the system starts it without our libraries";
		}
	} else if (e.e_type == ET_EXEC || e.e_type == ET_DYN) {
		a->kind = is_library(path, &e) ? APP_LIBRARY : APP_STATIC;
		a->why = a->kind == APP_LIBRARY ? "is a library" :
			"is linked statically: it loads no libraries, ours "
			"neither";
	} else {
		a->kind = APP_OTHER;
		a->why = "is no program";
	}
}

/* the first word behind "#!", or with env(1) the program it looks for */
static bool
interpreter(char *line, char path[PATH_SIZE])
{
	char *word, *rest = line;
	const char *base;

	line[strcspn(line, "\n")] = 0;
	word = strtok_r(rest, " \t", &rest);
	if (!word || strlen(word) >= PATH_SIZE)
		return false;
	strcpy(path, word);
	base = strrchr(word, '/');
	if (strcmp(base ? base + 1 : word, "env") != 0)
		return true;
	while ((word = strtok_r(0, " \t", &rest)))
		if (*word != '-' && !strchr(word, '='))
			return search(word, path) == 0;
	return true;
}

static void
look(struct app *a)
{
	unsigned char head[HEAD];
	char path[PATH_SIZE];
	size_t n;
	int i, err;

	strcpy(path, a->path);
	for (i = 0; ; i++) {
		n = read_head(path, head);
		if (n >= 4 && !memcmp(head, ELFMAG, SELFMAG)) {
			look_elf(a, path, head, n);
			break;
		}
		a->kind = i ? APP_SCRIPT : APP_OTHER;
		a->why = "is no program";
		if (n < 2 || head[0] != '#' || head[1] != '!' ||
		    i == MOST_SCRIPTS)
			break;
		a->kind = APP_SCRIPT;
		if (!interpreter((char *)head + 2, path) || !runs(path, &err))
			break;
		strcpy(a->interpreter, path);
	}
	if (i && a->kind == APP_DYNAMIC)
		a->kind = APP_SCRIPT;
}

void
app_find(struct app *a, const char *name)
{
	int err;

	memset(a, 0, sizeof *a);
	if (!strchr(name, '/')) {
		err = search(name, a->path);
	} else {
		snprintf(a->path, sizeof a->path, "%s", name);
		runs(a->path, &err);
	}
	if (err == ENOENT || err == ENOTDIR) {
		a->kind = APP_MISSING;
		a->why = strerror(err);
		return;
	}
	look(a);
	if (err && a->kind != APP_LIBRARY && a->kind != APP_OTHER) {
		a->kind = APP_FORBIDDEN;
		a->why = strerror(err);
	}
}
