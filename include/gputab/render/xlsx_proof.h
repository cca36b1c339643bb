/* xlsx_proof: whether an archive of XML parts is whole. The library that writes it looks neither at its temporary files nor at what a full
 * disk says of them: a part could end anywhere. */
#ifndef GPUTAB_RENDER_XLSX_PROOF_H
#define GPUTAB_RENDER_XLSX_PROOF_H

#include "gputab/base/err.h"

/* fd: a regular file. Its offset moves. ERR_INTERNAL: a part is cut off, or the archive. */
int xlsx_proof(int fd, struct err *e) GPUTAB_MUST_CHECK;

#endif
