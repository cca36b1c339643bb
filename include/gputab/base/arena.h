/* arena: many small blocks with one end of life. Blocks are aligned to 16 bytes and never move. `struct arena a = {0};` is ready. */
#ifndef GPUTAB_BASE_ARENA_H
#define GPUTAB_BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *head;
};

void *arena_alloc(struct arena *a, size_t size);             /* not zeroed */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);
void arena_join(struct arena *a, struct arena *other);       /* a's are other's blocks too; other is empty and ready */
void arena_free(struct arena *a);                            /* all blocks; a is empty and ready again */

#endif
