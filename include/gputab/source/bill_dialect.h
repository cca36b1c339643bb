/* bill_dialect: what a provider's bill format is to the rest of the program: a table of columns and a function that says what one row
 * means. A new provider is one file with both, and a line in bill.c. */
#ifndef GPUTAB_SOURCE_BILL_DIALECT_H
#define GPUTAB_SOURCE_BILL_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"
#include "gputab/codec/csv.h"
#include "gputab/source/bill.h"
#include "gputab/source/bill_rows.h"

enum { BILL_COLUMNS_MAX = 64, BILL_TYPE_SIZE = 96 };

struct bill_column {
    const char *name;
    const char *alias;             /* an earlier name, or NULL */
    bool mark;                     /* a header with all marks is this dialect's */
    bool needed;                   /* without it the file is refused */
    const char *other;             /* a third name, or NULL */
};

struct bill_row;

/* One row, seen through a dialect's columns. */
struct bill_cells {
    const struct bill_dialect *dialect;
    const char *name;              /* of the file, for warnings */
    const struct bill_rows *rows;
    const struct csv_row *row;
    const int *index;              /* by column: the field, -1 when the header has none */
    char *const *shown;            /* by column: its name as the header writes it, or as the dialect does when there is none */
    struct diag *diag;
};

/* The trimmed cell; {NULL, 0} when it is null (no such column, empty, the word NULL in any case, or another of the dialect's words). */
struct span bill_cell(const struct bill_cells *c, int column);
/* 1 with *out set, 0 when the cell is null, -1 with *e set. Amounts that lose decimals are counted (W205). */
int bill_cell_money(const struct bill_cells *c, int column, money *out, struct err *e) GPUTAB_MUST_CHECK;
/* The list cost of a row of instance time, when the request asks for it: 0, or -1 with *e set. */
int bill_cell_list(const struct bill_cells *c, const struct bill_request *req, int column, struct bill_row *out,
                   struct err *e) GPUTAB_MUST_CHECK;
/* W205: an amount in a cell had more than 12 decimals. */
void bill_cells_warn_rounded(const struct bill_cells *c, int column);
/* W106: a cell with details of the instance was no JSON object. */
void bill_cells_warn_details(const struct bill_cells *c, int column);
/* A quantity in units of unit_ms as 10^-12 milliseconds; what is no credible time is an error. */
int bill_cell_duration(const struct bill_cells *c, int column, int64_t unit_ms, money *out, struct err *e) GPUTAB_MUST_CHECK;
/* 0, or -1 with *e set, also when the cell is null. */
int bill_cell_time(const struct bill_cells *c, int column, time_ms *out, struct err *e) GPUTAB_MUST_CHECK;
/* Adds file, line, column and the column's name to an error that is set. Returns -1. */
int bill_cell_at(const struct bill_cells *c, int column, struct err *e);

enum bill_kind {
    BILL_GROUPED,                  /* belongs to `group`, even when it names a node */
    BILL_TIME,                     /* bills instance time: a node's charge when its resource is a GPU node */
    BILL_BESIDE                    /* something else on a resource: attached when that is a GPU node */
};

enum bill_invoice { BILL_INVOICE_UNKNOWN, BILL_INVOICED, BILL_ESTIMATED };

/* What a dialect says of a row. Spans point into the row or into the dialect's state: valid until the next row. */
struct bill_row {
    enum bill_kind kind;
    enum bill_group group;
    struct timespan span;          /* from == to: an instant, never of a TIME or BESIDE row */
    money cost, invoiced;
    struct span currency;          /* empty: null */
    struct span resource;          /* as the bill writes it; empty: null */
    enum bill_invoice invoice;
    struct span payer;             /* whose day this is, of which only one export may tell (bill_once); empty: not watched */
    uint32_t shared;               /* the shared cost that selects it, + 1; 0: none. Not the dialect's to say */
    bool block_fee;                /* of GROUPED rows: the fee of a block of instances of `type`, in `region` */
    struct span origin;            /* what a row and those that split its cost have in common; empty: the bill splits none */
    bool allocated;                /* a part of a row's cost, which may be there too */
    /* of TIME rows */
    bool correction;               /* cost, never time */
    bool has_list;                 /* asked for and known: */
    money list;                    /* what the row would cost at public prices on demand */
    bool has_time;                 /* the quantity is in time */
    money time_ms;                 /* 10^-12 milliseconds; of rows of the GPU piece: times the number of GPUs */
    bool gpu_time;                 /* bills the machine by its GPUs: time_ms is times their number; the GPU piece where rows have others */
    bool has_piece;                /* bills one piece of the machine, not all of it */
    enum piece piece;
    struct span gpu_model;         /* of rows of the GPU piece: the catalogue's name; empty: unknown */
    bool takes_no_gpu;             /* of a kind of machine that can't have one, though no type tells */
    enum purchase purchase;
    struct span type, region;
    int64_t vcpu_micro, memory_micro_gib, gpu_count_micro;
};

struct bill_dialect {
    const char *name;
    const void *context;           /* the dialect's own */
    char delimiter;                /* 0: comma */
    const struct bill_column *columns;
    int n_columns;
    bool folds;                    /* names in `columns` are snake case; those of the header are folded to it (bill_fold) */
    bool translated;               /* the header's names may stand behind translations, in any spacing (bill_fold_same) */
    bool whole_rows;               /* rows are told apart by all their fields: those of other columns are taken out of rows, too */
    bool more_nulls;               /* tools that rewrite it leave their own words for null: None, <NA>, \N */
    int resource_column;           /* without it a bill is read, but no row can be a node's: W107, with the hint */
    const char *resource_hint;
    int cost_columns[RULE_COST_NET_EFFECTIVE + 1];           /* also needed, by what the rule asks for; -1: none */
    void *(*open)(const struct bill_request *req);           /* state of one file */
    int (*row)(void *state, const struct bill_cells *c, struct bill_row *out, struct err *e);
    /* NULL or: the file, `rows` data rows, has been read; what only all of it tells may refuse it. Errors carry the line, if any. */
    int (*end)(void *state, const char *path, int64_t rows, struct err *e);
    void (*close)(void *state, const char *name, bool complete);   /* warnings about the whole file when it is complete; frees */
    enum bill_invoice (*estimated)(const void *state);       /* after the last row, of the file as a whole; NULL: rows alone say so */
};

extern const struct bill_dialect focus_dialect, cur_dialect, azure_dialect, gcp_dialect, oci_dialect;

#endif
