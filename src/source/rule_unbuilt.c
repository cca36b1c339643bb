/* rule_unbuilt: keys that this version checks and then refuses by name.
 *
 * A rule is an agreement between people: a key that the program took without doing what it says would make every number after it
 * doubtful. So each of them has its full schema here, values are checked like any others, and what would change a number is
 * noted. When one is built its table moves to a module of its own, with a target. */
#include "gputab/source/rule_unbuilt.h"

/* --- privacy --- */

int rule_read_privacy(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const char *const names[] = { "keep", "hash", "drop", NULL };
    static const struct rule_choices choices = { "privacy of pods:", names, 0, 1 };
    static const struct yaml_key keys[] = { { "pods", rule_read_choice, 0, &choices } };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    unsigned index;

    (void)target;
    (void)unused;
    return yaml_bind(b, value, &schema, &index);
}
