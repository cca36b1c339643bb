/* xlsx_sheet: cells with the care that each kind needs.
 * Numbers are doubles only here, at the very last step: an amount is so many units of its smallest decimal, exact below 2^53, divided once;
 * that is the double nearest to the decimal, which prints as the decimal for up to 15 digits. Texts are made valid, and what would be read
 * as an escape (_x0041_) is escaped. */
#include "gputab/render/xlsx_sheet.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gputab/base/utf8.h"

enum { TEXT_MOST = 16000 /* code points; Excel counts 32,767 of UTF-16 */, HOUR_DIGITS = 6, RATIO_DIGITS = 12 };
static const double width_least = 8, width_most = 46, digit_width = 1.02;

/* ---- texts ---- */

static bool is_escape(const char *p, const char *end)
{
    if (end - p < 7 || p[0] != '_' || p[1] != 'x' || p[6] != '_')
        return false;
    for (int i = 2; i < 6; i++)
        if (!isxdigit((unsigned char)p[i]))
            return false;
    return true;
}

static void add_valid(struct buf *b, const char *text)
{
    const char *p = text, *end = text + strlen(text);

    for (size_t n = 0; p < end; n++) {
        const char *from = p;
        uint32_t c = utf8_next(&p, end);

        if (n == TEXT_MOST) {
            buf_adds(b, "\xe2\x80\xa6");
            return;
        }
        if (is_escape(from, end))
            buf_adds(b, "_x005F");
        if (c == 0xfffd || c == 0xfffe || c == 0xffff)
            buf_adds(b, "\xef\xbf\xbd");
        else
            buf_add(b, from, (size_t)(p - from));
    }
}

static void see_width(struct xlsx_sheet *s, lxw_col_t column, double width)
{
    if (column < XLSX_COLUMNS_MOST && width > s->widths[column])
        s->widths[column] = width;
    if (column >= s->columns)
        s->columns = (lxw_col_t)(column + 1);
}

/* What may reach over the cells at its right has no say in the width. */
static bool reaches_over(enum xlsx_face face)
{
    static const bool over[FACES] = {
        [FACE_TITLE] = true, [FACE_SUBTITLE] = true, [FACE_SECTION] = true, [FACE_NOTE] = true, [FACE_NOTE_BAD] = true, [FACE_LINE] = true,
        [FACE_OVER] = true, [FACE_QUESTION] = true, [FACE_WRAP] = true, [FACE_CODE] = true,
        [FACE_BAND] = true, [FACE_BAND_RIGHT] = true, [FACE_ALARM] = true, [FACE_ALARM_RIGHT] = true,
    };

    return over[face];
}

/* Heads wrap between words. */
static double text_width(enum xlsx_face face, const char *text)
{
    size_t longest = 0;

    if (face != FACE_HEAD && face != FACE_HEAD_RIGHT)
        return (double)utf8_width(span_of(text)) + (face == FACE_INDENT || face == FACE_INDENT_BUCKET ? 2 : 0);
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, " ");

        longest = n > longest ? n : longest;
        p += n;
        p += *p == ' ';
    }
    return (double)longest + 3;                              /* and the button of a filter */
}

static void put_text(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, const char *text)
{
    struct buf *b = &s->book->scratch;
    lxw_format *f = xlsx_format(s->book, face, number);

    buf_clear(b);
    add_valid(b, text);
    if (!reaches_over(face))
        see_width(s, column, text_width(face, buf_str(b)));
    xlsx_try(s->book, worksheet_write_string(s->sheet, row, column, buf_str(b), f));
}

void xlsx_text(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, const char *text)
{
    put_text(s, row, column, face, NUMBER_NONE, text);
}

void xlsx_text_right(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, const char *text)
{
    put_text(s, row, column, face, NUMBER_WORD, text);
}

void xlsx_blank(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face)
{
    xlsx_try(s->book, worksheet_write_blank(s->sheet, row, column, xlsx_format(s->book, face, NUMBER_NONE)));
}

/* ---- numbers ---- */

/* False: more than 15 digits. */
static bool fits(money value, int digits, double *out)
{
    const money most = 1000000000000000;                     /* 10^15 */
    money unit = 1, units;
    double scale = 1;

    for (int i = digits; i < MONEY_DECIMALS; i++)
        unit *= 10;
    for (int i = 0; i < digits; i++)
        scale *= 10;
    units = money_round(value, digits) / unit;
    *out = (double)units / scale;
    return units > -most && units < most;
}

enum unit { UNIT_COUNT, UNIT_MONEY, UNIT_HOURS, UNIT_RATIO };

static const struct {
    enum unit unit;
    int decimals;                  /* shown, unless the unit says it */
    double width;                  /* characters; 0: as many as it takes */
} numbers[NUMBERS] = {
    [NUMBER_MONEY] = {UNIT_MONEY, 0, 0}, [NUMBER_CURRENCY] = {UNIT_MONEY, 0, 0}, [NUMBER_CHANGE] = {UNIT_MONEY, 0, 0},
    [NUMBER_HOURS] = {UNIT_HOURS, 0, 0}, [NUMBER_RATE] = {UNIT_RATIO, 2, 0}, [NUMBER_PRICE] = {UNIT_RATIO, 4, 0},
    [NUMBER_SMALL_PRICE] = {UNIT_RATIO, 6, 0}, [NUMBER_SHARE] = {UNIT_RATIO, 0, 8}, [NUMBER_BUDGET] = {UNIT_RATIO, 0, 9},
    [NUMBER_CHANGE_SHARE] = {UNIT_RATIO, 0, 8}, [NUMBER_GATE] = {UNIT_RATIO, 0, 8}, [NUMBER_DAY] = {UNIT_COUNT, 0, 10},
    [NUMBER_MONTH] = {UNIT_COUNT, 0, 8},
};

static int digits_of(const struct xlsx_book *b, enum xlsx_number number)
{
    const int digits[] = {[UNIT_COUNT] = 0, [UNIT_MONEY] = b->r->digits, [UNIT_HOURS] = HOUR_DIGITS, [UNIT_RATIO] = RATIO_DIGITS};

    return digits[numbers[number].unit];
}

static bool is_money(enum xlsx_number number)
{
    return numbers[number].unit == UNIT_MONEY;
}

static double to_double(struct xlsx_book *b, enum xlsx_number number, money value)
{
    int digits = digits_of(b, number);
    double v;

    while (!fits(value, digits, &v) && digits-- > 0 && !is_money(number))
        ;
    if (is_money(number) && !fits(value, digits_of(b, number), &v))
        xlsx_fail(b, ERR_USAGE, "an amount has more than the 15 digits that a spreadsheet keeps", "csv and json have them all");
    return v;
}

static int decimals_of(const struct xlsx_book *b, enum xlsx_number number)
{
    return is_money(number) ? b->r->digits : number == NUMBER_HOURS ? b->hour_digits : numbers[number].decimals;
}

/* Characters that the number takes, with its commas. */
static double number_width(const struct xlsx_book *b, enum xlsx_face face, enum xlsx_number number, double v)
{
    int whole = 1, decimals = decimals_of(b, number);
    double size = v < 0 ? -v : v;

    if (numbers[number].width > 0)
        return numbers[number].width;
    for (; size >= 10; size /= 10)
        whole++;
    size = whole + (whole - 1) / 3.0 * 0.6 + decimals + (decimals ? 0.5 : 0) + (v < 0 || number == NUMBER_CHANGE)
         + (number == NUMBER_CURRENCY ? 4 : 0);
    return (face == FACE_TILE ? 1.35 : face == FACE_TOTAL || face == FACE_GROUP ? 1.06 : 1) * digit_width * size + 1;
}

static void put_number(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, double v)
{
    see_width(s, column, number_width(s->book, face, number, v));
    xlsx_try(s->book, worksheet_write_number(s->sheet, row, column, v, xlsx_format(s->book, face, number)));
}

void xlsx_number(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, money value)
{
    put_number(s, row, column, face, number, to_double(s->book, number, value));
}

void xlsx_count(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, int64_t n)
{
    put_number(s, row, column, face, NUMBER_COUNT, (double)n);
}

/* Excel counts days from 1899-12-30. */
void xlsx_date(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, time_ms t)
{
    const int day_of_1970 = 25569;

    put_number(s, row, column, face, number, (double)t / (double)TIME_DAY + day_of_1970);
}

static void put_formula(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, money value,
                        const char *formula)
{
    double v = to_double(s->book, number, value);

    see_width(s, column, number_width(s->book, face, number, v));
    xlsx_try(s->book, worksheet_write_formula_num(s->sheet, row, column, formula, xlsx_format(s->book, face, number), v));
}

void xlsx_formula(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, money value,
                  const char *formula, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, formula);
    vsnprintf(text, sizeof text, formula, ap);
    va_end(ap);
    put_formula(s, row, column, face, number, value, text);
}

void xlsx_subtotal(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, lxw_row_t first,
                   lxw_row_t last, money value)
{
    char name[8], text[80];

    xlsx_column(column, name);
    snprintf(text, sizeof text, "=SUBTOTAL(9,%s%u:%s%u)", name, (unsigned)first + 1, name, (unsigned)last + 1);
    put_formula(s, row, column, face, number, value, text);
}

void xlsx_check(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, bool value, const char *formula, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, formula);
    vsnprintf(text, sizeof text, formula, ap);
    va_end(ap);
    see_width(s, column, 9);
    xlsx_try(s->book, worksheet_write_formula_num(s->sheet, row, column, text, xlsx_format(s->book, FACE_CHECK, NUMBER_TRUTH), value));
}

/* ---- the sheet ---- */

const char *xlsx_column(lxw_col_t column, char name[8])
{
    lxw_col_to_name(name, column, LXW_FALSE);
    return name;
}

/* The label, the page, and the run that can be asked for again; & begins a code there. */
static void set_footer(struct xlsx_sheet *s)
{
    const struct report *r = s->book->r;
    struct buf text = {0};

    buf_addf(&text, "&L&8%s", r->draft ? "DRAFT " : "");
    for (const char *p = r->mode; *p; p++)
        buf_addc(&text, (char)toupper((unsigned char)*p));
    buf_addf(&text, "  gputab %s&C&8&A, page &P of &N&R&8run %.64s", r->tool_version, r->run_id);
    xlsx_try(s->book, worksheet_set_footer(s->sheet, buf_str(&text)));
    buf_free(&text);
}

struct xlsx_sheet xlsx_sheet_new(struct xlsx_book *b, const char *name, uint32_t tab)
{
    struct xlsx_sheet s = {.book = b, .name = name, .sheet = workbook_add_worksheet(b->workbook, name)};

    worksheet_gridlines(s.sheet, LXW_HIDE_ALL_GRIDLINES);
    worksheet_set_landscape(s.sheet);
    worksheet_set_paper(s.sheet, 9);                         /* A4 */
    worksheet_set_margins(s.sheet, 0.4, 0.4, 0.5, 0.6);
    worksheet_fit_to_pages(s.sheet, 1, 0);
    worksheet_set_tab_color(s.sheet, tab);
    set_footer(&s);
    return s;
}

static void set_widths(struct xlsx_sheet *s)
{
    for (lxw_col_t c = 0; c < s->columns && c < XLSX_COLUMNS_MOST; c++) {
        double w = s->widths[c] + 1.5;

        w = w < width_least ? width_least : w > width_most ? width_most : w;
        xlsx_try(s->book, worksheet_set_column(s->sheet, c, c, w, NULL));
    }
}

/* No green triangles: an id is a text, and a sum between rows is meant. Ranges may not overlap. */
static void ignore_errors(struct xlsx_sheet *s)
{
    xlsx_try(s->book, worksheet_ignore_errors(s->sheet, LXW_IGNORE_NUMBER_STORED_AS_TEXT, s->has_sums ? "A1:A1048576" : "A1:XFD1048576"));
    if (s->has_sums)
        xlsx_try(s->book, worksheet_ignore_errors(s->sheet, LXW_IGNORE_FORMULA_RANGE, "B1:XFD1048576"));
}

void xlsx_sheet_end(struct xlsx_sheet *s, int head, lxw_col_t keep)
{
    set_widths(s);
    ignore_errors(s);
    if (head < 0)
        return;
    worksheet_freeze_panes(s->sheet, (lxw_row_t)head + 1, keep);
    xlsx_try(s->book, worksheet_repeat_rows(s->sheet, 0, (lxw_row_t)head));
}

void xlsx_add_head(struct buf *b, const char *head, const char *currency)
{
    for (; *head; head++) {
        if (*head == '$')
            buf_adds(b, currency);
        else
            buf_addc(b, *head);
    }
    while (b->n && b->p[b->n - 1] == ' ')                    /* no currency is known of an empty bill */
        b->p[--b->n] = '\0';
}

void xlsx_height(struct xlsx_sheet *s, lxw_row_t row, double points)
{
    xlsx_try(s->book, worksheet_set_row(s->sheet, row, points, NULL));
}

void xlsx_wide(struct xlsx_sheet *s, lxw_col_t column, double characters)
{
    see_width(s, column, characters - 1.5);
}

void xlsx_title(struct xlsx_sheet *s, const char *title, const char *subtitle)
{
    xlsx_height(s, 0, 30);
    xlsx_text(s, 0, 0, FACE_TITLE, title);
    xlsx_text(s, 1, 0, FACE_SUBTITLE, subtitle);
}

void xlsx_add_instants(struct buf *b, struct timespan period)
{
    bool days = time_floor(period.from, TIME_DAY) == period.from && time_floor(period.to, TIME_DAY) == period.to;

    (days ? time_add_date : time_add_text)(b, period.from);
    buf_adds(b, " to ");
    (days ? time_add_date : time_add_text)(b, period.to);
    buf_adds(b, days ? " UTC" : "");
}

void xlsx_add_period(struct buf *b, struct timespan period)
{
    static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                                         "November", "December"};
    struct buf from = {0};
    struct timespan month;

    time_add_text(&from, period.from);
    if (timespan_parse_month((struct span){from.p, 7}, &month) == 0 && month.from == period.from && month.to == period.to)
        buf_addf(b, "%s %.4s", months[(from.p[5] - '0') * 10 + from.p[6] - '0' - 1], from.p);
    else
        xlsx_add_instants(b, period);
    buf_free(&from);
}
