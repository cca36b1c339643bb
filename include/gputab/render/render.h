/* render: a report as text of one format. Every renderer reads the same table. */
#ifndef GPUTAB_RENDER_RENDER_H
#define GPUTAB_RENDER_RENDER_H

#include <stdbool.h>

#include "gputab/base/sink.h"
#include "gputab/base/span.h"
#include "gputab/value/report.h"

struct render_cfg {
    int width;                     /* terminal columns: 100 when unknown */
    bool terminal;                 /* stdout is a terminal: colour unless NO_COLOR (decided by cli) */
    bool colour;
    bool ascii;                    /* stdout is a terminal that does not show UTF-8 */
    bool wide;                     /* --wide: all columns, whatever the width */
    bool bars;                     /* --bars */
    bool csv_raw;                  /* --csv-raw */
    bool flat;                     /* --flat: a column for each key, no hierarchy */
    bool csv_bom;                  /* --csv-bom */
    char csv_delimiter;            /* --csv-delimiter; 0: the comma */
    char csv_decimal;              /* --csv-decimal; 0: the point */
    bool bridge;                   /* --bridge: the bill's groups, from file total to billed, in words and numbers */
    const char *beside;            /* name of the file that is written beside this one (see render_ops); NULL: there is none */
};

/* What a report holds only when a format asks for it, as bits. */
enum render_extra { RENDER_RATES = 1, RENDER_RULE_TEXT = 2 };

struct render_ops {
    const char *name;              /* value of --format */
    const char *extension;         /* of -o files: "json"; NULL: none */
    const char *summary;           /* for --help */
    void (*run)(const struct report *r, const struct render_cfg *cfg, struct sink *out);
    bool compares;                 /* can show a report that compares splits */
    unsigned parts;                /* a bit 1 << p for each enum report_part p that it reads */
    unsigned extras;               /* bits of enum render_extra: report.rates, report.rule_text */
    bool binary;                   /* nothing for a terminal */
    /* What the format has no room for goes as CSV into a file beside it: that report, or NULL when there is room. */
    const struct report *(*needs_beside)(const struct report *r);
};

extern const struct render_ops render_formats[];             /* ends with name NULL; the first one is the default */
const struct render_ops *render_find(struct span name);      /* by name; NULL */
const struct render_ops *render_by_path(const char *path);   /* by extension, the longest; NULL */

#endif
