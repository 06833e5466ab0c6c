/* SPDX-License-Identifier: MIT
 *
 * What the page's script calls in the program. Everything runs on the page's thread; in a page
 * with threads the simulation has one of its own.
 *
 *     page_start("#canvas", 0)   a renderer for a canvas
 *     page_open("plume")         a scene
 *     page_frame(width, height)  for each frame of the browser: what is new
 *
 * Functions that return a text return "" if all went well, otherwise one line for the user. The
 * text is valid until the next call. Positions are shares of the canvas's width and height from its
 * top left, movements are shares of its shorter side. */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

/* Creates the renderer for the canvas that a CSS selector names. transparent: without sky and
 * ground, so that the page is seen behind the smoke. After the context of WebGL was lost (page_end)
 * and is back, call it again. */
const char *page_start(const char *canvas, int transparent);

/* Frees what the picture has on the graphics card, after which only page_start may be called: when
 * the context of WebGL is lost, and at the end. */
void page_end(void);

/* Plays a built-in scene, or a file in the program's memory: a scene, a checkpoint or a recording.
 */
const char *page_open(const char *name);
/* Takes a file in the program's memory that was dropped at a place: a mesh joins the scene as a
 * solid, a panorama lights it, and others are opened. */
const char *page_drop(const char *name, float x, float y);
/* Writes the present scene to a file in the program's memory. Fails if the scene needs others. */
const char *page_write(const char *name);

/* Starts the scene again on its present grid, and records the strokes of the hand until
 * page_record_end, or until another scene plays. */
const char *page_record(void);
void page_record_end(void);
/* Whether strokes are recorded: 1 yes, 0 no, -1 no more: then page_write_record can be called. */
int page_recording(void);
/* Writes the recording to a file in the program's memory, for page_open. */
const char *page_write_record(const char *name);

/* Name of the scene, or of its file, that plays or comes next. */
const char *page_scene(void);
/* Number of simulations that have started so far. */
int page_openings(void);

/* Sets a value of the present scene, as --set does: "solver.vorticity=8". */
const char *page_set(const char *assignment);

/* Goes on with the session and with a change of the scene. In a page without threads it also
 * simulates. page_frame does it first; a page that nobody sees gets no frames. */
const char *page_service(void);
/* Draws the newest state, if anything has changed and the last picture is complete. */
const char *page_frame(int width, int height);
/* Most pixels that the canvas should have. */
double page_pixels(void);
/* Whether the last picture is complete. Ask often after a frame: the time until then decides the
 * resolution of the next ones. */
int page_drawn(void);
void page_redraw(void); /* the next frame is drawn in any case */

/* -- sound ------------------------------------------------------------------------------------- */

/* Lets the simulation be heard from now on, and be silent again. */
const char *page_hear(int on);
/* Makes the next frames of sound, 48,000 a second and at most PAGE_SOUND at a time: left and right
 * samples in turn. */
#define PAGE_SOUND 4096
const float *page_sound(int frames);

/* -- the hand ---------------------------------------------------------------------------------- */

/* Button 0 is the brush, 1 pans and 2 turns the camera. */
void page_press(int button, float x, float y);
void page_move(float x, float y, float dx, float dy);
void page_release(void);
void page_unpoint(void); /* the pointer is no more over the canvas */
/* Zooms, positive: nearer. During a stroke, moves the brush or the solid away instead. */
void page_wheel(float notches);

/* Chooses what the brush does: the index in page_tools. Returns "" or why it cannot. */
const char *page_use_tool(int tool);
/* Moves on in the lists of tools, sizes, strengths and colours by so many steps. Returns the brush
 * in words. */
const char *page_brush(int tool, int size, int strength, int color);
void page_detonate(void); /* at the pointer, or in the middle before it has come */
void page_pause(int on);
int page_paused(void);
void page_step(void); /* pauses, and takes one step */
/* Multiplies the speed by 2 to this power, within 1/8 to 2. Returns the new speed. */
double page_speed(int doublings);
void page_restart(void);

/* -- others ------------------------------------------------------------------------------------ */

/* Joins the session of the host that the page comes from, at NAME:PORT, instead of opening a scene.
 * name: of the own hand. */
const char *page_join(const char *address, const char *key, const char *name);
/* Whether the page follows a host. */
int page_follows(void);
/* The session; "": there is none. The first line has its stage (joining, shared, alone after it, or
 * failed before its smoke has come), why it has ended, the number of notices so far and the newest
 * of them, with tabs between them. A line for each person follows, with tabs between the name,
 * whether it is the own, the linear red, green and blue, the delay of a message to the host and
 * back, ms, the steps behind the host, and the place of the pointer where it is in the picture. */
const char *page_session(void);

/* -- words ------------------------------------------------------------------------------------- */

const char *page_figures(void); /* the line of figures */
const char *page_scenes(void);  /* a line for each scene: name, tab, title */
const char *page_tools(void);   /* a line for each tool: its name; the present one begins with * */

/* A line for each value of the scene, its lists, the brush and the detonation that a control can
 * show, with tabs between path, type (number, whole, switch, word, color or numbers), least and
 * largest value, unit, meaning, words with | between them, value, and title: what people read in
 * place of the path's part before its first point, such as the name of an emitter; empty: that
 * part. page_first_keys: those that matter first. page_keys: those with all these words in their
 * path, title or meaning; "": all. */
const char *page_first_keys(void);
const char *page_keys(const char *words);
/* A line for each value that differs from the scene as it was opened, as page_set takes it. The
 * last line is the number of differences that page_set cannot make. */
const char *page_changes(void);

/* -- for comparison with the program ----------------------------------------------------------- */

/* The state_hash of a scene after some steps on a grid, as `billow sim` prints it. threads: of a
 * step; 0: as many as suit the machine. */
const char *page_hash(const char *name, int grid, int steps, int threads);
/* Draws that state into the canvas as `billow render --quality draft` does. The page must not call
 * page_frame any more. */
const char *page_picture(const char *name, int grid, int steps, int width, int height);

/* -- `billow verify` ---------------------------------------------------------------------------
 *
 * The quick cases of flows. The cases of light need a context of OpenGL without a page and stay
 * with the program. */

/* Runs the cases on a thread. Returns 0 in a page without threads: then call page_verify_case for
 * 0, 1, ... until it returns 0. */
int page_verify_start(void);
int page_verify_case(int index);
/* The results so far, a line for each row, with tabs between case, quantity, measured value,
 * reference, error, tolerance and verdict. An empty line is the end. */
const char *page_verify_results(void);

#endif
