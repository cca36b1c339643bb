/* ink: text for people, into a sink: colours that vanish when they should, columns that line up, paragraphs that fit the width.
 * It counts terminal columns, not bytes; escape sequences have no width. Text from data is made printable on the way. */
#ifndef GPUTAB_RENDER_INK_H
#define GPUTAB_RENDER_INK_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/sink.h"

enum ink_style { INK_TEXT, INK_BOLD, INK_DIM, INK_LABEL, INK_GOOD, INK_WARN, INK_BUCKET, INK_BAR, INK_STYLES };

struct ink {
    struct sink *out;              /* borrowed; relieved at the end of lines */
    size_t width;                  /* of the terminal */
    bool colour;                   /* escape sequences */
    bool drawing;                  /* box characters and ellipsis; false: ASCII only, but for names */
    bool ascii;                    /* names too: other characters are written as \u6771 */
    bool wide;                     /* tables take the width that they need */
    bool bars;
    size_t column;                 /* where the next character goes */
};

void ink_add(struct ink *k, enum ink_style style, const char *text);
void ink_line(struct ink *k);                                /* ends the line, without blanks at its end */
void ink_rule(struct ink *k, size_t width);                  /* a line of its own */

/* text in a field of `width` columns; a longer one is cut in its middle when left, never when right. */
void ink_left(struct ink *k, enum ink_style style, const char *text, size_t width);
void ink_right(struct ink *k, enum ink_style style, const char *text, size_t width);
void ink_pad(struct ink *k, size_t column);                  /* blanks up to that column */

/* The next phrase of a line of phrases: three blanks between them, a new line (indented by two) when it doesn't fit any more. */
void ink_phrase(struct ink *k, enum ink_style style, const char *text);
/* Words of a paragraph from the current column on, continued on new lines at `indent`. Ends the line. */
void ink_words(struct ink *k, enum ink_style style, const char *text, size_t indent);

size_t ink_width(const struct ink *k, const char *text);     /* columns that ink_add would take */

#endif
