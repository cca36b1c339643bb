/* csv_head: what a header row names.
 *
 * Columns are bound once per file and read by index after that. What a column means, and whether others may be there, is for the module
 * whose file it is. */
#include "gputab/codec/csv_head.h"

#include "gputab/base/buf.h"

int csv_head_find(const struct csv_row *head, const char *name)
{
    for (size_t i = 0; i < head->n; i++)
        if (span_eq_fold(span_trim(head->fields[i]), name))
            return (int)i;
    return -1;
}

int csv_head_bind(const struct csv *r, const struct csv_row *head, const char *const *names, size_t n, size_t needed, int *index,
                  struct err *e)
{
    struct buf missing = {0};
    int rc = 0;

    for (size_t i = 0; i < n; i++) {
        index[i] = csv_head_find(head, names[i]);
        if (index[i] < 0 && i < needed)
            buf_addf(&missing, "%s%s", missing.n ? ", " : "", names[i]);
    }
    if (missing.n) {
        err_set(e, ERR_INPUT, "header lacks the columns: %s", buf_str(&missing));
        rc = csv_at(r, CSV_WHOLE_ROW, e);
    }
    buf_free(&missing);
    return rc;
}

struct span csv_head_cell(const struct csv_row *row, int index)
{
    return index >= 0 && (size_t)index < row->n ? span_trim(row->fields[index]) : (struct span){NULL, 0};
}
