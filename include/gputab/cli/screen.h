/* screen: what is known of the terminals behind stdout and stderr. */
#ifndef GPUTAB_CLI_SCREEN_H
#define GPUTAB_CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/render/ink.h"
#include "gputab/render/render.h"

/* Fills width (COLUMNS, else the terminal's, else 100), terminal (a terminal that shows UTF-8, NO_COLOR not set), colour (such a terminal
 * that isn't "dumb") and ascii; leaves the rest. */
void screen_fill_cfg(struct render_cfg *cfg);

/* Columns for help texts: the terminal's, between 60 and 100; 80 when there is none. */
size_t screen_help_width(void);

/* Whether a line on stderr can be drawn over and over: a terminal that isn't "dumb", with the program in its foreground. Fills width (the
 * terminal's, else COLUMNS, else 80), colour and drawing (as the table has them on stdout); leaves the rest. */
bool screen_can_redraw(struct ink *k);

#endif
