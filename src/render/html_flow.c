/* html_flow: where the money went, as bands: from the bill to the three pieces of the nodes, and from these to teams and buckets.
 * All heights are of one scale. What is too small to bear its name gets room for it beside its band, so the right side is higher than the
 * others, which stand at its middle. Amounts below zero cannot be drawn: the section says so. */
#include <string.h>

#include "gputab/render/html.h"

enum {
    TEAMS_SHOWN = 10,
    FLOW = 340,                    /* pixels that all of the money takes */
    GAP = 8, SLOT = 22,            /* between nodes; what a name needs */
    PIECE_GAP = 18, TOP = 26,
    NODE_WIDTH = 12,
    AT_BILL = 0, AT_PIECES = 34000, AT_ENDS = 66000,         /* of the width */
    NAME_WIDTH = 22, CENT = 100    /* hundredths of a pixel */
};

struct flow_node {
    char *name;                    /* owned; NULL for pieces */
    const char *class;
    money piece[PIECES];
    money total;
    int y, height;                 /* hundredths of a pixel */
    int used;                      /* of the height, by the bands that end here */
};

struct flow {
    VEC(struct flow_node) ends;
    struct flow_node bill, pieces[PIECES];
    int height;                    /* pixels of the chart */
    bool negative;
};

static const char *const piece_classes[PIECES] = {"gpu", "cpu", "memory"};
static const char *const piece_words[PIECES] = {"GPU", "CPU", "memory"};

/* ---- amounts ---- */

static void add_amounts(struct flow *flow, struct flow_node *node, const struct figures *f)
{
    static const enum figure figures[PIECES] = {FIGURE_GPU, FIGURE_CPU, FIGURE_MEMORY};

    for (int p = 0; p < PIECES; p++) {
        money amount = f->v[figures[p]];

        flow->negative |= amount < 0;
        if (amount <= 0)
            continue;
        node->piece[p] += amount;
        node->total += amount;
        flow->pieces[p].total += amount;
        flow->bill.total += amount;
    }
}

static void add_end(struct flow *flow, const char *name, const char *class, const struct figures *f)
{
    vec_push(&flow->ends, (struct flow_node){.name = xstrdup(name), .class = class});
    add_amounts(flow, &flow->ends.v[flow->ends.n - 1], f);
}

static void fill(const struct html_owners *o, struct flow *flow)
{
    size_t shown = o->n_teams <= TEAMS_SHOWN + 1 ? o->n_teams : TEAMS_SHOWN;
    struct figures others = {.estimated = false};
    struct buf name = {0};

    for (size_t i = 0; i < o->v.n; i++) {
        const struct html_owner *owner = &o->v.v[i];

        if (i >= shown && !owner->bucket)
            figures_add(&others, &owner->f);
        if (i + 1 == o->n_teams && shown < o->n_teams) {
            buf_addf(&name, "%zu more teams", o->n_teams - shown);
            add_end(flow, buf_str(&name), "others", &others);
        } else if ((i < shown || owner->bucket) && owner->f.v[FIGURE_TOTAL] != 0) {
            add_end(flow, owner->name, owner->bucket ? "bucket-node" : "team", &owner->f);
        }
    }
    buf_free(&name);
}

/* ---- places ---- */

static int scaled(const struct flow *flow, money amount)
{
    return flow->bill.total > 0 && amount > 0 ? (int)money_mul_div(amount, FLOW * CENT, (weight)flow->bill.total) : 0;
}

/* One below the other. Returns where they end. */
static int place_ends(struct flow *flow)
{
    int y = TOP * CENT;

    for (size_t i = 0; i < flow->ends.n; i++) {
        struct flow_node *n = &flow->ends.v[i];
        int slot;

        n->height = scaled(flow, n->total);
        slot = n->height < SLOT * CENT ? SLOT * CENT : n->height;
        n->y = y + (slot - n->height) / 2;
        y += slot + GAP * CENT;
    }
    return y - GAP * CENT;
}

/* Where something of that height begins to have its middle at that of the ends; never above them. */
static int centred(int height, int end)
{
    int y = TOP * CENT + (end - TOP * CENT - height) / 2;

    return y < TOP * CENT ? TOP * CENT : y;
}

static int place_pieces(struct flow *flow, int end)
{
    int height = -PIECE_GAP * CENT, y;

    for (int p = 0; p < PIECES; p++) {
        flow->pieces[p].height = scaled(flow, flow->pieces[p].total);
        height += flow->pieces[p].height ? flow->pieces[p].height + PIECE_GAP * CENT : 0;
    }
    y = centred(height, end);
    for (int p = 0; p < PIECES; p++) {
        flow->pieces[p].y = y;
        y += flow->pieces[p].height ? flow->pieces[p].height + PIECE_GAP * CENT : 0;
    }
    return y - PIECE_GAP * CENT;
}

static void place(struct flow *flow)
{
    int end = place_ends(flow), end_of_pieces = place_pieces(flow, end);

    flow->bill.height = scaled(flow, flow->bill.total);
    flow->bill.y = centred(flow->bill.height, end);
    flow->height = (end_of_pieces > end ? end_of_pieces : end) / CENT + 2 * GAP;
}

/* ---- drawing ---- */

static void add_tip(struct html *h, struct buf *tip, const char *from, const char *to, money amount)
{
    buf_clear(tip);
    buf_addf(tip, "%s \xe2\x86\x92 %s: ", from, to);
    figure_add_amount(tip, amount, h->r->digits);
    buf_adds(tip, ", ");
    html_add_share(tip, amount, h->r->totals.billed, 1);
}

static void draw_bands(struct html *h, struct flow *flow)
{
    struct buf tip = {0};
    int from_bill = flow->bill.y;

    for (int p = 0; p < PIECES; p++) {
        struct flow_node *piece = &flow->pieces[p];
        int left = piece->y;

        add_tip(h, &tip, "bill", piece_words[p], piece->total);
        svg_band(h->b, piece_classes[p], (struct svg_band){AT_BILL, AT_PIECES, from_bill, piece->y, piece->height}, flow->height,
                 buf_str(&tip));
        from_bill += piece->height;
        for (size_t i = 0; i < flow->ends.n; i++) {
            struct flow_node *end = &flow->ends.v[i];
            int height = scaled(flow, end->piece[p]);

            add_tip(h, &tip, piece_words[p], end->name, end->piece[p]);
            svg_band(h->b, piece_classes[p], (struct svg_band){AT_PIECES, AT_ENDS - AT_PIECES, left, end->y + end->used, height},
                     flow->height, buf_str(&tip));
            left += height;
            end->used += height;
        }
        buf_addc(h->b, '\n');
    }
    buf_free(&tip);
}

/* A node is a bar of fixed width at a place along the width: a percentage, and pixels from there. */
static void draw_node(struct html *h, const struct flow_node *n, const char *class, int at)
{
    int height = n->height < CENT ? CENT : n->height;

    buf_addf(h->b, "<rect class=\"%s\" x=\"%d.%03d%%\" y=\"%d.%02d\" width=\"%d\" height=\"%d.%02d\" rx=\"2\"/>", class, at / 1000,
             at % 1000, n->y / CENT, n->y % CENT, NODE_WIDTH, height / CENT, height % CENT);
}

static void draw_text(struct html *h, const char *class, int at, int y, const char *name, money amount)
{
    struct buf text = {0};

    buf_addf(h->b, "<text class=\"%s\" x=\"%d.%03d%%\" dx=\"%d\" y=\"%d\">", class, at / 1000, at % 1000, NODE_WIDTH + 7, y);
    markup_add_cut(h->b, name, NAME_WIDTH);
    figure_add_amount(&text, amount, h->r->digits);
    buf_addf(h->b, "<tspan class=\"amount wide\"> %s</tspan><title>", buf_str(&text));
    markup_text(h->b, name);
    buf_addf(h->b, " %s</title></text>\n", buf_str(&text));
    buf_free(&text);
}

static int middle(const struct flow_node *n)
{
    return (n->y + n->height / 2) / CENT + 4;
}

static void draw_nodes(struct html *h, const struct flow *flow)
{
    draw_node(h, &flow->bill, "bill", AT_BILL);
    for (int p = 0; p < PIECES; p++)
        if (flow->pieces[p].total > 0)
            draw_node(h, &flow->pieces[p], piece_classes[p], AT_PIECES);
    for (size_t i = 0; i < flow->ends.n; i++)
        draw_node(h, &flow->ends.v[i], flow->ends.v[i].class, AT_ENDS);
    draw_text(h, "name halo", AT_BILL, middle(&flow->bill), "bill", flow->bill.total);
    for (int p = 0; p < PIECES; p++)
        if (flow->pieces[p].total > 0)
            draw_text(h, "name halo", AT_PIECES, middle(&flow->pieces[p]), piece_words[p], flow->pieces[p].total);
    for (size_t i = 0; i < flow->ends.n; i++) {
        const struct flow_node *end = &flow->ends.v[i];

        draw_text(h, strcmp(end->class, "team") == 0 ? "name" : "name muted", AT_ENDS, middle(end), end->name, end->total);
    }
}

static void add_description(struct html *h, const struct flow *flow, struct buf *b)
{
    buf_adds(b, "From the bill ");
    figure_add_amount(b, flow->bill.total, h->r->digits);
    for (int p = 0; p < PIECES; p++) {
        buf_addf(b, "%s%s ", p ? ", " : " to ", piece_words[p]);
        figure_add_amount(b, flow->pieces[p].total, h->r->digits);
    }
    buf_adds(b, "; from these to ");
    for (size_t i = 0; i < flow->ends.n; i++) {
        buf_addf(b, "%s%s ", i ? ", " : "", flow->ends.v[i].name);
        figure_add_amount(b, flow->ends.v[i].total, h->r->digits);
    }
    buf_addc(b, '.');
}

static void draw(struct html *h, struct flow *flow)
{
    struct buf description = {0};

    place(flow);
    add_description(h, flow, &description);
    buf_adds(h->b, "<figure class=\"flow\">\n");
    svg_begin(h->b, "chart-flow", flow->height, "Where the money went", buf_str(&description));
    buf_adds(h->b, "<text class=\"axis\" x=\"0\" y=\"12\">Bill</text>");
    svg_text(h->b, "axis", AT_PIECES, 0, 12, SVG_START, "Piece");
    svg_text(h->b, "axis", AT_ENDS, 0, 12, SVG_START, "Who, or what for");
    buf_addc(h->b, '\n');
    draw_bands(h, flow);
    draw_nodes(h, flow);
    svg_end(h->b);
    if (flow->negative)
        buf_adds(h->b, "<p class=\"note\">Amounts below zero are in the tables and in no band.</p>\n");
    buf_adds(h->b, "</figure>\n");
    buf_free(&description);
}

void html_flow(struct html *h)
{
    struct flow flow = {.negative = false};

    fill(&h->owners, &flow);
    html_section(h, "flow", "Where the money went", "Each band is as high as its amount: from the bill to the pieces of its nodes, "
                 "to teams and to what no team is charged for.");
    draw(h, &flow);
    html_section_end(h);
    for (size_t i = 0; i < flow.ends.n; i++)
        free(flow.ends.v[i].name);
    vec_free(&flow.ends);
}

bool html_flow_there(const struct html *h)
{
    return h->owners.teams.v[FIGURE_TOTAL] + h->owners.buckets.v[FIGURE_TOTAL] > 0;
}
