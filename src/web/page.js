/* SPDX-License-Identifier: MIT
 *
 * The page around the program (page.h): loads it, gives it frames, the pointer and the keys, and
 * shows its words. Threads need shared memory, which browsers allow to a page that is isolated from
 * others (the headers Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy). Elsewhere the
 * program runs on one thread. */
'use strict';
(function () {
    const id = name => document.getElementById(name);
    const canvas = id('canvas'), message = id('message');
    const words = new URLSearchParams(location.search);
    const threads = self.crossOriginIsolated === true && !words.has('single');
    const script = threads ? 'billow_threads.js' : 'billow_single.js';
    let program, lost = false, told = 0;

    function say(text, stays) {
        message.textContent = text;
        clearTimeout(told);
        if (text !== '' && !stays)
            told = setTimeout(() => { message.textContent = ''; }, 2000 + 60 * text.length);
    }

    /* Calls a function that returns a text. */
    function ask(name, ...values) {
        return program.ccall(name, 'string',
            values.map(value => typeof value === 'string' ? 'string' : 'number'), values);
    }

    function lines(text) {
        return text.split('\n').filter(line => line !== '');
    }

    /* -- the picture ----------------------------------------------------------------------- */

    function frame() {
        requestAnimationFrame(frame);
        if (lost)
            return;
        const sharp = Math.min(devicePixelRatio, 2);
        const width = Math.max(Math.round(canvas.clientWidth * sharp), 1);
        const height = Math.max(Math.round(canvas.clientHeight * sharp), 1);
        if (canvas.width !== width || canvas.height !== height) {
            canvas.width = width;
            canvas.height = height;
        }
        const problem = ask('page_frame', width, height);
        if (problem !== '')
            say(problem);
    }

    canvas.addEventListener('webglcontextlost', event => {
        event.preventDefault();
        lost = true;
        say('The graphics driver lost the picture.', true);
    });
    canvas.addEventListener('webglcontextrestored', () => {
        const problem = ask('page_start', '#canvas');
        lost = problem !== '';
        say(problem, lost);
    });

    /* -- the pointer ----------------------------------------------------------------------- */

    const fingers = new Map();
    let pressed = false;

    function place(event) {
        const box = canvas.getBoundingClientRect();
        return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    }

    /* Mean place of the fingers and their mean distance from it, in heights of the canvas. */
    function spread() {
        const all = [...fingers.values()], wide = canvas.clientWidth / canvas.clientHeight;
        const x = all.reduce((sum, f) => sum + f[0] * wide, 0) / all.length;
        const y = all.reduce((sum, f) => sum + f[1], 0) / all.length;
        const size = all.reduce((sum, f) => sum + Math.hypot(f[0] * wide - x, f[1] - y), 0);
        return {x, y, size: size / all.length};
    }

    function press(button, event) {
        program._page_press(button, ...place(event));
        pressed = true;
    }

    function release() {
        if (pressed)
            program._page_release();
        pressed = false;
    }

    canvas.addEventListener('pointerdown', event => {
        if (!program)
            return;
        canvas.setPointerCapture(event.pointerId);
        if (event.pointerType !== 'touch') {
            press(event.button, event);
            return;
        }
        fingers.set(event.pointerId, place(event));
        release();
        if (fingers.size === 1)
            press(0, event);
        else
            press(fingers.size === 2 ? 2 : 1, event);
    });

    canvas.addEventListener('pointermove', event => {
        if (!program)
            return;
        const before = fingers.size > 1 ? spread() : null;
        if (fingers.has(event.pointerId))
            fingers.set(event.pointerId, place(event));
        if (before === null) {
            const high = canvas.clientHeight;
            program._page_move(...place(event), event.movementX / high, event.movementY / high);
            return;
        }
        const after = spread();
        program._page_move(...place(event), after.x - before.x, after.y - before.y);
        if (before.size > 1e-3 && after.size > 1e-3)
            program._page_zoom(Math.log(after.size / before.size) / Math.log(1.136));
    });

    function lift(event) {
        fingers.delete(event.pointerId);
        if (program)
            release();
    }
    canvas.addEventListener('pointerup', lift);
    canvas.addEventListener('pointercancel', lift);
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('wheel', event => {
        event.preventDefault();
        if (program)
            program._page_zoom(-event.deltaY / (event.deltaMode === 0 ? 100 : 3));
    }, {passive: false});

    /* -- the controls ---------------------------------------------------------------------- */

    function fill_tools() {
        id('tool').replaceChildren(...lines(ask('page_tools')).map((line, index) => {
            const chosen = line.startsWith('*');
            return new Option(line.replace('*', ''), index, chosen, chosen);
        }));
    }

    function open(name) {
        const problem = ask('page_open', name);
        say(problem);
        if (problem === '')
            setTimeout(fill_tools, 200);
    }

    function pause(on) {
        id('pause').setAttribute('aria-pressed', on);
        program._page_pause(on ? 1 : 0);
    }

    const actions = {
        detonate: () => program._page_detonate(),
        pause: () => pause(id('pause').getAttribute('aria-pressed') !== 'true'),
        restart: () => program._page_restart(),
        share,
        values: () => {
            const panel = id('panel');
            panel.hidden = !panel.hidden;
            id('values').setAttribute('aria-expanded', !panel.hidden);
            if (!panel.hidden)
                fill_panel();
        },
        photo: () => {
            frame_now();
            canvas.toBlob(picture => {
                const link = document.createElement('a');
                link.href = URL.createObjectURL(picture);
                link.download = id('scene').value + '.png';
                link.click();
                setTimeout(() => URL.revokeObjectURL(link.href), 1000);
            });
        },
    };

    /* A link that opens what is seen: the scene, the values that differ, and the camera. */
    async function share() {
        const link = new URL(location.href.split(/[?#]/)[0]);
        link.searchParams.set('scene', id('scene').value);
        for (const line of lines(ask('page_changes')))
            link.searchParams.append('set', line);
        history.replaceState(null, '', link);
        try {
            await navigator.clipboard.writeText(link.href);
            say('The link is copied.');
        } catch (error) {
            say('The link is in the address bar.');
        }
    }

    /* Draws a picture that the browser has not shown and cleared yet. */
    function frame_now() {
        program._page_redraw();
        ask('page_frame', canvas.width, canvas.height);
    }

    const keys = {e: 'detonate', ' ': 'pause', r: 'restart', g: 'share', v: 'values', p: 'photo'};

    function start_controls() {
        id('scene').replaceChildren(...lines(ask('page_scenes')).map(line => {
            const [name, title] = line.split('\t');
            const option = new Option(name, name);
            option.title = title;
            return option;
        }));
        id('scene').addEventListener('change', () => open(id('scene').value));
        id('tool').addEventListener('change', () => {
            const problem = ask('page_use_tool', +id('tool').value);
            say(problem);
            if (problem !== '')
                fill_tools();
        });
        for (const name in actions)
            id(name).addEventListener('click', actions[name]);
        canvas.addEventListener('keydown', event => {
            const name = keys[event.key];
            if (name && !event.ctrlKey && !event.metaKey) {
                event.preventDefault();
                actions[name]();
            }
        });
        addEventListener('dragover', event => event.preventDefault());
        addEventListener('drop', async event => {
            event.preventDefault();
            const file = event.dataTransfer.files[0];
            if (file)
                say(ask('page_open_text', file.name, await file.text()));
        });
        setInterval(() => { id('figures').textContent = ask('page_figures'); }, 250);
    }

    /* -- the panel ----------------------------------------------------------------------------- */

    function set(path, value) {
        const problem = ask('page_set', path + '=' + value);
        say(problem);
        if (problem !== '')
            fill_panel();
    }

    function element(name, values) {
        return Object.assign(document.createElement(name), values);
    }

    /* A slider's place, 0 to 1, for a value: the square root near the least value, where most
     * values are of interest. */
    const place_of = (value, key) => Math.sqrt(Math.max(value - key.least, 0) / key.range);
    const value_at = (place, key) => key.least + key.range * place * place;

    function number_control(key) {
        const number = element('input', {type: 'number', step: 'any', value: key.value});
        const slider = element('input',
            {type: 'range', min: 0, max: 1, step: 0.001, value: place_of(+key.value, key)});
        slider.setAttribute('aria-label', key.path);
        slider.addEventListener('input', () => {
            const value = value_at(+slider.value, key);
            number.value = key.kind === 'whole' ? Math.round(value) : +value.toPrecision(3);
            set(key.path, number.value);
        });
        number.addEventListener('change', () => {
            slider.value = place_of(+number.value, key);
            set(key.path, number.value);
        });
        return [number, slider];
    }

    function control(key) {
        const name = key.path.split('.').slice(1).join('.').replace(/_/g, ' ');
        const text = element('span', {textContent: name + (key.unit ? ', ' + key.unit : '')});
        const label = element('label', {title: key.meaning});
        if (key.kind === 'number' || key.kind === 'whole')
            label.append(text, ...number_control(key));
        else if (key.kind === 'switch') {
            const box = element('input', {type: 'checkbox', checked: key.value === 'true'});
            box.addEventListener('change', () => set(key.path, box.checked));
            label.append(text, box);
        } else if (key.kind === 'word') {
            const list = element('select', {});
            list.append(...key.words.map(word => new Option(word, word, false, word === key.value)));
            list.addEventListener('change', () => set(key.path, list.value));
            label.append(text, list);
        } else {
            const parts = key.value.replace(/[[\]]/g, '').split(',').map(Number);
            const hex = parts.map(part =>
                Math.round(255 * Math.min(Math.max(part, 0), 1)).toString(16).padStart(2, '0'));
            const color = element('input', {type: 'color', value: '#' + hex.join('')});
            color.addEventListener('input', () => {
                const given = color.value.match(/\w\w/g).map(pair => parseInt(pair, 16) / 255);
                set(key.path, '[' + given.map(part => part.toFixed(4)).join(', ') + ']');
            });
            label.append(text, color);
        }
        return label;
    }

    function fill_panel() {
        const groups = new Map(), opened = new Set();
        for (const group of id('panel').querySelectorAll('details[open]'))
            opened.add(group.dataset.group);
        for (const line of lines(ask('page_keys'))) {
            const [path, kind, least, most, unit, meaning, words, value] = line.split('\t');
            const group = path.split('.')[0];
            if (!path.includes('.'))
                continue;
            if (!groups.has(group)) {
                const made = element('details', {open: opened.has(group)});
                made.dataset.group = group;
                made.append(element('summary', {textContent: group}));
                groups.set(group, made);
            }
            groups.get(group).append(control({path, kind, least: +least, range: +most - +least,
                unit, meaning, words: words.split('|'), value}));
        }
        id('panel').replaceChildren(...groups.values());
    }

    /* -- the start ------------------------------------------------------------------------- */

    async function start() {
        const url = new URL(script, document.currentScript ? document.currentScript.src : location.href);
        program = await createBillow({mainScriptUrlOrBlob: url.href});
        const problem = ask('page_start', '#canvas');
        if (problem !== '') {
            say(problem, true);
            return;
        }
        start_controls();
        id('scene').value = words.get('scene') || 'plume';
        open(words.get('scene') || 'plume');
        frame();
        for (const assignment of words.getAll('set')) {
            const refused = ask('page_set', assignment);
            if (refused !== '')
                say(refused);
        }
        if (!threads)
            say('On one thread: the server does not send the headers that threads need.');
    }

    const loader = document.createElement('script');
    loader.src = script;
    loader.onload = () => start().catch(error => say('Billow cannot start: ' + error.message, true));
    loader.onerror = () => say('Billow cannot start: ' + script + ' is missing.', true);
    say('Loading', true);
    document.body.append(loader);
    window.billow = {ask: (...values) => ask(...values), ready: () => program !== undefined};
})();
