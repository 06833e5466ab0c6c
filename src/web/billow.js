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
 *     join     {key, name}: joins the session of the host that serves this page, instead of opening
 *              a scene; the key of the session, and a name for the own hand
 *     pointer  whether the pointer acts in the canvas: a drag or a finger adds to the smoke and
 *              pushes it, the right button or two fingers turn the camera, the wheel zooms;
 *              default true
 *     say      function that is called with a line for the user, such as why the picture stopped;
 *              default: the browser's console
 *     changed  function that is called when another scene has begun
 *     folder   address of the folder of this file and those beside it; default: where this script
 *              came from, which a script that was imported as a module does not know
 *
 * The files beside this one are the program. Threads need shared memory, which browsers allow to a
 * page that is isolated from others (the headers Cross-Origin-Opener-Policy: same-origin and
 * Cross-Origin-Embedder-Policy: require-corp). Elsewhere the program runs on one thread. */
'use strict';
(function () {
    const home = document.currentScript && new URL('.', document.currentScript.src);
    const NOTCHES = Math.log(1.136); // logarithm of the zoom of one notch of the wheel
    const LETTERS_MOST = 1 << 16; // in a text for the program, which stands on its stack meanwhile

    /* Loads the program's script once. The promise is of its function that makes a program. */
    let loading;
    function load(address) {
        loading = loading || new Promise((resolve, reject) => {
            const script = document.createElement('script');
            script.src = address;
            script.crossOrigin = location.protocol === 'file:' ? null : 'anonymous';
            script.onload = () => resolve(window.createBillow);
            script.onerror = () => reject(new Error(address + ' cannot be loaded.'));
            document.head.append(script);
        });
        return loading;
    }

    /* The program has its code in its script, compressed, because a page that was opened as a file
     * may not read other files. */
    function unpack(text) {
        const letters = atob(text), bytes = new Uint8Array(letters.length);
        for (let i = 0; i < bytes.length; i++) // from() takes 15 times as long
            bytes[i] = letters.charCodeAt(i);
        const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
        return new Response(plain).arrayBuffer();
    }

    /* Errors of the program are texts; the empty text is no error. */
    function check(problem) {
        if (problem !== '')
            throw new Error(problem);
    }

    /* The socket of a session to the host that the page comes from; socket_web.c uses it. */
    class Line {
        open(service) {
            const address = new URL('join', location.href.split(/[?#]/)[0]);
            address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
            this.messages = [];
            this.socket = new WebSocket(address.href, 'billow');
            this.socket.binaryType = 'arraybuffer';
            this.socket.onmessage = event => {
                this.messages.push(new Uint8Array(event.data));
                if (document.hidden) // the browser draws no frames
                    service();
            };
        }

        receive(heap, to, room) {
            const message = this.messages.shift();
            if (message === undefined)
                return 0;
            if (!(message.length <= room))
                return -1;
            heap.set(message, to);
            return message.length;
        }
    }

    class Smoke {
        constructor(program, canvas, say, changed, threads) {
            this.program = program; // what page.h exports
            this.canvas = canvas;
            this.say = say;
            this.changed = changed;
            this.threads = threads; // whether the simulation has threads of its own
            this.lost = this.stopped = this.isFile = this.drawing = this.hushed = false;
            this.openings = 0;
            this.ends = new AbortController(); // removes the listeners
            this.fingers = new Map();
            this.pressed = false;
        }

        /* Calls a function of page.h that returns a text. */
        ask(name, ...values) {
            if (values.some(value => value.length > LETTERS_MOST))
                throw new Error('This is no scene: it has more than ' + LETTERS_MOST + ' letters.');
            return this.program.ccall(name, 'string',
                values.map(value => typeof value === 'string' ? 'string' : 'number'), values);
        }

        lines(name) {
            return this.ask(name).split('\n').filter(line => line !== '');
        }

        rows(name) { return this.lines(name).map(line => line.split('\t')); }

        /* -- scenes and values. open, openText and set throw an Error that names what is wrong -- */

        open(scene) {
            check(this.ask('page_open', scene));
            this.isFile = false;
        }
        openText(name, text) {
            check(this.ask('page_open_text', name, text));
            this.isFile = true;
        }
        /* Name of the scene that plays or comes next. */
        scene() { return this.ask('page_scene'); }
        set(assignment) { check(this.ask('page_set', assignment)); }
        /* The assignments that differ from the scene as it was opened, with the camera. */
        changes() {
            if (this.isFile)
                throw new Error('No link holds a scene from a file.');
            const assignments = this.lines('page_changes'), lost = +assignments.pop();
            if (lost > 0)
                throw new Error('No link holds this: ' + lost + ' differences from the built-in ' +
                    'scene are not values of keys.');
            return assignments;
        }
        scenes() { return this.rows('page_scenes').map(([name, title]) => ({name, title})); }
        /* The values that a control can show. */
        keys() {
            return this.rows('page_keys').map(
                ([path, kind, least, most, unit, meaning, words, value]) => ({path, kind,
                    least: +least, most: +most, unit, meaning, words: words.split('|'), value}));
        }
        /* The session: its stage (joining, shared, alone after it, failed), why it has ended, the
         * number of notices so far with the newest, and the people; null: there is none. */
        session() {
            const [first, ...people] = this.rows('page_session');
            if (!first)
                return null;
            return {stage: first[0], why: first[1], notices: +first[2], notice: first[3],
                people: people.map(([name, self, color, delay, behind, x, y]) => ({name,
                    self: self === '1', color: `color(srgb-linear ${color})`, delay: +delay,
                    behind: +behind, pointer: y === undefined ? null : [+x, +y]}))};
        }
        /* Whether the smoke is a host's, who alone chooses the scene. */
        get follows() { return this.program._page_follows() !== 0; }
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
        /* place: where, in shares of the canvas; default: at the pointer. */
        detonate(place) {
            if (place)
                this.program._page_move(...place, 0, 0);
            this.program._page_detonate();
        }
        restart() { this.program._page_restart(); }
        step() { this.program._page_step(); }
        pause(on) { this.program._page_pause(on ? 1 : 0); }
        get paused() { return this.program._page_paused() !== 0; }
        speed(doublings) { return this.program._page_speed(doublings); }
        turn(dx, dy) {
            this.program._page_press(2, 0.5, 0.5);
            this.program._page_move(0.5, 0.5, dx, dy);
            this.program._page_release();
        }
        zoom(notches) { this.program._page_wheel(notches); }

        /* A promise of a PNG of the picture. */
        photo() {
            if (this.lost)
                return Promise.reject(new Error('There is no picture now. It comes back by itself.'));
            this.program._page_redraw(); // the browser has shown and cleared the last one
            this.draw(true);
            return new Promise(resolve => this.canvas.toBlob(resolve));
        }

        /* Ends the picture and the simulation, and frees their memory. The canvas can be given to
         * billow again, but this object is of no use any more. */
        stop() {
            if (this.stopped)
                return;
            this.stopped = true;
            this.ends.abort();
            this.program.line.socket?.close();
            this.program._page_end();
            if (this.threads) { // without waiting for them, which browsers allow no page
                this.program.PThread.terminateAllThreads();
                this.program.PThread.unusedWorkers.forEach(worker => worker.terminate());
            }
            this.program = null;
        }

        /* -- the picture ----------------------------------------------------------------------- */

        start(pointer) {
            if (!this.canvas.id)
                this.canvas.id = 'billow-' + Math.random().toString(36).slice(2);
            check(this.ask('page_start', '#' + CSS.escape(this.canvas.id)));
            this.watchContext();
            /* A page that nobody sees does not simulate, unless others do. */
            this.listen(document, 'visibilitychange', () => {
                if (document.hidden)
                    this.hushed = !this.paused && !this.follows;
                if (this.hushed)
                    this.pause(document.hidden);
            });
            if (pointer)
                this.watchPointer();
        }

        join({key, name}) {
            const {protocol, hostname, port} = location;
            const address = hostname + ':' + (port || (protocol === 'https:' ? 443 : 80));
            check(this.ask('page_join', address, key, name));
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
                    this.draw(false);
            };
            frame();
        }

        /* sharp: as many pixels as the screen shows, however long they take. */
        draw(sharp) {
            const canvas = this.canvas, pixels = this.program._page_pixels();
            const area = canvas.clientWidth * canvas.clientHeight;
            const screen = Math.min(devicePixelRatio, 2);
            const ratio = sharp ? screen : Math.min(screen, Math.sqrt(pixels / area));
            const width = Math.max(Math.round(canvas.clientWidth * ratio), 1);
            const height = Math.max(Math.round(canvas.clientHeight * ratio), 1);
            if (canvas.width !== width || canvas.height !== height) {
                canvas.width = width;
                canvas.height = height;
            }
            const problem = this.ask('page_frame', width, height);
            if (problem !== '')
                this.say(problem);
            if (!this.drawing)
                this.watchDrawing();
            const openings = this.program._page_openings();
            if (openings !== this.openings) {
                this.openings = openings;
                this.changed(this);
            }
        }

        /* Asks until the picture is complete. */
        watchDrawing() {
            this.drawing = !this.stopped && this.program._page_drawn() === 0;
            if (this.drawing)
                setTimeout(() => this.watchDrawing(), 2);
        }

        listen(target, event, act, options = {}) {
            target.addEventListener(event, act, {...options, signal: this.ends.signal});
        }

        watchContext() {
            this.listen(this.canvas, 'webglcontextlost', event => {
                event.preventDefault();
                this.lost = true;
                this.program._page_end();
                this.say('The graphics driver lost the picture. It comes back by itself.');
            });
            this.listen(this.canvas, 'webglcontextrestored', () => {
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

        /* Length of the canvas's shorter side, pixels of the page. */
        side() { return Math.min(this.canvas.clientWidth, this.canvas.clientHeight); }

        /* Mean place of the fingers and their mean distance from it, in shorter sides. */
        spread() {
            const wide = this.canvas.clientWidth / this.side();
            const high = this.canvas.clientHeight / this.side();
            const all = [...this.fingers.values()].map(([x, y]) => [x * wide, y * high]);
            const mean = list => list.reduce((sum, value) => sum + value, 0) / list.length;
            const x = mean(all.map(place => place[0])), y = mean(all.map(place => place[1]));
            return {x, y, size: mean(all.map(place => Math.hypot(place[0] - x, place[1] - y)))};
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
                this.program._page_move(...this.place(event), event.movementX / this.side(),
                    event.movementY / this.side());
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
            this.listen(canvas, 'pointerdown', event => {
                canvas.setPointerCapture(event.pointerId);
                if (event.pointerType === 'touch')
                    this.land(event);
                else
                    this.press(event.button, event);
            });
            this.listen(canvas, 'pointermove', event => this.glide(event));
            this.listen(canvas, 'pointerup', event => this.lift(event));
            this.listen(canvas, 'pointercancel', event => this.lift(event));
            this.listen(canvas, 'pointerleave', () => this.program._page_unpoint());
            this.listen(canvas, 'contextmenu', event => event.preventDefault());
            this.listen(canvas, 'wheel', event => {
                event.preventDefault();
                this.zoom(-event.deltaY / (event.deltaMode === 0 ? 100 : 3));
            }, {passive: false});
        }
    }

    window.billow = async function (canvas, options = {}) {
        const {scene = 'plume', set = [], join = null, pointer = true, single = false, changed = () => {},
            say = text => { if (text !== '') console.log(text); }} = options;
        if (!canvas || !canvas.isConnected)
            throw new Error('billow() needs a canvas that is in the page.');
        if (!options.folder && !home)
            throw new Error('billow.js was imported as a module: its option folder must say where ' +
                'its files lie.');
        const folder = options.folder ? new URL(options.folder.replace(/\/?$/, '/'), location) : home;
        const threads = self.crossOriginIsolated === true && !single;
        const script = new URL('billow_program.js', folder).href;
        const createProgram = await load(script);
        const program = await createProgram({line: new Line(), mainScriptUrlOrBlob: script, single: !threads,
            locateFile: name => new URL(name, folder).href,
            wasmBinary: await unpack(createProgram.code)});
        /* The page may wait for a thread, which starts meanwhile only if its worker has loaded. */
        while (program.PThread.unusedWorkers.some(worker => !worker.loaded))
            await new Promise(resolve => setTimeout(resolve, 10));
        const smoke = new Smoke(program, canvas, say, changed, threads);
        try {
            smoke.start(pointer);
            if (join)
                smoke.join(join);
        } catch (error) {
            smoke.stop();
            throw error;
        }
        if (!join)
            smoke.begin(scene, [].concat(set));
        smoke.run();
        return smoke;
    };
})();
