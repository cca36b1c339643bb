/* catalogue (source): reads the three CSV tables of the catalogue; the built-in ones are compiled in from src/source/catalogue/. */
#ifndef GPUTAB_SOURCE_CATALOGUE_H
#define GPUTAB_SOURCE_CATALOGUE_H

#include "gputab/base/err.h"
#include "gputab/value/catalogue.h"

int catalogue_builtin(struct catalogue *c, struct err *e) GPUTAB_MUST_CHECK;

#endif
