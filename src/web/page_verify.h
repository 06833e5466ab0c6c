/* SPDX-License-Identifier: MIT
 *
 * `billow verify` in the page, which its script calls: the quick cases of flows. The cases of light
 * need a context of OpenGL without a page and stay with the program. */
#ifndef WEB_PAGE_VERIFY_H
#define WEB_PAGE_VERIFY_H

/* Runs the quick cases of `billow verify` on a thread. Returns 0 in a page without threads: then
 * call page_verify_case for 0, 1, ... until it returns 0. */
int page_verify_start(void);
int page_verify_case(int index);
/* The results so far, a line for each row, with tabs between case, quantity, measured value,
 * reference, error, tolerance and verdict. An empty line is the end. */
const char *page_verify_results(void);

#endif
