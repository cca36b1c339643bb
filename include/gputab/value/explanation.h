/* explanation: the way to an amount, as sections of lines that a pocket calculator can follow. core/explain_lines fills it,
 * render/explained shows it. Texts live in its arena. */
#ifndef GPUTAB_VALUE_EXPLANATION_H
#define GPUTAB_VALUE_EXPLANATION_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/buf.h"
#include "gputab/base/vec.h"
#include "gputab/value/charge.h"
#include "gputab/value/money.h"
#include "gputab/value/timespan.h"

/* "quantity unit x price = amount", as far as it has these; otherwise `how` says the operation. */
struct explanation_line {
    const char *what;
    const char *how;               /* NULL: none */
    const char *unit;              /* of the quantity, "GPU-h"; NULL: no quantity */
    money quantity;
    bool has_price, has_amount;
    money price;                   /* per unit; amount / quantity, to 9 decimals */
    money amount;                  /* exact */
    const char *amount_unit;       /* NULL: the currency */
    const char *note;              /* NULL: none */
    bool verbatim;                 /* the note is to be copied: never broken into lines */
};

struct explanation_section {
    const char *name;              /* for programs: "bill" */
    const char *title;
    const char *words;             /* what to know about it; NULL: nothing */
    bool adds;                     /* the amounts of its lines are parts of the total */
    VEC(struct explanation_line) lines;
};

struct explanation_row {           /* of the report, rounded as there */
    const char *name, *bucket;     /* bucket NULL: none */
    money piece[PIECES], total, exact, idle, shared;
};

struct explanation {               /* zeroed: empty */
    struct arena texts;
    const char *kind, *name;       /* "team", "nlp" */
    struct timespan period;
    const char *currency;
    int digits;
    const char *source;            /* NULL: the inputs; else the report file that it was read from */
    VEC(struct explanation_row) rows;
    VEC(struct explanation_section) sections;
};

struct explanation_section *explanation_section(struct explanation *x, const char *name, const char *title, bool adds);
/* The text in b becomes the explanation's; b is empty afterwards. NULL when it was empty. */
const char *explanation_text(struct explanation *x, struct buf *b);
void explanation_free(struct explanation *x);

/* Decimals of a number without zeros at their end, between `least` and `most`. */
void explanation_add_number(struct buf *b, money m, int least, int most);

#endif
