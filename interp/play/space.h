// The positions a game can reach, each kept once, and the way each was first reached.
//
// Positions are compared as whole vectors, never by hash alone. A Space holds no states: a Walker
// plays its way from position to position along the tree of first ways, so that going through
// positions in the order in which they were found costs little more than playing each once. Owner:
// a Space owns its positions, a Walker its states; the Space must outlive the Walker, the game
// both.
#ifndef OLDSOW_SPACE_H
#define OLDSOW_SPACE_H

#include "../oldsow.h"

typedef struct SpaceNode {
    uint32_t parent;   // the position it was first reached from; of the first position, itself
    uint32_t via : 31; // by which candidate
    uint32_t leaf : 1; // the game is over there
    uint32_t depth;    // in plies
} SpaceNode;

typedef struct SpaceSlot {
    uint32_t node; // + 1; 0: free
    uint32_t tag;  // the upper half of the vector's hash
} SpaceSlot;

typedef struct Space {
    size_t bytes; // of a vector
    uint32_t count;
    uint64_t limit;            // positions kept at most
    size_t memory, memory_cap; // bytes taken, and at most
    unsigned char **chunks;    // SPACE_CHUNK positions each: first their nodes, then their vectors
    size_t nchunks, chunks_cap;
    SpaceSlot *slots; // open addressing
    size_t nslots;    // a power of two
} Space;

enum { SPACE_CHUNK = 4096 };

typedef enum SpaceAdd {
    SPACE_NEW,
    SPACE_KNOWN,
    SPACE_FULL, // there are `limit` positions
    SPACE_NO_MEMORY,
} SpaceAdd;

// memory_cap counts what the space and its walkers take.
void space_init(Space *space, const OldsowGame *game, uint64_t limit, size_t memory_cap);
void space_free(Space *space);
// Keeps the position of `state`; *node is its number, counted from 0 in the order of finding.
SpaceAdd space_add(Space *space, const OldsowState *state, uint32_t parent, uint32_t via,
                   uint32_t *node);
SpaceNode space_node(const Space *space, uint32_t node);
// Accounts for memory taken elsewhere on the space's behalf. False if that is over the cap.
bool space_charge(Space *space, size_t bytes);
size_t space_memory_default(void); // 2 GiB, or half of the machine's memory if that is less

typedef struct Walker {
    Space *space;
    OldsowState **states; // states[d] is the position path[d]
    uint32_t *path;
    size_t at;   // depth of the position stood on
    size_t made; // states there are
    size_t cap;
} Walker;

// `start` is the space's first position. False if there is no memory.
bool walker_init(Walker *walker, Space *space, const OldsowState *start);
void walker_free(Walker *walker);
// The state of a position, until the next step; NULL if there is no memory.
const OldsowState *walker_go(Walker *walker, uint32_t node);

#endif
