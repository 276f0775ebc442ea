// A region allocator: everything made for one program is freed in one call.
//
// Owner: whoever called arena_new. Memory handed out is zeroed, aligned for any object,
// and lives until arena_free. No allocation here ever returns NULL: when the budget is
// spent or the system refuses, the arena jumps to `oom`, which its owner must have set.
#ifndef OLDSOW_ARENA_H
#define OLDSOW_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

// A new arena that hands out at most `budget` bytes; NULL when the system has no memory.
Arena *arena_new(size_t budget);
void arena_free(Arena *a);
// An arena for what is soon done with: it shares the names, the budget and the way out of `of`, which must be no branch
// itself, and is freed with it at the latest.
Arena *arena_branch(Arena *of);

// Where to go when memory runs out. The owner calls setjmp on it before the first allocation.
jmp_buf *arena_oom(Arena *a);

// Hands out `size` bytes more than it was to: for telling that it ran out.
void arena_extend(Arena *a, size_t size);

void *arena_alloc(Arena *a, size_t size);
void *arena_array(Arena *a, size_t count, size_t size); // count * size, checked for overflow
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *format, va_list args);

// Equal strings give equal pointers, so that names are compared by address.
const char *arena_intern(Arena *a, const char *s, size_t n);
const char *arena_intern_str(Arena *a, const char *s);

// A growable array in an arena: VEC(int) v = {0}; vec_push(arena, &v, 3); v.at[0]; v.n.
// Growing moves the elements: keep indices, never pointers into it.
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        size_t n, cap;                                                                             \
    }
#define vec_push(arena, v, ...)                                                                    \
    (arena_grow((arena), (void **)&(v)->at, &(v)->cap, (v)->n + 1, sizeof *(v)->at),               \
     (v)->at[(v)->n++] = (__VA_ARGS__))
void arena_grow(Arena *a, void **at, size_t *cap, size_t need, size_t size);

#endif
