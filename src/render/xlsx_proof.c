/* xlsx_proof: reads the archive like any other and looks at the end of each part: the tag that closes what its first tag opened.
 * It knows no more of XML than that, which is what a text cut off anywhere lacks. */
#include "gputab/render/xlsx_proof.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/file.h"
#include "gputab/base/span.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/raw_input.h"
#include "gputab/codec/unzip.h"

enum { HEAD_BYTES = 1024, TAIL_BYTES = 64, PIECE_BYTES = 1 << 16 };

struct part {
    char head[HEAD_BYTES + 1];     /* first bytes */
    char tail[TAIL_BYTES + 1];     /* last ones */
    size_t n_head, n_tail;
};

static int fill_from_fd(void *from, char *p, size_t n, struct err *e)
{
    ssize_t got = read(*(const int *)from, p, n);

    return got < 0 ? err_set(e, ERR_INTERNAL, "cannot read the workbook back") : (int)got;
}

static void part_add(struct part *t, const uint8_t *p, size_t n)
{
    size_t room = HEAD_BYTES - t->n_head, head = n < room ? n : room, last = n < TAIL_BYTES ? n : TAIL_BYTES, keep = TAIL_BYTES - last;

    memcpy(t->head + t->n_head, p, head);
    t->n_head += head;
    if (keep > t->n_tail)
        keep = t->n_tail;
    memmove(t->tail, t->tail + t->n_tail - keep, keep);
    memcpy(t->tail + keep, p + n - last, last);
    t->n_tail = keep + last;
}

/* The name of the first tag that is no declaration; empty: none. */
static struct span root_of(const struct part *t)
{
    for (size_t i = 0; i + 1 < t->n_head; i++) {
        size_t end = i + 1;

        if (t->head[i] != '<' || t->head[i + 1] == '?')
            continue;
        while (end < t->n_head && t->head[end] != '>' && t->head[end] != '/' && !isspace((unsigned char)t->head[end]))
            end++;
        return (struct span){t->head + i + 1, end - i - 1};
    }
    return (struct span){t->head, 0};
}

static bool ends_well(const struct part *t)
{
    struct span root = root_of(t), tail = {t->tail, t->n_tail};

    while (tail.n && isspace((unsigned char)tail.p[tail.n - 1]))
        tail.n--;
    if (!root.n || tail.n < 2 || tail.p[tail.n - 1] != '>')
        return false;
    if (tail.p[tail.n - 2] == '/')                           /* <root .../>: all of it is one tag */
        return memchr(root.p, '<', (size_t)(t->head + t->n_head - root.p)) == NULL;
    return tail.n >= root.n + 3 && memcmp(tail.p + tail.n - root.n - 3, "</", 2) == 0
        && memcmp(tail.p + tail.n - root.n - 1, root.p, root.n) == 0;
}

static int prove_part(struct unzip *z, struct err *e)
{
    static const size_t piece = PIECE_BYTES;
    uint8_t *bytes = xmalloc(piece);
    struct part part = {.n_head = 0};
    bool end = false;
    int n = 0;

    while (!end && (n = unzip_read(z, bytes, piece, &end, e)) >= 0)
        part_add(&part, bytes, (size_t)n);
    free(bytes);
    if (n < 0)
        return -1;
    return ends_well(&part) ? 0 : err_set(e, ERR_INTERNAL, "the workbook came out incomplete, in %s", unzip_name(z));
}

int xlsx_proof(int fd, struct err *e)
{
    struct raw_input raw;
    struct unzip *z;
    int rc;

    if (lseek(fd, 0, SEEK_SET) < 0)
        return err_set(e, ERR_INTERNAL, "cannot read the workbook back");
    raw_input_over(&raw, fill_from_fd, &fd, "workbook");
    z = unzip_new(&raw, NULL);
    while ((rc = unzip_next(z, e)) > 0 && prove_part(z, e) == 0)
        ;
    unzip_free(z);
    raw_input_close(&raw);
    if (rc == 0)
        return 0;
    e->code = ERR_INTERNAL;                                  /* nothing that was put in */
    return err_hint(e, "it is made in %s, which may be full; TMPDIR names another folder", file_temp_folder());
}
