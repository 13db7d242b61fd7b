/* bitwall: level collision for 2D games. Positions are whole pixels, x to the right, y down; boxes cover x <= p < x + w.
 *
 * Errors. A function that gives a handle, a text or a list returns NULL on an error; the others return a code below 0
 * (below -1 where -1 means "none"). bitwall_error_text() then has the file, the place, the cause and a remedy. A NULL
 * pointer is an error, never a crash. No function exits, prints or throws.
 * Ownership. Who makes a handle frees it, once. Texts and lists belong to bitwall: each is valid until the thread has
 * received eight more, so `printf("%s %s", one(), two())` is right, and what is kept must be copied. The text of an
 * error lies at one address for each thread, and each error writes it anew.
 * Threads. A handle may be read by many threads at once; while a function without `const` on it runs, no other thread
 * may use it.
 * Numbers. A position is any int32_t; a width, height, step or radius is 0 or more; a flag is 0 or 1; a float is finite.
 * Arrays have at least the stated number of elements and the alignment of their type (4 bytes for int32_t), and no two
 * of a call overlap. Misaligned or overlapping ones are errors; one that is too short cannot be seen.
 * Texts end in a zero byte and are UTF-8. Lists as texts have one entry a line. */
#ifndef BITWALL_H
#define BITWALL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
  BITWALL_ARGUMENT = -2, /**< an argument is out of its range */
  BITWALL_LOAD = -3,     /**< a file or its bytes give no level */
  BITWALL_SIZE = -4,     /**< a level would be too large */
  BITWALL_INTERNAL = -5, /**< a fault of bitwall; please report it */
  BITWALL_NULL = -6,     /**< a pointer is NULL */
  BITWALL_MISSING = -7   /**< there is no body or marker of this number */
};

@TYPES@
/** Returns the version, such as 0.1.0. */
const char *bitwall_version(void);

/** Returns the code of the last error of this thread; 0 before the first. */
int32_t bitwall_error_code(void);

/** Returns the last error of this thread as a sentence in UTF-8; empty before the first. */
const char *bitwall_error_text(void);

@FUNCTIONS@
#ifdef __cplusplus
}
#endif
#endif
