/* SPDX-License-Identifier: MIT
 *
 * What the page's script calls in the program. Everything runs on the page's thread; in a build
 * with threads the simulation has one of its own.
 *
 *     page_start("#canvas")      a renderer for a canvas
 *     page_open("plume")         a scene
 *     page_frame(width, height)  for each frame of the browser: what is new
 *
 * Functions that return a text return "" if all went well, otherwise one line for the user. The
 * text is valid until the next call. Positions are shares of the canvas's width and height from its
 * top left, movements are shares of its height. */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

/* Creates the renderer for the canvas that a CSS selector names. After the context of WebGL was
 * lost and is back, call it again. */
const char *page_start(const char *canvas);

/* Plays a built-in scene. */
const char *page_open(const char *name);
/* Plays the scene of a file's text. name: for messages. */
const char *page_open_text(const char *name, const char *text);

/* Sets a value of the present scene, as --set does: "solver.vorticity=8". */
const char *page_set(const char *assignment);

/* Draws the newest state, if anything has changed. In a build without threads it also simulates. */
const char *page_frame(int width, int height);
void page_redraw(void); /* the next frame is drawn in any case */

/* -- the hand ---------------------------------------------------------------------------------- */

/* Button 0 is the brush, 1 pans and 2 turns the camera. */
void page_press(int button, float x, float y);
void page_move(float x, float y, float dx, float dy);
void page_release(void);
void page_zoom(float notches); /* positive: nearer */

/* Chooses what the brush does: the index in page_tools. Returns "" or why it cannot. */
const char *page_use_tool(int tool);
void page_detonate(void); /* where the brush is */
void page_pause(int on);
void page_restart(void);

/* -- words ------------------------------------------------------------------------------------- */

const char *page_figures(void); /* the line of figures */
const char *page_scenes(void);  /* a line for each scene: name, tab, title */
const char *page_tools(void);   /* a line for each tool: its name; the present one begins with * */

/* A line for each key of the scene that a control can show, with tabs between path, type (number,
 * whole, switch, word or color), least and largest value, unit, meaning, words with | between them,
 * and value. */
const char *page_keys(void);
/* A line for each value that differs from the scene as it was opened, and for those of the camera,
 * as page_set takes it. */
const char *page_changes(void);

/* The state_hash of a scene after some steps on a grid, for comparison with the program's. threads:
 * of a step; 0: as many as suit the machine. */
const char *page_hash(const char *name, int grid, int steps, int threads);

#endif
