// Loading a game that must load.
#ifndef OLDSOW_TEST_LOADING_H
#define OLDSOW_TEST_LOADING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "interp/oldsow.h"

static inline OldsowGame *load_file(const char *path) {
    OldsowReport *report;
    OldsowGame *game = oldsow_load(path, NULL, &report);
    oldsow_report_free(report);
    assert_non_null(game);
    return game;
}

#endif
