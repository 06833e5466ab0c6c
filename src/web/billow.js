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
 *     file     [name, bytes] of a scene's or recording's file, which plays instead of a scene
 *     set      changes of its values, such as ['solver.vorticity=8', 'camera.azimuth=40']
 *     join     {key, name}: joins the session of the host that serves this page, instead of opening
 *              a scene; the key of the session, and a name for the own hand
 *     pointer  what the pointer does in the canvas. true, the default: a drag adds to the smoke and
 *              pushes it, as a finger does that moves sideways, and the right button turns the
 *              camera; the wheel and a finger that moves up or down scroll the page. 'all': also
 *              the wheel zooms, one finger brushes in any direction, and two turn the camera. false:
 *              nothing
 *     hover    whether a mouse that moves over the canvas brushes without a button; default false
 *     background  'transparent': the page's own background is seen behind the smoke, without the
 *              scene's sky and ground; default: these
 *     sound    whether the smoke is heard, from the first press or key on, before which browsers
 *              allow no sound; default false
 *     say      function that is called with a line for the user, such as why the picture stopped;
 *              default: the browser's console
 *     changed  function that is called when another scene has begun
 *     folder   address of the folder of this file and those beside it; default: where this script
 *              came from, which a script that was imported as a module does not know
 *
 * The files beside this one are the program. Threads need shared memory, which browsers allow to a
 * page that is isolated from others (the headers Cross-Origin-Opener-Policy: same-origin and
 * Cross-Origin-Embedder-Policy: require-corp). Elsewhere, and if the files come from another origin,
 * the program runs on one thread. A page can have several canvases. One that nobody sees rests. */
'use strict';
(function () {
    const home = document.currentScript && new URL('.', document.currentScript.src);
    const NOTCHES = Math.log(1.136); // logarithm of the zoom of one notch of the wheel
    const LETTERS_MOST = 1 << 16; // in a text for the program, which stands on its stack meanwhile

    const soon = ms => new Promise(resolve => setTimeout(resolve, ms));

    /* Throws an Error if the browser or the page's content policy keeps every program from running. */
    function checkBrowser() {
        for (const [name, what] of [['WebAssembly', 'WebAssembly'], ['DecompressionStream',
            'decompression of streams'], ['WebGL2RenderingContext', 'WebGL 2']])
            if (!(name in window))
                throw new Error('This browser has no ' + what + ', which Billow needs.');
        try {
            new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); // an empty program
        } catch (error) {
            throw new Error('The content policy of this page forbids WebAssembly: its script-src must ' +
                "allow 'wasm-unsafe-eval'.");
        }
    }

    /* Returns what `act` does. If it fails because the page's content policy forbids a file, the
     * error says so. */
    async function withPolicy(act) {
        let forbidden = null;
        const note = event => {
            if (/^(script|worker|child)-src/.test(event.effectiveDirective))
                forbidden = event;
        };
        document.addEventListener('securitypolicyviolation', note);
        try {
            return await act(() => forbidden);
        } catch (error) {
            await soon(100); // the browser may report it after the failure
            if (!forbidden)
                throw error;
            throw new Error(`The content policy of this page forbids ${forbidden.blockedURI}: its ` +
                `${forbidden.effectiveDirective.replace('-elem', '')} must allow it.`);
        } finally {
            document.removeEventListener('securitypolicyviolation', note);
        }
    }

    /* Loads the program's script once. The promise is of its function that makes a program. */
    let loading;
    function load(address) {
        loading = loading || new Promise((resolve, reject) => {
            const script = document.createElement('script');
            script.crossOrigin = self.crossOriginIsolated ? 'anonymous' : null;
            script.onload = () => resolve(window.createBillow);
            script.onerror = () => {
                loading = null;
                reject(new Error(address + ' cannot be loaded. ' + (self.crossOriginIsolated &&
                    new URL(address).origin !== location.origin ? 'Its server must send the header ' +
                    'Access-Control-Allow-Origin, because this page is isolated from other origins.' :
                    'It must lie beside billow.js, or where the option folder says.')));
            };
            script.src = address;
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
            throw new Error(problem.replace(/^--set |, or use --set/g, ''));
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
            this.lost = this.stopped = this.drawing = this.resting = this.hushed = false;
            this.openings = 0;
            this.ends = new AbortController(); // removes the listeners
            this.fingers = new Map();
            this.pressed = false;
        }

        /* Calls a function of page.h that returns a text. */
        ask(name, ...values) {
            if (values.some(value => value.length > LETTERS_MOST))
                throw new Error('A text has more than ' + LETTERS_MOST + ' letters.');
            return this.program.ccall(name, 'string',
                values.map(value => typeof value === 'string' ? 'string' : 'number'), values);
        }

        lines(...call) {
            return this.ask(...call).split('\n').filter(line => line !== '');
        }

        rows(...call) { return this.lines(...call).map(line => line.split('\t')); }

        /* -- scenes and values. open, openText and set throw an Error that names what is wrong -- */

        open(scene) {
            check(this.ask('page_open', scene));
        }
        /* Puts a file beside those that are there, for a scene that names it. bytes: Uint8Array. */
        put(name, bytes) { this.program.FS.writeFile(name, bytes); }
        /* Takes a file that was dropped at a place, in shares of the canvas: a scene, a checkpoint or
         * a recording plays, a mesh joins the scene as a solid, and a panorama lights it. beside: the
         * files that a scene names, as [name, bytes]. Returns the name that it has here. If it is
         * refused, all files are as before. */
        take(name, bytes, place = [0.5, 0.5], beside = []) {
            const {FS} = this.program, plays = /\.(ya?ml|ckpt|bwr)$/i.test(name);
            const free = plays ? name : this.freeName(name, bytes);
            const files = [...beside, [free, bytes]];
            const before = files.map(([name]) => FS.analyzePath(name).exists ? FS.readFile(name) : null);
            for (const file of files)
                this.put(...file);
            try {
                check(this.ask('page_drop', free, ...place));
            } catch (error) {
                files.forEach(([name], at) =>
                    before[at] ? this.put(name, before[at]) : FS.unlink(name));
                throw error;
            }
            return free;
        }
        /* A name under which nothing else is, that the scene may show: cube.obj or cube-2.obj. */
        freeName(name, bytes) {
            const {FS} = this.program, dot = name.includes('.') ? name.lastIndexOf('.') : name.length;
            const isOther = other => other.length !== bytes.length ||
                other.some((byte, at) => byte !== bytes[at]);
            let free = name;
            for (let n = 2; FS.analyzePath(free).exists && isOther(FS.readFile(free)); n++)
                free = name.slice(0, dot) + '-' + n + name.slice(dot);
            return free;
        }
        /* The present scene as the bytes of a file. */
        file() { return this.written('page_write'); }
        written(call) {
            const {FS} = this.program, name = 'written';
            check(this.ask(call, name));
            const bytes = FS.readFile(name);
            FS.unlink(name);
            return bytes;
        }

        /* Starts the scene again and records what the hand does to it. */
        record() { check(this.ask('page_record')); }
        /* Whether it does; it ends with the scene. */
        get recording() { return this.program._page_recording() > 0; }
        /* Ends the recording. A promise of the bytes of its file. */
        async recorded() {
            this.program._page_record_end();
            while (this.recording)
                await soon(20);
            return this.written('page_write_record');
        }
        /* Name of the scene that plays or comes next. */
        scene() { return this.ask('page_scene'); }
        set(assignment) { check(this.ask('page_set', assignment)); }
        /* The assignments that make the present scene of the built-in one; null: there are none. */
        changes() {
            const assignments = this.lines('page_changes'), lost = +assignments.pop();
            const builtIn = this.scenes().some(scene => scene.name === this.scene());
            return builtIn && lost === 0 ? assignments : null;
        }
        scenes() { return this.rows('page_scenes').map(([name, title]) => ({name, title})); }
        /* The values that a control can show: those that matter first, and those with all these
         * words in their path, title or meaning. title: what people read in place of the part of
         * the path before its first point, such as the name of an emitter; '': that part itself. */
        firstKeys() { return this.keyRows('page_first_keys'); }
        keys(words = '') { return this.keyRows('page_keys', words); }
        keyRows(...call) {
            return this.rows(...call).map(
                ([path, kind, least, most, unit, meaning, words, value, title]) => ({path, kind,
                    least: +least, most: +most, unit, meaning, words: words.split('|'), value,
                    title}));
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

        /* Whether the smoke is heard. Browsers begin sound only within a press or a key. */
        get sound() { return this.heard; }
        set sound(on) {
            this.heard = on;
            if (!on && !this.audio)
                return;
            check(this.ask('page_hear', on ? 1 : 0));
            this.audio = this.audio || this.speaker();
            this.audio.resume();
        }

        speaker() {
            const frames = 2048, audio = new AudioContext({sampleRate: 48000});
            const source = audio.createScriptProcessor(frames, 0, 2);
            source.onaudioprocess = ({outputBuffer}) => {
                if (this.stopped)
                    return;
                const at = this.program._page_sound(frames) / 4, heap = this.program.HEAPF32;
                for (const side of [0, 1]) {
                    const samples = outputBuffer.getChannelData(side);
                    for (let n = 0; n < frames; n++)
                        samples[n] = heap[at + 2 * n + side];
                }
            };
            source.connect(audio.destination);
            this.source = source; // a node without a reference may be collected
            return audio;
        }

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
            clearTimeout(this.calm);
            this.audio?.close();
            this.program.line.socket?.close();
            this.program._page_end();
            release(this.canvas);
            if (this.threads) { // without waiting for them, which browsers allow no page
                this.program.PThread.terminateAllThreads();
                this.program.PThread.unusedWorkers.forEach(worker => worker.terminate());
            }
            this.program = null;
        }

        /* -- the picture ----------------------------------------------------------------------- */

        start(pointer, hover, transparent, sound) {
            if (!this.canvas.id)
                this.canvas.id = 'billow-' + Math.random().toString(36).slice(2);
            this.transparent = transparent;
            this.startPicture();
            this.watchContext();
            this.watchSight();
            if (pointer)
                this.watchPointer(pointer === 'all', hover);
            if (sound)
                for (const event of ['pointerup', 'keydown'])
                    this.listen(document, event, () => {
                        if (!this.audio && this.heard === undefined)
                            this.sound = true;
                    });
        }

        startPicture() {
            check(this.ask('page_start', '#' + CSS.escape(this.canvas.id), this.transparent ? 1 : 0));
        }

        /* A canvas that nobody sees neither draws nor simulates, unless others do. */
        watchSight() {
            let inView = true;
            const look = () => {
                const resting = document.hidden || !inView;
                if (resting === this.resting)
                    return;
                this.resting = resting;
                if (resting)
                    this.hushed = !this.paused && !this.follows;
                if (this.hushed)
                    this.pause(resting);
            };
            const observer = new IntersectionObserver(entries => {
                inView = entries[entries.length - 1].isIntersecting;
                look();
            });
            observer.observe(this.canvas);
            this.ends.signal.addEventListener('abort', () => observer.disconnect());
            this.listen(document, 'visibilitychange', look);
        }

        join({key, name}) {
            const {protocol, hostname, port} = location;
            const address = hostname + ':' + (port || (protocol === 'https:' ? 443 : 80));
            check(this.ask('page_join', address, key, name));
        }

        /* Opens the first file or else the first scene. What is wrong with it or with its values is
         * said. */
        begin(file, scene, assignments) {
            const attempt = act => {
                try {
                    act();
                    return true;
                } catch (error) {
                    this.say(error.message);
                    return false;
                }
            };
            if (!(file && attempt(() => this.take(...file))) && !attempt(() => this.open(scene)))
                this.open('plume');
            for (const assignment of assignments)
                attempt(() => this.set(assignment));
        }

        run() {
            const frame = () => {
                if (this.stopped)
                    return;
                requestAnimationFrame(frame);
                if (!this.lost && (!this.resting || this.follows))
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
                try {
                    this.startPicture();
                    this.lost = false;
                    this.say('');
                } catch (error) {
                    this.say(error.message);
                }
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

        /* Brushes while the mouse moves. */
        hover(event) {
            if (!this.pressed)
                this.press(0, event);
            clearTimeout(this.calm);
            this.calm = setTimeout(() => this.release(), 200);
        }

        watchPointer(all, hover) {
            const canvas = this.canvas;
            let landing = null; // a finger that will brush if the browser does not scroll with it
            canvas.style.touchAction = all ? 'none' : 'pan-y pinch-zoom';
            this.listen(canvas, 'pointerdown', event => {
                clearTimeout(this.calm);
                if (event.pointerType !== 'touch') {
                    canvas.setPointerCapture(event.pointerId);
                    this.release();
                    this.press(event.button, event);
                } else if (all)
                    this.land(event);
                else
                    landing = event.pointerId;
            });
            this.listen(canvas, 'pointermove', event => {
                if (event.pointerId === landing)
                    this.land(event);
                landing = null;
                if (hover && event.pointerType === 'mouse' && event.buttons === 0)
                    this.hover(event);
                this.glide(event);
            });
            this.listen(canvas, 'pointerup', event => this.lift(event));
            this.listen(canvas, 'pointercancel', event => this.lift(event));
            this.listen(canvas, 'pointerleave', event => {
                if (event.buttons === 0)
                    this.release();
                this.program._page_unpoint();
            });
            this.listen(canvas, 'contextmenu', event => event.preventDefault());
            if (all)
                this.listen(canvas, 'wheel', event => {
                    event.preventDefault();
                    this.zoom(-event.deltaY / (event.deltaMode === 0 ? 100 : 3));
                }, {passive: false});
        }
    }

    /* What gives a released canvas its context back. A canvas has one for all its life, and a
     * browser allows some sixteen at a time. */
    const released = new WeakMap();

    function release(canvas) {
        delete canvas.getContext; // what Emscripten has put there would keep the program
        delete canvas.getContextSafariWebGL2Fixed;
        const losing = canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context');
        if (!losing)
            return;
        canvas.addEventListener('webglcontextlost', event => event.preventDefault(), {once: true});
        losing.loseContext();
        released.set(canvas, losing);
    }

    async function revive(canvas) {
        const losing = released.get(canvas);
        if (!losing)
            return;
        released.delete(canvas);
        await soon(0); // until the browser has told that it is lost
        const back = new Promise(resolve =>
            canvas.addEventListener('webglcontextrestored', resolve, {once: true}));
        losing.restoreContext();
        await back;
    }

    /* Makes a program. Its threads are ready: the page may wait for one, which starts meanwhile only
     * if its worker has loaded. */
    async function makeProgram(folder, threads, forbidden) {
        let ill = false;
        const script = new URL('billow_program.js', folder).href;
        const worker = new URL('billow_program.worker.js', folder).href;
        const create = await load(script);
        /* The error of a worker whose file is missing may come while the program is compiled, before
         * Emscripten listens. A content policy may forbid this request: that is no missing file. */
        const noWorker = "Billow's threads cannot start: a worker cannot be loaded from " + folder;
        if (threads && await fetch(worker).then(answer => !answer.ok, () => false))
            throw new Error(noWorker);
        let program;
        try {
            program = await create({line: new Line(), mainScriptUrlOrBlob: script, single: !threads,
                locateFile: name => new URL(name, folder).href, wasmBinary: await unpack(create.code),
                printErr: text => {
                    ill = true;
                    console.warn(text);
                }});
        } catch (error) {
            throw new Error('This browser cannot run Billow: ' + error.message);
        }
        while (program.PThread.unusedWorkers.some(worker => !worker.loaded)) {
            if (ill || forbidden()) {
                program.PThread.unusedWorkers.forEach(worker => worker.terminate());
                throw new Error(noWorker);
            }
            await soon(10);
        }
        return program;
    }

    window.billow = async function (canvas, options = {}) {
        const {scene = 'plume', file = null, set = [], join = null, pointer = true, hover = false, background = '',
            sound = false, single = false, changed = () => {},
            say = text => { if (text !== '') console.log(text); }} = options;
        if (!canvas || !canvas.isConnected)
            throw new Error('billow() needs a canvas that is in the page.');
        if (!options.folder && !home)
            throw new Error('billow.js was imported as a module: its option folder must say where ' +
                'its files lie.');
        const folder = options.folder ? new URL(options.folder.replace(/\/?$/, '/'), location) : home;
        const threads = self.crossOriginIsolated === true && !single && folder.origin === location.origin;
        checkBrowser();
        const program = await withPolicy(forbidden => makeProgram(folder, threads, forbidden));
        await revive(canvas);
        const smoke = new Smoke(program, canvas, say, changed, threads);
        try {
            smoke.start(pointer, hover, background === 'transparent', sound);
            if (join)
                smoke.join(join);
        } catch (error) {
            smoke.stop();
            throw error;
        }
        if (!join)
            smoke.begin(file, scene, [].concat(set));
        smoke.run();
        return smoke;
    };
})();
