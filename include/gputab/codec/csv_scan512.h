/* csv_scan512: csv_scan's way for x86-64 processors with AVX-512, a row of its table. */
#ifndef GPUTAB_CODEC_CSV_SCAN512_H
#define GPUTAB_CODEC_CSV_SCAN512_H

#include <stdbool.h>

#include "gputab/codec/csv_scan.h"

#if defined(__x86_64__)

extern const struct csv_scan csv_scan512;
bool csv_scan512_is_here(void);

#endif

#endif
