/* SPDX-License-Identifier: MIT
 *
 * Smoke in a canvas of any page:
 *
 *     <canvas id="smoke" style="width: 640px; height: 360px"></canvas>
 *     <script src="billow.js"></script>
 *     <script>billow(document.getElementById('smoke'), {scene: 'plume'});</script>
 *
 * billow(canvas, options) returns a promise of a Smoke, or fails with an Error whose message is one
 * line for the user. The canvas has the size that its style gives it. Options:
 *
 *     scene    name of a built-in scene; default 'plume', which also plays in place of a scene that
 *              there is not
 *     set      changes of its values, such as ['solver.vorticity=8', 'camera.azimuth=40']
 *     pointer  whether the pointer acts in the canvas: a drag or a finger adds to the smoke and
 *              pushes it, the right button or two fingers turn the camera, the wheel zooms;
 *              default true
 *     say      function that is called with a line for the user, such as why the picture stopped;
 *              default: the browser's console
 *
 * The files beside this one are the program. Threads need shared memory, which browsers allow to a
 * page that is isolated from others (the headers Cross-Origin-Opener-Policy: same-origin and
 * Cross-Origin-Embedder-Policy: require-corp). Elsewhere the program runs on one thread. */
'use strict';
(function () {
    const folder = new URL('.', document.currentScript.src);
    const NOTCHES = Math.log(1.136); // logarithm of the zoom of one notch of the wheel

    /* Loads a program's script once. The promise is of its function that makes a program. */
    const loading = new Map();
    function load(file) {
        if (!loading.has(file))
            loading.set(file, new Promise((resolve, reject) => {
            const script = document.createElement('script');
            script.src = new URL(file, folder);
            script.crossOrigin = location.protocol === 'file:' ? null : 'anonymous';
            script.onload = () => resolve(window.createBillow);
            script.onerror = () => reject(new Error(file + ' cannot be loaded.'));
            document.head.append(script);
        }));
        return loading.get(file);
    }

    /* Errors of the program are texts; the empty text is no error. */
    function check(problem) {
        if (problem !== '')
            throw new Error(problem);
    }

    class Smoke {
        constructor(program, canvas, say, threads) {
            this.program = program; // what page.h exports
            this.canvas = canvas;
            this.say = say;
            this.threads = threads; // whether the simulation has threads of its own
            this.lost = this.stopped = this.paused = false;
            this.fingers = new Map();
            this.pressed = false;
        }

        /* Calls a function of page.h that returns a text. */
        ask(name, ...values) {
            return this.program.ccall(name, 'string',
                values.map(value => typeof value === 'string' ? 'string' : 'number'), values);
        }

        lines(name) {
            return this.ask(name).split('\n').filter(line => line !== '');
        }

        /* -- scenes and values. open, openText and set throw an Error that names what is wrong -- */

        open(scene) { check(this.ask('page_open', scene)); }
        openText(name, text) { check(this.ask('page_open_text', name, text)); }
        set(assignment) { check(this.ask('page_set', assignment)); }
        /* The assignments that differ from the scene as it was opened, with the camera. */
        changes() {
            const assignments = this.lines('page_changes'), lost = +assignments.pop();
            if (lost > 0)
                throw new Error('No link holds this: ' + lost + ' differences from the built-in ' +
                    'scene are not values of keys.');
            return assignments;
        }
        scenes() {
            return this.lines('page_scenes').map(line => line.split('\t'))
                .map(([name, title]) => ({name, title}));
        }
        /* The values that a control can show. */
        keys() {
            return this.lines('page_keys').map(line => line.split('\t')).map(
                ([path, kind, least, most, unit, meaning, words, value]) => ({path, kind,
                    least: +least, most: +most, unit, meaning, words: words.split('|'), value}));
        }
        figures() { return this.ask('page_figures'); }

        /* -- the hand -------------------------------------------------------------------------- */

        tools() {
            return this.lines('page_tools').map(
                line => ({name: line.replace('*', ''), chosen: line.startsWith('*')}));
        }
        useTool(index) { check(this.ask('page_use_tool', index)); }
        /* Moves on in the lists; returns the brush in words. */
        brush({tool = 0, size = 0, strength = 0, color = 0}) {
            return this.ask('page_brush', tool, size, strength, color);
        }
        detonate() { this.program._page_detonate(); }
        restart() { this.program._page_restart(); }
        step() {
            this.paused = true;
            this.program._page_step();
        }
        pause(on) {
            this.paused = on;
            this.program._page_pause(on ? 1 : 0);
        }
        speed(doublings) { return this.program._page_speed(doublings); }
        turn(dx, dy) {
            this.program._page_press(2, 0.5, 0.5);
            this.program._page_move(0.5, 0.5, dx, dy);
            this.program._page_release();
        }
        zoom(notches) { this.program._page_wheel(notches); }

        /* A promise of a PNG of the picture. */
        photo() {
            this.program._page_redraw(); // the browser has shown and cleared the last one
            this.draw();
            return new Promise(resolve => this.canvas.toBlob(resolve));
        }

        /* Ends the picture and the simulation's work. */
        stop() {
            this.pause(true);
            this.stopped = true;
        }

        /* -- the picture ----------------------------------------------------------------------- */

        start(pointer) {
            if (!this.canvas.id)
                this.canvas.id = 'billow-' + Math.random().toString(36).slice(2);
            check(this.ask('page_start', '#' + CSS.escape(this.canvas.id)));
            this.watchContext();
            /* A page that nobody sees does not simulate. */
            document.addEventListener('visibilitychange', () => {
                if (!this.paused && !this.stopped)
                    this.program._page_pause(document.hidden ? 1 : 0);
            });
            if (pointer)
                this.watchPointer();
        }

        /* Opens the first scene. What is wrong with it or with its values is said. */
        begin(scene, assignments) {
            const attempt = act => {
                try {
                    act();
                    return true;
                } catch (error) {
                    this.say(error.message);
                    return false;
                }
            };
            if (!attempt(() => this.open(scene)))
                this.open('plume');
            for (const assignment of assignments)
                attempt(() => this.set(assignment));
        }

        run() {
            const frame = () => {
                if (this.stopped)
                    return;
                requestAnimationFrame(frame);
                if (!this.lost)
                    this.draw();
            };
            frame();
        }

        draw() {
            const canvas = this.canvas, sharp = Math.min(devicePixelRatio, 2);
            const width = Math.max(Math.round(canvas.clientWidth * sharp), 1);
            const height = Math.max(Math.round(canvas.clientHeight * sharp), 1);
            if (canvas.width !== width || canvas.height !== height) {
                canvas.width = width;
                canvas.height = height;
            }
            const problem = this.ask('page_frame', width, height);
            if (problem !== '')
                this.say(problem);
        }

        watchContext() {
            this.canvas.addEventListener('webglcontextlost', event => {
                event.preventDefault();
                this.lost = true;
                this.say('The graphics driver lost the picture. It comes back by itself.');
            });
            this.canvas.addEventListener('webglcontextrestored', () => {
                const problem = this.ask('page_start', '#' + CSS.escape(this.canvas.id));
                this.lost = problem !== '';
                this.say(problem);
            });
        }

        /* -- the pointer ----------------------------------------------------------------------- */

        place(event) {
            const box = this.canvas.getBoundingClientRect();
            return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
        }

        /* Mean place of the fingers and their mean distance from it, in heights of the canvas. */
        spread() {
            const all = [...this.fingers.values()];
            const wide = this.canvas.clientWidth / this.canvas.clientHeight;
            const x = all.reduce((sum, f) => sum + f[0] * wide, 0) / all.length;
            const y = all.reduce((sum, f) => sum + f[1], 0) / all.length;
            const size = all.reduce((sum, f) => sum + Math.hypot(f[0] * wide - x, f[1] - y), 0);
            return {x, y, size: size / all.length};
        }

        press(button, event) {
            this.program._page_press(button, ...this.place(event));
            this.pressed = true;
        }

        release() {
            if (this.pressed)
                this.program._page_release();
            this.pressed = false;
        }

        /* One finger brushes, two turn and zoom, three move the view. */
        land(event) {
            this.fingers.set(event.pointerId, this.place(event));
            this.release();
            const count = this.fingers.size;
            this.press(count === 1 ? 0 : count === 2 ? 2 : 1, event);
        }

        glide(event) {
            const before = this.fingers.size > 1 ? this.spread() : null;
            if (this.fingers.has(event.pointerId))
                this.fingers.set(event.pointerId, this.place(event));
            if (before === null) {
                const high = this.canvas.clientHeight;
                this.program._page_move(...this.place(event), event.movementX / high,
                    event.movementY / high);
                return;
            }
            const after = this.spread();
            this.program._page_move(...this.place(event), after.x - before.x, after.y - before.y);
            if (before.size > 1e-3 && after.size > 1e-3)
                this.zoom(Math.log(after.size / before.size) / NOTCHES);
        }

        lift(event) {
            this.fingers.delete(event.pointerId);
            this.release();
        }

        watchPointer() {
            const canvas = this.canvas;
            canvas.style.touchAction = 'none';
            canvas.addEventListener('pointerdown', event => {
                canvas.setPointerCapture(event.pointerId);
                if (event.pointerType === 'touch')
                    this.land(event);
                else
                    this.press(event.button, event);
            });
            canvas.addEventListener('pointermove', event => this.glide(event));
            canvas.addEventListener('pointerup', event => this.lift(event));
            canvas.addEventListener('pointercancel', event => this.lift(event));
            canvas.addEventListener('contextmenu', event => event.preventDefault());
            canvas.addEventListener('wheel', event => {
                event.preventDefault();
                this.zoom(-event.deltaY / (event.deltaMode === 0 ? 100 : 3));
            }, {passive: false});
        }
    }

    window.billow = async function (canvas, options = {}) {
        const {scene = 'plume', set = [], pointer = true, single = false,
            say = text => { if (text !== '') console.log(text); }} = options;
        const threads = self.crossOriginIsolated === true && !single;
        const file = threads ? 'billow_threads.js' : 'billow_single.js';
        const createProgram = await load(file);
        const program = await createProgram({mainScriptUrlOrBlob: new URL(file, folder).href,
            locateFile: name => new URL(name, folder).href});
        const smoke = new Smoke(program, canvas, say, threads);
        smoke.start(pointer);
        smoke.begin(scene, set);
        smoke.run();
        return smoke;
    };
})();
