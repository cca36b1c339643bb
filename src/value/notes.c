/* notes: the end of a report's notes, and what several readers of them count. */
#include "gputab/value/notes.h"

size_t notes_gates_passed(const struct notes *n)
{
    size_t passed = 0;

    for (size_t i = 0; i < n->gates.n; i++)
        passed += n->gates.v[i].passed;
    return passed;
}

void notes_free(struct notes *n)
{
    vec_free(&n->gates);
    vec_free(&n->budgets);
    vec_free(&n->previous.teams);
    vec_free(&n->unmapped);
    arena_free(&n->strings);
}
