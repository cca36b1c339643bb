/* file: whole small files in, complete or absent files out. */
#ifndef GPUTAB_BASE_FILE_H
#define GPUTAB_BASE_FILE_H

#include <stddef.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"

/* Appends the file to b. More than cap bytes is an error (ERR_INPUT, names the cap). path "-" is stdin. */
int file_read(const char *path, size_t cap, struct buf *b, struct err *e) GPUTAB_MUST_CHECK;

/* A temporary file without a name, for reading and writing, in $TMPDIR (/tmp without one): nothing of it stays behind, however the program
 * ends. -1: none can be made, errno says why. */
int file_nameless(void);
const char *file_temp_folder(void);                          /* where that is; borrowed from the environment */

/* Output files of one run: each is written to a temporary file beside its target, synced, and all are renamed together by
 * file_set_commit. file_set_abort (also called on a set never committed) removes the temporaries: no half file stays.
 * Targets that exist and are not regular files (/dev/full, a pipe) are written in place at commit. */
struct file_set;
struct file_set *file_set_new(void);
/* A file in pieces, one file after the other: begin, write as often as wanted, end. */
int file_set_begin(struct file_set *s, const char *path, struct err *e) GPUTAB_MUST_CHECK;
int file_set_write(struct file_set *s, struct span piece, struct err *e) GPUTAB_MUST_CHECK;      /* changes nothing that signals see */
int file_set_end(struct file_set *s, struct err *e) GPUTAB_MUST_CHECK;
/* A file whole. */
int file_set_add(struct file_set *s, const char *path, struct span content, struct err *e) GPUTAB_MUST_CHECK;
int file_set_commit(struct file_set *s, struct err *e) GPUTAB_MUST_CHECK;
void file_set_abort(struct file_set *s);                     /* frees s, also after a commit; NULL allowed */
/* Writes the targets that are written in place, which may wait for a reader. file_set_commit does it where nobody did before. */
int file_set_write_in_place(struct file_set *s, struct err *e) GPUTAB_MUST_CHECK;
/* For signal handlers, when the process ends: removes the temporaries and changes nothing of s. Async-signal-safe as long as no other
 * function of this set is interrupted by it. */
void file_set_unlink_temps(const struct file_set *s);

#endif
