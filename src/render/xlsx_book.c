/* xlsx_book: opens and ends a workbook, and knows its looks: two tables, faces and numbers, and the formats that are their product.
 * The library writes to a path; /dev/fd/N is the one of a file without a name, of which nothing stays behind. It takes no notice when a
 * disk is full, so that what came out is proved (xlsx_proof) before it is handed on.
 * Dates of the file are the period's: a rerun gives the same bytes. */
#include "gputab/render/xlsx_book.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/file.h"
#include "gputab/render/xlsx_proof.h"

/* ---- looks ---- */

enum align { LEFT = LXW_ALIGN_LEFT, RIGHT = LXW_ALIGN_RIGHT, ANY = LXW_ALIGN_NONE };

static const struct look {
    double size;                   /* 0: 10 points */
    bool bold, wrap;
    enum align align;
    uint32_t ink, fill;            /* fill 0: none */
    uint8_t top, bottom;           /* borders */
    uint32_t line;
    int indent;
    const char *font;
} looks[FACES] = {
    [FACE_PLAIN] = {.ink = XLSX_INK, .bottom = LXW_BORDER_HAIR, .line = XLSX_LINE},
    [FACE_BUCKET] = {.ink = XLSX_MUTED, .bottom = LXW_BORDER_HAIR, .line = XLSX_LINE},
    [FACE_INDENT] = {.ink = XLSX_INK, .bottom = LXW_BORDER_HAIR, .line = XLSX_LINE, .indent = 1},
    [FACE_INDENT_BUCKET] = {.ink = XLSX_MUTED, .bottom = LXW_BORDER_HAIR, .line = XLSX_LINE, .indent = 1},
    [FACE_CELL] = {.ink = XLSX_INK},
    [FACE_CELL_BUCKET] = {.ink = XLSX_MUTED},
    [FACE_GROUP] = {.ink = XLSX_NAVY, .bold = true, .fill = XLSX_GROUP, .top = LXW_BORDER_THIN, .line = XLSX_LINE},
    [FACE_TOTAL] = {.ink = XLSX_NAVY, .bold = true, .fill = XLSX_HEAD, .top = LXW_BORDER_THIN, .bottom = LXW_BORDER_MEDIUM,
                    .line = XLSX_NAVY},
    [FACE_HEAD] = {.ink = XLSX_WHITE, .bold = true, .wrap = true, .align = LEFT, .fill = XLSX_NAVY},
    [FACE_HEAD_RIGHT] = {.ink = XLSX_WHITE, .bold = true, .wrap = true, .align = RIGHT, .fill = XLSX_NAVY},
    [FACE_TITLE] = {.ink = XLSX_NAVY, .bold = true, .size = 20},
    [FACE_SUBTITLE] = {.ink = XLSX_MUTED},
    [FACE_SECTION] = {.ink = XLSX_NAVY, .bold = true, .size = 12, .bottom = LXW_BORDER_THIN, .line = XLSX_NAVY},
    [FACE_NOTE] = {.ink = XLSX_MUTED, .size = 9},
    [FACE_NOTE_BAD] = {.ink = XLSX_BAD, .bold = true, .size = 9},
    [FACE_WRAP] = {.ink = XLSX_INK, .wrap = true, .align = LEFT},
    [FACE_CODE] = {.ink = XLSX_INK, .size = 9, .wrap = true, .align = LEFT, .font = "Consolas"},
    [FACE_OVER] = {.ink = XLSX_INK, .align = LEFT},
    [FACE_QUESTION] = {.ink = XLSX_NAVY, .bold = true, .align = LEFT},
    [FACE_LINE] = {.ink = XLSX_INK, .size = 9, .align = LEFT, .fill = XLSX_TILE, .font = "Consolas"},
    [FACE_BAND] = {.ink = XLSX_WHITE, .bold = true, .size = 11, .fill = XLSX_BLUE, .align = LEFT, .indent = 1},
    [FACE_BAND_RIGHT] = {.ink = XLSX_WHITE, .bold = true, .size = 11, .fill = XLSX_BLUE, .align = RIGHT, .indent = 1},
    [FACE_ALARM] = {.ink = XLSX_WHITE, .bold = true, .size = 11, .fill = XLSX_AMBER, .align = LEFT, .indent = 1},
    [FACE_ALARM_RIGHT] = {.ink = XLSX_WHITE, .bold = true, .size = 11, .fill = XLSX_AMBER, .align = RIGHT, .indent = 1},
    [FACE_TILE_LABEL] = {.ink = XLSX_MUTED, .size = 9, .fill = XLSX_TILE, .align = LEFT},
    [FACE_TILE] = {.ink = XLSX_NAVY, .bold = true, .size = 13, .fill = XLSX_TILE, .align = LEFT, .bottom = LXW_BORDER_MEDIUM,
                   .line = XLSX_BLUE},
    [FACE_CHECK] = {.ink = XLSX_INK, .bold = true, .align = RIGHT},
};

/* Zeros are a dash, so that what is not nothing can be seen. */
static void add_decimals(struct buf *b, const char *before, int digits)
{
    for (int half = 0; half < 2; half++) {
        buf_addf(b, "%s%s#,##0", half ? ";-" : "", before);
        for (int i = 0; i < digits; i++)
            buf_adds(b, i ? "0" : ".0");
    }
    buf_adds(b, ";\"\xe2\x80\x93\"");
}

/* The same with the sign of an increase. */
static void add_change(struct buf *b, int digits)
{
    buf_addc(b, '+');
    add_decimals(b, "", digits);
}

/* Where a zero is the good news it is a number. */
static void drop_zero_section(struct buf *t)
{
    while (t->p[--t->n] != ';')
        ;
    t->p[t->n] = '\0';
}

static const char *number_pattern(struct xlsx_book *b, enum xlsx_number number)
{
    struct buf *t = &b->scratch, code = {0};

    buf_clear(t);
    if (b->r->currency[0])
        buf_addf(&code, "[$%s] ", b->r->currency);
    switch (number) {
    case NUMBER_NONE: case NUMBER_WORD: case NUMBERS: break;
    case NUMBER_MONEY: add_decimals(t, "", b->r->digits); break;
    case NUMBER_CURRENCY: add_decimals(t, buf_str(&code), b->r->digits); drop_zero_section(t); break;
    case NUMBER_RATE: add_decimals(t, "", b->r->digits ? b->r->digits : 2); break;
    case NUMBER_HOURS: add_decimals(t, "", b->hour_digits); break;
    case NUMBER_SHARE: buf_adds(t, "0.0%"); break;
    case NUMBER_BUDGET: buf_adds(t, "[>1]\"! \"0.0%;0.0%"); break;
    case NUMBER_CHANGE: add_change(t, b->r->digits); break;
    case NUMBER_CHANGE_SHARE: buf_adds(t, "+0.0%;-0.0%;0.0%"); break;
    case NUMBER_GATE: buf_adds(t, "0.00##########%"); break;
    case NUMBER_SMALL_PRICE: buf_adds(t, "#,##0.00####"); break;
    case NUMBER_PRICE: buf_adds(t, "#,##0.0000"); break;
    case NUMBER_COUNT: buf_adds(t, "#,##0"); break;
    case NUMBER_TRUTH: buf_adds(t, "\"TRUE\";;\"FALSE\""); break;
    case NUMBER_DAY: buf_adds(t, "yyyy-mm-dd"); break;
    case NUMBER_MONTH: buf_adds(t, "mmm yyyy"); break;
    }
    buf_free(&code);
    return buf_str(t);
}

static void set_text(lxw_format *f, const struct look *look)
{
    format_set_font_name(f, look->font ? look->font : "Calibri");
    format_set_font_size(f, look->size ? look->size : 10);
    format_set_font_color(f, look->ink);
    if (look->bold)
        format_set_bold(f);
    if (look->wrap)
        format_set_text_wrap(f);
    if (look->indent)
        format_set_indent(f, (uint8_t)look->indent);
}

static void set_box(lxw_format *f, const struct look *look)
{
    if (look->fill)
        format_set_bg_color(f, look->fill);
    if (look->top) {
        format_set_top(f, look->top);
        format_set_top_color(f, look->line);
    }
    if (look->bottom) {
        format_set_bottom(f, look->bottom);
        format_set_bottom_color(f, look->line);
    }
}

lxw_format *xlsx_format(struct xlsx_book *b, enum xlsx_face face, enum xlsx_number number)
{
    const struct look *look = &looks[face];
    lxw_format *f = b->formats[face][number];

    if (f)
        return f;
    f = b->formats[face][number] = workbook_add_format(b->workbook);
    set_text(f, look);
    set_box(f, look);
    if (number == NUMBER_WORD)
        format_set_align(f, LXW_ALIGN_RIGHT);
    else if (look->align != ANY)
        format_set_align(f, (uint8_t)look->align);
    else if (number == NUMBER_DAY || number == NUMBER_MONTH)
        format_set_align(f, LXW_ALIGN_LEFT);                 /* they are names of rows */
    format_set_align(f, look->wrap && face != FACE_HEAD && face != FACE_HEAD_RIGHT ? LXW_ALIGN_VERTICAL_TOP : LXW_ALIGN_VERTICAL_CENTER);
    if (number != NUMBER_NONE && number != NUMBER_WORD)
        format_set_num_format(f, number_pattern(b, number));
    return f;
}

static lxw_format *verdict(struct xlsx_book *b, bool good)
{
    lxw_format *f = workbook_add_format(b->workbook);

    format_set_font_color(f, good ? XLSX_GOOD : XLSX_BAD);
    format_set_bg_color(f, good ? XLSX_GOOD_FILL : XLSX_BAD_FILL);
    return f;
}

void xlsx_more_than_one_is_bad(struct xlsx_book *b, lxw_worksheet *sheet, lxw_row_t first, lxw_row_t last, lxw_col_t column)
{
    lxw_conditional_format c = {.type = LXW_CONDITIONAL_TYPE_CELL, .criteria = LXW_CONDITIONAL_CRITERIA_GREATER_THAN, .value = 1};

    c.format = verdict(b, false);
    xlsx_try(b, worksheet_conditional_format_range(sheet, first, column, last, column, &c));
}

void xlsx_zero_is_good(struct xlsx_book *b, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column)
{
    lxw_conditional_format c = {.type = LXW_CONDITIONAL_TYPE_CELL, .criteria = LXW_CONDITIONAL_CRITERIA_EQUAL_TO, .value = 0};

    c.format = verdict(b, true);
    xlsx_try(b, worksheet_conditional_format_cell(sheet, row, column, &c));
    c.criteria = LXW_CONDITIONAL_CRITERIA_NOT_EQUAL_TO;
    c.format = verdict(b, false);
    xlsx_try(b, worksheet_conditional_format_cell(sheet, row, column, &c));
}

/* By formula: a program that has not calculated yet sees the number 1, see xlsx_check. */
void xlsx_true_is_good(struct xlsx_book *b, lxw_worksheet *sheet, lxw_row_t first, lxw_row_t last, lxw_col_t column)
{
    lxw_conditional_format c = {.type = LXW_CONDITIONAL_TYPE_FORMULA};
    char name[8], formula[40];

    lxw_col_to_name(name, column, LXW_FALSE);
    for (int good = 0; good < 2; good++) {
        snprintf(formula, sizeof formula, "=%s%u*1=%d", name, (unsigned)first + 1, good);
        c.value_string = formula;
        c.format = verdict(b, good);
        xlsx_try(b, worksheet_conditional_format_range(sheet, first, column, last, column, &c));
    }
}

/* ---- from end to end ---- */

void xlsx_fail(struct xlsx_book *b, enum err_code code, const char *text, const char *hint)
{
    if (b->failed)
        return;
    b->failed = true;
    err_set(&b->err, code, "%s", text);
    if (hint)
        err_hint(&b->err, "%s", hint);
}

void xlsx_try(struct xlsx_book *b, lxw_error rc)
{
    if (rc == LXW_NO_ERROR || b->failed)
        return;
    b->failed = true;
    err_set(&b->err, ERR_INTERNAL, "cannot write the workbook: %s", lxw_strerror(rc));
}

/* As many decimals as the size of the hours deserves, like in the terminal's table. */
static int hour_digits(const struct report *r)
{
    return r->totals.gpu_hours < 10 * MONEY_ONE ? 3 : r->totals.gpu_hours < 1000 * MONEY_ONE ? 2 : 1;
}

static void set_properties(struct xlsx_book *b)
{
    char title[] = "GPU costs", subject[64], company[] = "gputab";
    lxw_doc_properties p = {.title = title, .subject = subject, .author = company, .created = (time_t)(b->r->period.to / TIME_SECOND)};
    struct buf t = {0};

    time_add_text(&t, b->r->period.from);
    buf_adds(&t, " to ");
    time_add_text(&t, b->r->period.to);
    snprintf(subject, sizeof subject, "%s", buf_str(&t));
    xlsx_try(b, workbook_set_properties(b->workbook, &p));
    buf_free(&t);
}

static char *borrowed(const char *text)            /* the library copies it, but does not say so */
{
    union { const char *from; char *to; } u = {text};

    return u.to;
}

int xlsx_book_open(struct xlsx_book *b, const struct report *r, bool large)
{
    lxw_workbook_options options = {.constant_memory = large, .tmpdir = borrowed(file_temp_folder())};
    struct buf path = {0};

    *b = (struct xlsx_book){.r = r, .large = large, .hour_digits = hour_digits(r), .fd = file_nameless()};
    if (b->fd < 0) {
        xlsx_fail(b, ERR_INTERNAL, "cannot make a temporary file for the workbook", "TMPDIR names another folder for it");
        return -1;
    }
    buf_addf(&path, "/dev/fd/%d", b->fd);
    b->workbook = workbook_new_opt(buf_str(&path), &options);
    buf_free(&path);
    if (!b->workbook) {
        xlsx_fail(b, ERR_INTERNAL, "cannot begin a workbook", NULL);
        return -1;
    }
    set_properties(b);
    return 0;
}

static void hand_on(struct xlsx_book *b, struct sink *out)
{
    char piece[1 << 16];
    ssize_t n;

    if (lseek(b->fd, 0, SEEK_SET) < 0)
        xlsx_fail(b, ERR_INTERNAL, "cannot read the workbook back", NULL);
    while (!b->failed && (n = read(b->fd, piece, sizeof piece)) != 0) {
        if (n < 0) {
            xlsx_fail(b, ERR_INTERNAL, "cannot read the workbook back", NULL);
            return;
        }
        buf_add(&out->text, piece, (size_t)n);
        sink_relieve(out);
    }
}

/* The library says on standard error what it also returns; only cli/ speaks to people. */
static lxw_error close_quietly(lxw_workbook *workbook, int *reason)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int heard = nowhere < 0 ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    lxw_error rc;

    if (heard >= 0)
        dup2(nowhere, STDERR_FILENO);
    errno = 0;
    rc = workbook_close(workbook);
    *reason = errno;
    if (heard >= 0) {
        dup2(heard, STDERR_FILENO);
        close(heard);
    }
    if (nowhere >= 0)
        close(nowhere);
    return rc;
}

static void end_workbook(struct xlsx_book *b)
{
    int reason;
    lxw_error rc = close_quietly(b->workbook, &reason);

    if (rc == LXW_NO_ERROR || b->failed)
        return;
    b->failed = true;
    err_set(&b->err, ERR_INTERNAL, "cannot write the workbook: %s", reason ? strerror(reason) : lxw_strerror(rc));
    err_hint(&b->err, "it is made in %s; TMPDIR names another folder", file_temp_folder());
}

void xlsx_book_close(struct xlsx_book *b, struct sink *out)
{
    if (b->workbook)
        end_workbook(b);
    if (!b->failed && xlsx_proof(b->fd, &b->err) < 0)
        b->failed = true;
    if (!b->failed)
        hand_on(b, out);
    if (b->failed && !out->failed) {
        out->failed = true;
        out->err = b->err;
    }
    if (b->fd >= 0)
        close(b->fd);
    buf_free(&b->scratch);
}
