/* explained: lines of an explanation as people check them: what on the left, "quantity unit x price = amount" on the right, and below what
 * helps to judge it. Machines get the same parts under names. No number is computed here. */
#include "gputab/render/explained.h"

#include <string.h>

#include "gputab/codec/json_out.h"
#include "gputab/render/ink.h"

enum { MARGIN = 2, NOTE_INDENT = 6, WIDEST = 120 };

/* ---- text ---- */

static void add_amount(struct buf *b, const struct explanation_line *line)
{
    explanation_add_number(b, line->amount, 2, line->amount_unit ? 12 : 6);
    if (line->amount_unit && strcmp(line->amount_unit, "weight") != 0)
        buf_addf(b, " %s", line->amount_unit);
}

static void add_formula(struct buf *b, const struct explanation_line *line)
{
    if (line->how)
        buf_adds(b, line->how);
    if (line->unit) {
        explanation_add_number(b, line->quantity, 0, 6);
        buf_addf(b, " %s", line->unit);
    }
    if (line->has_price) {
        buf_adds(b, " x ");
        explanation_add_number(b, line->price, 2, 9);
    }
    if (!line->has_amount)
        return;
    buf_adds(b, b->n ? " = " : "");
    add_amount(b, line);
}

static void show_line(struct ink *k, const struct explanation_line *line)
{
    struct buf formula = {0};
    size_t width = k->width < WIDEST ? k->width : WIDEST, right;

    add_formula(&formula, line);
    right = ink_width(k, buf_str(&formula));
    ink_pad(k, MARGIN);
    if (MARGIN + ink_width(k, line->what) + 3 + right <= width) {
        ink_add(k, INK_TEXT, line->what);
    } else {
        ink_words(k, INK_TEXT, line->what, MARGIN + 2);
    }
    if (right && right + NOTE_INDENT > width)
        ink_pad(k, NOTE_INDENT);
    else if (right)
        ink_pad(k, width - right);
    if (right && right + NOTE_INDENT > width)
        ink_words(k, INK_TEXT, buf_str(&formula), NOTE_INDENT);
    else if (right)
        ink_add(k, INK_TEXT, buf_str(&formula));
    if (k->column)
        ink_line(k);
    if (line->note) {
        ink_pad(k, NOTE_INDENT);
        if (line->verbatim) {
            ink_add(k, INK_TEXT, line->note);
            ink_line(k);
        } else {
            ink_words(k, INK_DIM, line->note, NOTE_INDENT);
        }
    }
    buf_free(&formula);
}

static money sum_of(const struct explanation_section *s)
{
    money sum = 0;

    for (size_t i = 0; i < s->lines.n; i++)
        sum += s->lines.v[i].has_amount ? s->lines.v[i].amount : 0;
    return sum;
}

static void show_section(struct ink *k, const struct explanation_section *s, size_t number)
{
    struct explanation_line sum = {.what = "together", .has_amount = true, .amount = sum_of(s)};
    struct buf b = {0};

    if (!s->lines.n)
        return;
    ink_line(k);
    buf_addf(&b, "%zu  %s", number, s->title);
    ink_words(k, INK_BOLD, buf_str(&b), 3);
    for (size_t i = 0; i < s->lines.n; i++)
        show_line(k, &s->lines.v[i]);
    if (s->adds && s->lines.n > 1)
        show_line(k, &sum);
    if (s->words) {
        ink_pad(k, MARGIN);
        ink_words(k, INK_DIM, s->words, MARGIN);
    }
    buf_free(&b);
}

static void show_row(struct ink *k, const struct explanation *x, const struct explanation_row *r)
{
    struct buf b = {0};

    buf_adds(&b, r->name);
    if (r->bucket && strcmp(r->bucket, r->name) != 0)
        buf_addf(&b, " %s", r->bucket);
    buf_adds(&b, ": GPU ");
    money_add_text(&b, r->piece[PIECE_GPU], x->digits);
    buf_adds(&b, " + CPU ");
    money_add_text(&b, r->piece[PIECE_CPU], x->digits);
    buf_adds(&b, " + memory ");
    money_add_text(&b, r->piece[PIECE_MEMORY], x->digits);
    buf_adds(&b, " = ");
    money_add_text(&b, r->total, x->digits);
    ink_words(k, INK_BOLD, buf_str(&b), MARGIN);
    buf_free(&b);
}

static void show_head(struct ink *k, const struct explanation *x)
{
    struct buf b = {0};

    ink_add(k, INK_LABEL, k->colour ? " EXPLAIN " : "EXPLAIN");
    ink_pad(k, k->column + 3);
    buf_addf(&b, "%s %s", x->kind, x->name);
    ink_phrase(k, INK_BOLD, buf_str(&b));
    buf_clear(&b);
    time_add_text(&b, x->period.from);
    buf_adds(&b, " to ");
    time_add_text(&b, x->period.to);
    ink_phrase(k, INK_TEXT, buf_str(&b));
    buf_clear(&b);
    buf_addf(&b, "amounts in %s", x->currency);
    if (x->currency[0])
        ink_phrase(k, INK_TEXT, buf_str(&b));
    ink_line(k);
    if (x->source) {
        buf_clear(&b);
        buf_addf(&b, "from the report %s", x->source);
        ink_words(k, INK_TEXT, buf_str(&b), 0);
    }
    buf_free(&b);
}

void explained_text(const struct explanation *x, const struct render_cfg *cfg, struct sink *out)
{
    struct ink k = {.out = out, .width = (size_t)(cfg->width > 40 ? cfg->width : 40), .colour = cfg->colour, .drawing = cfg->terminal};
    size_t number = 0;

    show_head(&k, x);
    for (size_t i = 0; i < x->rows.n; i++)
        show_row(&k, x, &x->rows.v[i]);
    if (!x->rows.n)
        ink_words(&k, INK_WARN, "the report has no such row: there is none of it, or the rule moved all of it", 0);
    for (size_t i = 0; i < x->sections.n; i++)
        if (x->sections.v[i].lines.n)
            show_section(&k, &x->sections.v[i], ++number);
}

/* ---- JSON ---- */

static void number_member(struct json_out *j, const char *key, bool known, money m, int digits)
{
    struct buf b = {0};

    json_out_key(j, key);
    money_add_text(&b, m, digits);
    if (known)
        json_out_span(j, buf_span(&b));
    else
        json_out_null(j);
    buf_free(&b);
}

static void text_member(struct json_out *j, const char *key, const char *text)
{
    json_out_key(j, key);
    json_out_text(j, text);
}

static void line_object(struct json_out *j, const struct explanation_line *line)
{
    json_out_object(j, JSON_OUT_INLINE);
    text_member(j, "what", line->what);
    text_member(j, "how", line->how);
    number_member(j, "quantity", line->unit != NULL, line->quantity, MONEY_DECIMALS);
    text_member(j, "unit", line->unit);
    number_member(j, "price", line->has_price, line->price, 9);
    number_member(j, "amount", line->has_amount, line->amount, MONEY_DECIMALS);
    text_member(j, "amount_unit", line->amount_unit);
    text_member(j, "note", line->note);
    json_out_end(j);
}

static void section_object(struct json_out *j, const struct explanation_section *s, struct sink *out)
{
    json_out_object(j, JSON_OUT_LINES);
    text_member(j, "section", s->name);
    text_member(j, "title", s->title);
    text_member(j, "words", s->words);
    json_out_key(j, "adds");
    json_out_bool(j, s->adds);
    json_out_key(j, "lines");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < s->lines.n; i++) {
        line_object(j, &s->lines.v[i]);
        sink_relieve(out);
    }
    json_out_end(j);
    json_out_end(j);
}

static void row_object(struct json_out *j, const struct explanation *x, const struct explanation_row *r)
{
    json_out_object(j, JSON_OUT_INLINE);
    text_member(j, "key", r->name);
    text_member(j, "bucket", r->bucket);
    number_member(j, "gpu_cost", true, r->piece[PIECE_GPU], x->digits);
    number_member(j, "cpu_cost", true, r->piece[PIECE_CPU], x->digits);
    number_member(j, "memory_cost", true, r->piece[PIECE_MEMORY], x->digits);
    number_member(j, "total_cost", true, r->total, x->digits);
    number_member(j, "total_exact", true, r->exact, MONEY_DECIMALS);
    number_member(j, "idle_cost", true, r->idle, x->digits);
    number_member(j, "shared_cost", true, r->shared, x->digits);
    json_out_end(j);
}

static void head_members(struct json_out *j, const struct explanation *x)
{
    struct buf b = {0};

    text_member(j, "schema", "gputab.explain/1");
    json_out_key(j, "subject");
    json_out_object(j, JSON_OUT_INLINE);
    text_member(j, "kind", x->kind);
    text_member(j, "name", x->name);
    json_out_end(j);
    json_out_key(j, "period");
    json_out_object(j, JSON_OUT_INLINE);
    json_out_key(j, "from");
    time_add_text(&b, x->period.from);
    json_out_span(j, buf_span(&b));
    buf_clear(&b);
    json_out_key(j, "to");
    time_add_text(&b, x->period.to);
    json_out_span(j, buf_span(&b));
    json_out_end(j);
    text_member(j, "currency", x->currency[0] ? x->currency : NULL);
    text_member(j, "report", x->source);
    buf_free(&b);
}

void explained_json(const struct explanation *x, struct sink *out)
{
    struct json_out j;

    json_out_init(&j, &out->text);
    json_out_object(&j, JSON_OUT_LINES);
    head_members(&j, x);
    json_out_key(&j, "rows");
    json_out_array(&j, JSON_OUT_LINES);
    for (size_t i = 0; i < x->rows.n; i++)
        row_object(&j, x, &x->rows.v[i]);
    json_out_end(&j);
    json_out_key(&j, "sections");
    json_out_array(&j, JSON_OUT_LINES);
    for (size_t i = 0; i < x->sections.n; i++)
        section_object(&j, &x->sections.v[i], out);
    json_out_end(&j);
    json_out_end(&j);
    buf_addc(&out->text, '\n');
}
