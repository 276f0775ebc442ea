#include "standalone.h"

void write_opening(FILE *out, const OldsowGame *game) {
    (void)game;
    (void)out;
}
void write_closing(FILE *out, const OldsowGame *game) {
    (void)game;
    (void)out;
}
