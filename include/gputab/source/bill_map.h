/* bill_map: a file that says how the CSV bill of some provider is written, gputab-billing-map(5): what its columns are called, how it
 * writes times and numbers, and which words mean what. Every error has file, line, column and the nearest name. */
#ifndef GPUTAB_SOURCE_BILL_MAP_H
#define GPUTAB_SOURCE_BILL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/err.h"
#include "gputab/value/charge.h"

enum bill_map_column {
    MAPPED_RESOURCE, MAPPED_START, MAPPED_END, MAPPED_DURATION, MAPPED_COST, MAPPED_BILLED, MAPPED_LIST, MAPPED_CURRENCY, MAPPED_QUANTITY,
    MAPPED_UNIT, MAPPED_KIND, MAPPED_TYPE, MAPPED_REGION, MAPPED_PURCHASE, MAPPED_GPUS, MAPPED_VCPUS, MAPPED_MEMORY, MAPPED_INVOICE,
    MAPPED_COLUMNS
};

enum bill_map_unit { MAPPED_HOURS, MAPPED_MINUTES, MAPPED_SECONDS, MAPPED_DAYS, MAPPED_GPU_HOURS };
enum bill_map_every { MAPPED_NOT_EVERY, MAPPED_EVERY_HOUR, MAPPED_EVERY_DAY, MAPPED_EVERY_MONTH };

/* Globs, in any number; NULL: the key is not written. They end with NULL. */
typedef const char *const *bill_map_words;

struct bill_map {
    struct arena texts;
    const char *path;
    const char *name;              /* of the provider, for messages */
    const char *columns[MAPPED_COLUMNS];      /* names in the header; NULL: the bill has none */
    char delimiter;
    char decimal, thousands;       /* thousands 0: none */
    const char *symbol;            /* of the currency, before or behind numbers; NULL: none */
    const char *times;             /* a pattern; NULL: as other bills write times */
    int64_t zone_ms;               /* ahead of UTC */
    const char *currency;          /* of all rows; NULL: a column tells */
    enum bill_map_unit unit, duration_unit;
    enum bill_map_every every;     /* rows without an end and a duration */
    bool ends_with_day;            /* an end is the last day, not the first instant behind */
    bill_map_words instance_time;  /* kinds; NULL: every row with a resource */
    bill_map_words groups[BILL_GROUPS];    /* kinds */
    bill_map_words pieces[PIECES];         /* kinds that bill a part of the machine */
    bill_map_words purchases[PURCHASES];   /* words of the column `purchase` */
    enum purchase purchase;        /* of other rows */
};

/* *m is zeroed by the caller and released by bill_map_free, also after an error: ERR_USAGE, or ERR_INPUT when the file cannot be read. */
int bill_map_read(const char *path, struct bill_map *m, struct err *e) GPUTAB_MUST_CHECK;
void bill_map_free(struct bill_map *m);

#endif
