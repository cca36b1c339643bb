/* rule_block: capacity_blocks, a list of blocks of instances that one fee paid for.
 *
 * Which hours a block paid is known by type, region and time, so blocks that these do not tell apart must name their instances.
 * This module spreads nothing: core/capacity_block does. */
#include "gputab/source/rule_block.h"

#include <string.h>

#include "gputab/source/rule_owner.h"

#define FEE_MAX ((money)1000000000 * MONEY_ONE)

static int read_count(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    int64_t n = 0;

    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    for (const char *p = value->text; *p; p++) {
        if (*p < '0' || *p > '9' || n > RULE_BLOCK_COUNT_MAX)
            return yaml_fail(b, value, "count must be a number from 1 to %d, not \"%s\"", RULE_BLOCK_COUNT_MAX, yaml_show(value->text).s);
        n = 10 * n + (*p - '0');
    }
    if (n < 1 || n > RULE_BLOCK_COUNT_MAX)
        return yaml_fail(b, value, "count must be a number from 1 to %d, not \"%s\"", RULE_BLOCK_COUNT_MAX, yaml_show(value->text).s);
    *(int64_t *)target = n;
    return 0;
}

static int read_fee(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    money fee;

    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (money_parse(span_of(value->text), &fee, NULL) < 0 || fee <= 0 || fee > FEE_MAX)
        return yaml_fail(b, value, "fee must be an amount of more than 0 such as \"12345.60\", not \"%s\"", yaml_show(value->text).s);
    *(money *)target = fee;
    return 0;
}

static const struct yaml_key keys[] = {
    { "instance_type", rule_read_text, offsetof(struct rule_block, type), NULL },
    { "region", rule_read_text, offsetof(struct rule_block, region), NULL },
    { "instances", rule_read_globs, offsetof(struct rule_block, instances), NULL },
    { "count", read_count, offsetof(struct rule_block, count), NULL },
    { "from", rule_read_time, offsetof(struct rule_block, from), NULL },
    { "until", rule_read_time, offsetof(struct rule_block, until), NULL },
    { "fee", read_fee, offsetof(struct rule_block, fee), NULL },
};
static const struct yaml_schema schema = YAML_SCHEMA(keys);

static int need(struct yaml_binder *b, const struct yaml_node *item)
{
    static const char *const needed[] = { "instance_type", "count", "from", "until" };

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!yaml_get(item, needed[i]))
            return yaml_fail(b, item, "a capacity block needs %s", needed[i]);
    return 0;
}

static bool may_share(const struct rule_block *a, const struct rule_block *b)
{
    if (a->from >= b->until || b->from >= a->until || !span_eq_fold(span_of(a->type), b->type))
        return false;
    if (a->region && b->region && strcmp(a->region, b->region) != 0)
        return false;
    return !a->instances || !b->instances;
}

static int read_block(struct yaml_binder *b, const struct yaml_node *item)
{
    struct rule *r = &((struct rule_draft *)b->owner)->rule;
    struct rule_block block = { .line = item->line };

    if (yaml_bind(b, item, &schema, &block) < 0 || need(b, item) < 0)
        return -1;
    if (block.from >= block.until)
        return yaml_fail(b, item, "the block ends no later than it starts");
    if (r->blocks.n == RULE_BLOCKS_MAX)
        return yaml_fail(b, item, "there are more than %d capacity blocks", RULE_BLOCKS_MAX);
    for (size_t i = 0; i < r->blocks.n; i++)
        if (may_share(&r->blocks.v[i], &block)) {
            yaml_fail(b, item, "the block of line %lld has the same type and a part of the same time", (long long)r->blocks.v[i].line);
            return err_hint(b->e, "instances: [i-0abc, ...] in both says which of them each has paid for");
        }
    vec_push(&r->blocks, block);
    return 0;
}

int rule_read_blocks(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, value, read_block);
}
