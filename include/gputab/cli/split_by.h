/* split_by: gputab report --split-by KEY: one allocation, a complete report for each value of a key without anybody else's rows, and an
 * index whose amounts sum to the bill. */
#ifndef GPUTAB_CLI_SPLIT_BY_H
#define GPUTAB_CLI_SPLIT_BY_H

#include "gputab/cli/report_args.h"
#include "gputab/cli/run_way.h"

struct split_by {                  /* zeroed: not asked for */
    bool on;
    enum key key;
    struct key_list by;            /* as asked for */
    struct key_list part_by[REPORT_PARTS];
    struct run_view view;          /* the same with the key in front */
    struct run_view alone;         /* by the key alone */
    struct run_view parts[REPORT_PARTS];
    struct timespan period;
};

/* Before anything is read: what --split-by and the outputs say, beside the run's own view. ERR_USAGE. */
int split_by_read(struct split_by *s, const struct report_args *a, const struct run_view *main, struct timespan period, struct err *e)
    GPUTAB_MUST_CHECK;
void split_by_free(struct split_by *s);

/* Its views, for run_report_view: NULL behind the last one. */
struct run_view *split_by_view(struct split_by *s, size_t i);

/* What is written, each file whole. */
struct split_out {
    void *to;
    int (*report)(void *to, const struct report_file *f, const struct report *r, struct err *e);
    int (*text)(void *to, const char *path, struct span text, struct err *e);
};

/* After the run has been walked; whole is its report. */
int split_by_write(struct split_by *s, const struct report_args *a, const struct report *whole, bool requests_known,
                   const struct render_cfg *cfg, const struct split_out *out, struct err *e) GPUTAB_MUST_CHECK;

#endif
