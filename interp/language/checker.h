// The checker's own: shared by check.c and check_*.c. The way in from elsewhere is check.h.
//
// Each check_X annotates the node, reports what is wrong with it once, and gives its type: T_ERROR after a report.
#ifndef OLDSOW_CHECKER_H
#define OLDSOW_CHECKER_H

#include "check.h"

// Whether a form's value is used or what it does.
typedef enum Want { WANT_VALUE, WANT_DONE } Want;

const char *text_of(World *w, const Node *n);
const char *wanted_text(const char *wanted); // "site" -> "a site"
Type fail(Node *n);
Type no_value(World *w, Node *n);
// Whether the form is a decision, which gives no value: known before it is checked.
bool statement_for_value(const Node *n);
Type shape(World *w, Node *n, const Node *at, const char *why);
// Was the same said of another place? Then it is one mistake, most likely where the thing is declared.
bool told_elsewhere(World *w, DiagCode code, const char *message, const Node *n);
// `opponent` where there is not one: told once.
Type no_opponent(World *w, Node *n);
// Was it told of another use of the name that what it is given (T_NOTHING: anything) does not fit? This one is added.
bool misfit_again(World *w, const Symbol *s, Type given, const Node *n);
void note_misfit(World *w, Symbol *s, Type given, int d);
bool meant_otherwise(World *w, const Node *n);
bool told_of_argument(const World *w, const Node *n);
// vars.c: is it a variable of which no type is said, used as something else than a number? Told of where it is declared.
bool lacks_type(World *w, const Node *n, Type wanted);
// It is asked whether it is there: if it is such a variable, that is told, of whatever type it was meant to be.
bool may_lack_type(World *w, const Node *n);
bool fits(World *w, Node *n, const char *wanted, const char *who);
// check_mends.c: what makes the wanted of what is there.
void mend_type(World *w, int d, const Node *n, const char *wanted, const char *who);
Type for_as_list(World *w, Node *n);
Type check_name(World *w, Node *n);
// The same name but for small and great letters, or look-alikes, as the mend of report d.
bool respelt(World *w, int d, const char *name, bool ludeme_wanted);
// A key that lacks its colon, in the same way.
bool mend_colon(World *w, int d, const Node *n);
// A set of words that the game does not have: told of together. False if there are none, or one.
bool invented_words(World *w, Node *set);
Type unknown_name(World *w, Node *n);
void unknown_word(World *w, const Node *at, const char *name);
Type unknown_ludeme(World *w, Node *n);
// Tells of the head of a list if it can be nothing, whatever the board and the players are.
void unknown_head(World *w, Node *n);
bool word_possible(World *w, const Node *set, const Node *word);
const char *usage(World *w, LudemeId id);
// Of a form that takes nothing, and is given `kid`: (mover man) for (man mover).
void mend_whose(World *w, int d, const Node *n, const Node *kid, LudemeId id);
Type check_call(World *w, Node *n, LudemeId id);
Type element_type(Type t);
bool comparable(Type a, Type b);
// The type a ludeme's result is given as in ludemes.def; T_ERROR: it depends on the arguments.
Type type_named(const char *name);
// Whether the value may be a track that is made in the rules. What depends on a variable is worked out beforehand for
// all tracks that are declared, and for no others.
bool is_made_track(const World *w, const Node *n);
// Tells that such a one cannot be kept by that name.
Type made_track(World *w, Node *n, const Node *value, const char *name);
Type check_let(World *w, Node *n);
Type check_set_form(World *w, Node *n, bool all);
Type check_if(World *w, Node *n, Want want);
void check_statement(World *w, Node *n);
uint8_t effect_of_kids(const Node *n);
void check_body(World *w, Node *n, uint32_t from, const char *who);
Type check_do(World *w, Node *n, Want want);
bool known_keys(World *w, Node *n, const char *const *keys, size_t nkeys);
Type check_while(World *w, Node *n);
Type check_repeat(World *w, Node *n);
Type check_turns(World *w, Node *n);
Type check_choose(World *w, Node *n, bool in_either);
Type check_either(World *w, Node *n);
Type check_for(World *w, Node *n);
Type check_quantifier(World *w, Node *n, LudemeId id);
Type check_sow(World *w, Node *n);
Type check_throw(World *w, Node *n);
Type check_would(World *w, Node *n);
Type check_moving(World *w, Node *n, LudemeId id);
Type check(World *w, Node *n, Want want);

Type check_list(World *w, Node *n, Want want);

// check_order.c
// A use of a definition: if it is all well with two of its arguments exchanged, that is what is reported.
Type check_use(World *w, Node *n, Want want, int use);
// The type that a form will be found to have, as far as that can be told before it is checked; else T_ERROR.
Type foresee(const World *w, const Node *n);
// If kid `test`, which is to be a truth, and kid `next` have changed places: reports it, and puts them back.
void order_condition(World *w, Node *n, uint32_t test, uint32_t next);
// The same for what is set and its value, for the player of a (turn-of ...) and what is done, for how many pieces and of which kind.
void order_set(World *w, Node *n);
void order_turn_of(World *w, Node *n, uint32_t player, uint32_t next);
void order_amount(World *w, Node *n, uint32_t amount, uint32_t kind);
// The same for the first argument, of the type `plain`, and what follows `key:`, of the type `keyed`.
void order_value(World *w, Node *n, const char *plain, const char *key, const char *keyed);

#endif
