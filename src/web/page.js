/* SPDX-License-Identifier: MIT
 *
 * The page around the smoke (billow.js): its controls, its keys and its words. */
'use strict';
(function () {
    const id = name => document.getElementById(name);
    const canvas = id('canvas'), message = id('message');
    const words = new URLSearchParams(location.search);
    const LINK_MOST = 64000; // letters in a link, which all browsers take
    const SPEED_WORDS = {0.125: '1/8', 0.25: '1/4', 0.5: '1/2'};
    const NAME = 'billow.name'; // of the own hand, in the browser's memory for this site
    let smoke, told = 0, byKey = false, notices = 0, stage = '';

    function say(text, stays) {
        message.textContent = text;
        clearTimeout(told);
        if (text !== '' && !stays)
            told = setTimeout(() => { message.textContent = ''; }, 2000 + 60 * text.length);
    }

    /* Acts, and says what is wrong. Returns whether all went well. */
    function attempt(act) {
        try {
            act();
            say('');
            return true;
        } catch (error) {
            say(error.message);
            return false;
        }
    }

    function element(name, values, ...children) {
        const made = Object.assign(document.createElement(name), values);
        made.append(...children);
        return made;
    }

    /* -- the controls ---------------------------------------------------------------------- */

    function fillTools() {
        id('tool').replaceChildren(...smoke.tools().map(
            ({name, chosen}, index) => new Option(name, index, chosen, chosen)));
    }

    function open(name) {
        delete id('scene').dataset.begun; // also the same scene fills the panel anew
        const good = attempt(() => smoke.open(name));
        id('scene').value = smoke.scene();
        if (good)
            history.replaceState(null, '', plainLink());
    }

    /* A link to this page, which opens the built-in scene. */
    function plainLink() {
        const link = new URL(location.href.split(/[?#]/)[0]);
        if (smoke.scenes().some(scene => scene.name === smoke.scene()))
            link.searchParams.set('scene', smoke.scene());
        return link;
    }

    /* Shows what belongs to a scene that has begun. */
    function showScene(begun) {
        smoke = begun;
        const name = smoke.scene(), list = id('scene'), before = list.dataset.begun;
        if (![...list.options].some(option => option.value === name))
            list.append(new Option(name, name)); // a host's
        list.value = list.dataset.begun = name;
        fillTools();
        if (name !== before)
            fillPanel();
    }

    /* Opens the scene that comes so many places later in the list. */
    function openNext(places) {
        const names = [...id('scene').options].map(option => option.value);
        const next = names.indexOf(id('scene').value) + places;
        open(names[(next + names.length) % names.length]);
    }

    function showFigures() {
        id('figures').textContent = smoke.figures();
        id('pause').setAttribute('aria-pressed', smoke.paused);
        id('record').setAttribute('aria-pressed', smoke.recording);
    }

    /* -- others ---------------------------------------------------------------------------- */

    /* The key in the address, which the browser does not send to the server. */
    function keyInAddress() {
        const given = /^#key=(.+)/.exec(location.hash);
        try {
            return given && decodeURIComponent(given[1]);
        } catch (error) {
            return given[1]; // with a % that stands for itself
        }
    }

    /* A host's page lies in a folder that is named by its token. Its link may come without the key. */
    function askForKey() {
        const key = /^\/[0-9a-f]{32}\//.test(location.pathname) &&
            prompt("The session's key, which the host shows; without it the smoke is yours alone.");
        if (key)
            location.hash = 'key=' + key.trim(); // loads the page again
    }

    const nameInput = element('input', {maxLength: 31, autocomplete: 'nickname', onchange: () => {
        localStorage.setItem(NAME, nameInput.value.trim());
        location.reload(); // joins with the new name
    }});
    nameInput.setAttribute('aria-label', 'Your name');

    function personRow({name, self, color, delay, behind}) {
        const dot = element('i', {});
        dot.style.background = color;
        if (self)
            nameInput.value = name;
        const row = element('li', {}, dot, self ? nameInput : element('span', {textContent: name}));
        if (delay > 0 || behind > 0)
            row.append(element('span', {textContent: `${delay} ms` +
                (behind > 0 ? `, ${Math.min(behind, 999)} steps behind` : '')}));
        return row;
    }

    function showPointers(people) {
        id('pointers').replaceChildren(...people.filter(person => person.pointer).map(
            ({name, color, pointer: [x, y]}) => {
                const ring = element('i', {}), mark = element('span', {}, name, ring);
                mark.style.left = 100 * x + '%';
                mark.style.top = 100 * y + '%';
                ring.style.borderColor = color;
                return mark;
            }));
    }

    function showStage(session) {
        stage = session.stage;
        id('scene').disabled = stage === 'joining' || stage === 'shared';
        if (stage === 'shared')
            say('');
        if (stage !== 'failed')
            return;
        smoke.open('play');
        say(`Cannot join: ${session.why.replace(/[^?]$/, '$&.')} Ask the host for a new link, or reload this page to try ` +
            'again.', true);
    }

    function showSession() {
        const session = smoke.session(), list = id('people');
        if (session === null)
            return;
        if (session.stage !== stage)
            showStage(session);
        if (session.notices !== notices && stage !== 'failed')
            say(session.notice);
        notices = session.notices;
        list.hidden = session.people.length === 0;
        if (!list.contains(document.activeElement))
            list.replaceChildren(...session.people.map(personRow));
    }

    function followPointers() {
        requestAnimationFrame(followPointers);
        const session = smoke.session();
        if (session !== null)
            showPointers(session.people);
    }

    function pause(on) {
        smoke.pause(on);
        showFigures();
    }

    function show(button, on, fill) {
        id(id(button).getAttribute('aria-controls')).hidden = !on;
        id(button).setAttribute('aria-expanded', on);
        document.body.classList.toggle('sheet', !id('panel').hidden);
        if (on)
            fill();
    }

    function closeAll() {
        show('help', false);
        show('values', false);
    }

    /* Opens or closes what a button controls. A phone has no room for both beside each other. */
    function toggle(button, fill) {
        const on = id(button).getAttribute('aria-expanded') !== 'true';
        if (innerWidth <= 940)
            closeAll();
        show(button, on, fill);
    }

    /* After a choice by the pointer, keys belong to the picture again. */
    function leaveControl() {
        if (!byKey)
            canvas.focus();
    }

    async function photo() {
        let picture;
        try {
            picture = await smoke.photo();
        } catch (error) {
            say(error.message);
            return;
        }
        const name = smoke.scene().replace(/\.\w+$/, '') + '.png';
        const link = element('a', {href: URL.createObjectURL(picture), download: name});
        link.click();
        say('Saved ' + name + '.');
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }

    /* -- links ----------------------------------------------------------------------------- */

    const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

    /* Bytes as letters of an address: compressed, in base64url. */
    async function packed(bytes) {
        const small = new Uint8Array(await through(bytes, new CompressionStream('deflate-raw')));
        const letters = btoa(Array.from(small, byte => String.fromCharCode(byte)).join(''));
        return letters.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
    }

    async function unpacked(text) {
        const letters = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
        return new Uint8Array(await through(Uint8Array.from(letters, letter => letter.charCodeAt(0)),
            new DecompressionStream('deflate-raw')));
    }

    /* The link's fragment holds a file, which the browser does not send to the server. */
    async function linkWith(name, bytes) {
        const link = new URL(location.href.split(/[?#]/)[0]);
        link.hash = new URLSearchParams({file: name, data: await packed(bytes)});
        if (link.href.length > LINK_MOST)
            throw new Error(`${name} would make a link of ${link.href.length} letters; the most are ${LINK_MOST}.`);
        return link;
    }

    /* The file that the address holds, as billow takes it; null: none. */
    async function fileInAddress() {
        const fragment = new URLSearchParams(location.hash.slice(1));
        if (!fragment.has('data'))
            return null;
        return [fragment.get('file').replace(/.*\//, ''), await unpacked(fragment.get('data'))];
    }

    /* A link that opens what is seen: the strokes of a recording, the built-in scene with the values
     * that differ, or else the scene as a file. */
    async function linkOfView() {
        if (smoke.follows)
            return location; // with which others join, too
        if (smoke.recording)
            return linkWith(smoke.scene().replace(/\.\w+$/, '') + '.bwr', await smoke.recorded());
        const changes = smoke.changes(), link = plainLink();
        if (changes === null)
            return linkWith(smoke.scene().replace(/\.\w+$/, '') + '.yaml', smoke.file());
        changes.forEach(assignment => link.searchParams.append('set', assignment));
        if (link.href.length > LINK_MOST)
            return linkWith(smoke.scene() + '.yaml', smoke.file());
        return link;
    }

    async function share() {
        let link;
        try {
            link = await linkOfView();
        } catch (error) {
            say('No link holds this: ' + error.message);
            return;
        }
        history.replaceState(null, '', link.href);
        try {
            await navigator.clipboard.writeText(link.href);
            say('The link is copied.');
        } catch (error) {
            say('The link is in the address bar.');
        }
    }

    /* Records strokes, or ends that with a link that plays them. */
    function record() {
        if (smoke.recording)
            share();
        else if (attempt(() => smoke.record()))
            say('The scene starts again. Share makes a link that plays your strokes.');
    }

    function changeSpeed(doublings) {
        const speed = smoke.speed(doublings);
        say('speed ' + (SPEED_WORDS[speed] || speed));
    }

    function brush(steps) {
        say(smoke.brush(steps));
        fillTools();
    }

    /* What the buttons of these names do. */
    const actions = {
        detonate: () => smoke.detonate([0.5, 0.5]),
        pause: () => pause(id('pause').getAttribute('aria-pressed') !== 'true'),
        restart: () => smoke.restart(),
        photo,
        record,
        share,
        values: () => toggle('values', fillPanel),
        help: () => toggle('help', fillHelp),
    };

    /* The keys, as in the window: key, name in the help, what it does, and how. */
    const keys = [
        [' ', 'space', 'pause, go on', actions.pause],
        ['<', '<  >', 'slower, faster', () => changeSpeed(-1)],
        ['>', '', '', () => changeSpeed(1)],
        ['.', '.', 'one step', () => { pause(true); smoke.step(); }],
        ['r', 'R', 'clear the smoke: start the scene again', actions.restart],
        ['0', '0', 'scene: play, where every tool works', () => open('play')],
        ['PageUp', 'PgUp, PgDn', 'previous, next scene; 1 to 9 open one', () => openNext(-1)],
        ['PageDown', '', '', () => openNext(1)],
        ['b', 'B', 'the next tool of the brush (shift: back)', () => brush({tool: 1})],
        ['B', '', '', () => brush({tool: -1})],
        ['q', 'Q  W  A  S', 'make the brush smaller, larger, weaker, stronger',
            () => brush({size: -1})],
        ['w', '', '', () => brush({size: 1})],
        ['a', '', '', () => brush({strength: -1})],
        ['s', '', '', () => brush({strength: 1})],
        ['h', 'H', 'next colour of the brush (shift: previous)', () => brush({color: 1})],
        ['H', '', '', () => brush({color: -1})],
        ['e', 'E', 'detonate at the pointer', () => smoke.detonate()],
        ['F10', 'F10', 'record strokes; again: a link that plays them', actions.record],
        ['m', 'M', 'sound on, off', () => { smoke.sound = !smoke.sound; }],
        ['g', 'G', 'a link that opens the same view', actions.share],
        ['u', 'U', 'hide or show the texts and buttons',
            () => document.body.classList.toggle('bare')],
        ['F1', 'F1', 'this help', actions.help],
        ['Escape', 'Esc', 'close the help and the values', closeAll],
        ['ArrowLeft', 'arrows', 'turn the view', () => smoke.turn(-0.05, 0)],
        ['ArrowRight', '', '', () => smoke.turn(0.05, 0)],
        ['ArrowUp', '', '', () => smoke.turn(0, -0.05)],
        ['ArrowDown', '', '', () => smoke.turn(0, 0.05)],
        ['+', '+  -', 'nearer, farther', () => smoke.zoom(1)],
        ['-', '', '', () => smoke.zoom(-1)],
    ];
    /* What the mouse and what fingers do. */
    const pointerHelp = [
        ['drag', 'one finger', 'brush the smoke; on a solid, move or throw that'],
        ['right drag', 'two fingers', 'turn the view'],
        ['middle drag', 'three fingers', 'move the view'],
        ['wheel', 'pinch', 'nearer, farther; in a stroke, the brush farther, nearer'],
        ['drop', '', 'a scene, checkpoint or recording plays, a mesh joins the scene, a panorama lights it'],
    ];

    /* Whether a key belongs to the control that has the focus. */
    function isForControl({key, target}) {
        const used = target.closest('button, summary') ? [' ', 'Enter'] :
            ['Arrow', 'Page', 'Home', 'End', ' ', 'Enter'];
        const writes = 'select, #people, input[type=number], input[type=text], input[type=search]';
        return key !== 'Escape' && (target.closest(writes) ||
            (target.closest('input, button, summary') && used.some(name => key.startsWith(name))));
    }

    function press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || isForControl(event))
            return;
        const row = keys.find(([key]) => key === event.key) ||
            keys.find(([key]) => key === event.key.toLowerCase());
        const scene = /^[1-9]$/.test(event.key) ? smoke.scenes()[event.key - 1] : undefined;
        if (!row && !scene)
            return;
        event.preventDefault();
        if (row)
            row[3]();
        else
            open(scene.name);
    }

    function fillHelp() {
        const touch = matchMedia('(pointer: coarse)').matches;
        const rows = pointerHelp.map(([mouse, finger, does]) => [touch ? finger : mouse, does])
            .concat(touch ? [] : keys.map(row => row.slice(1))).filter(([name]) => name !== '');
        id('keys').replaceChildren(...rows.flatMap(([name, does]) =>
            [element('dt', {textContent: name}), element('dd', {textContent: does})]));
    }

    /* Takes dropped files. Beside a scene file, the others are those that it names. */
    async function drop(event) {
        event.preventDefault();
        const box = canvas.getBoundingClientRect();
        const place = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
        let files;
        try {
            files = await Promise.all([...event.dataTransfer.files].map(async file =>
                [file.name.replace(/.*[/\\]/, ''), new Uint8Array(await file.arrayBuffer())]));
        } catch {
            say('Folders cannot be dropped here, only files.');
            return;
        }
        const scene = files.find(([name]) => /\.ya?ml$/i.test(name));
        if (scene)
            files = [[...scene, files.filter(file => file !== scene)]];
        for (const [name, bytes, beside] of files) {
            let taken;
            if (attempt(() => { taken = smoke.take(name, bytes, place, beside); }))
                showTaken(taken);
        }
    }

    function showTaken(name) {
        history.replaceState(null, '', plainLink());
        if (smoke.scene() === name)
            delete id('scene').dataset.begun;
        else
            say(name + (/\.hdr$/i.test(name) ? ' lights the scene.' : ' stands in the scene.'));
    }

    function startControls() {
        id('scene').replaceChildren(...smoke.scenes().map(({name, title}) =>
            Object.assign(new Option(name, name), {title})));
        id('scene').addEventListener('change', () => {
            open(id('scene').value);
            leaveControl();
        });
        id('tool').addEventListener('change', () => {
            if (!attempt(() => smoke.useTool(+id('tool').value)))
                fillTools();
            leaveControl();
        });
        id('panel').addEventListener('submit', event => event.preventDefault());
        for (const name in actions)
            id(name).addEventListener('click', actions[name]);
        addEventListener('keydown', () => { byKey = true; }, {capture: true});
        addEventListener('pointerdown', () => { byKey = false; }, {capture: true});
        document.addEventListener('keydown', press);
        addEventListener('dragover', event => event.preventDefault());
        addEventListener('drop', drop);
        setInterval(showFigures, 250);
    }

    /* -- the panel ----------------------------------------------------------------------------- */

    function set(path, value) {
        if (!attempt(() => smoke.set(path + '=' + value)))
            fillPanel();
    }

    /* Values that a slider reaches: up to four times the present one, or 1, and what the key takes.
     * The field beside it takes all others. */
    function reach(key) {
        const most = 4 * Math.max(Math.abs(+key.value), key.kind === 'whole' ? 4 : 0.25);
        return {least: Math.max(key.least, -most), most: Math.min(key.most, most)};
    }

    /* A slider's place, 0 to 1, for a value. */
    const placeOf = (value, {least, most}) => (value - least) / (most - least);
    const valueAt = (place, {least, most}) => least + (most - least) * place;

    function numberControl(key) {
        const range = reach(key);
        const number = element('input', {type: 'number', step: 'any', value: key.value, onchange: () => {
            slider.value = placeOf(+number.value, range);
            set(key.path, number.value);
        }});
        const slider = element('input', {type: 'range', min: 0, max: 1, step: 0.001,
            value: placeOf(+key.value, range), oninput: () => {
                const value = valueAt(+slider.value, range);
                number.value = key.kind === 'whole' ? Math.round(value) : +value.toPrecision(3);
                set(key.path, number.value);
            }});
        slider.setAttribute('aria-label', key.path);
        return [number, slider];
    }

    function switchControl(key) {
        return [element('input', {type: 'checkbox', checked: key.value === 'true',
            onchange: event => set(key.path, event.target.checked)})];
    }

    function wordControl(key) {
        return [element('select', {onchange: event => set(key.path, event.target.value)},
            ...key.words.map(word => new Option(word, word, false, word === key.value)))];
    }

    function colorControl(key) {
        const parts = key.value.replace(/[[\]]/g, '').split(',').map(Number);
        const hex = parts.map(part =>
            Math.round(255 * Math.min(Math.max(part, 0), 1)).toString(16).padStart(2, '0'));
        return [element('input', {type: 'color', value: '#' + hex.join(''), oninput: event => {
            const given = event.target.value.match(/\w\w/g).map(pair => parseInt(pair, 16) / 255);
            set(key.path, '[' + given.map(part => part.toFixed(4)).join(', ') + ']');
        }})];
    }

    function numbersControl(key) {
        const line = element('input', {type: 'text', value: key.value.replace(/[[\]]/g, ''),
            onchange: () => set(key.path, line.value.includes(',') ? '[' + line.value + ']' : line.value)});
        return [line];
    }

    const makers = {number: numberControl, whole: numberControl, switch: switchControl,
        word: wordControl, color: colorControl, numbers: numbersControl};

    const inWords = path => path.replace(/[._]/g, ' ');

    /* whole: name the value with its group. */
    function control(key, whole) {
        const own = inWords(key.path.replace(/^[^.]+\./, ''));
        const name = !whole ? own : key.title ? key.title + ' ' + own : inWords(key.path);
        const text = element('span', {textContent: name + (key.unit ? ', ' + key.unit : '')});
        return element('label', {title: key.meaning}, text, ...makers[key.kind](key));
    }

    const search = element('input', {type: 'search', placeholder: 'Find a value',
        oninput: () => fillPanel()});
    search.setAttribute('aria-label', 'Find a value');
    const first = element('div'), groups = element('div');

    /* The values by groups, of which those stay open that are. */
    function valueGroups() {
        const made = new Map(), opened = new Set();
        for (const group of groups.querySelectorAll('details[open]'))
            opened.add(group.dataset.group);
        for (const key of smoke.keys()) {
            const name = key.path.includes('.') ? key.path.split('.')[0] : 'picture';
            if (!made.has(name)) {
                const group = element('details', {open: opened.has(name)},
                    element('summary', {}, key.title || inWords(name)));
                group.dataset.group = name;
                made.set(name, group);
            }
            made.get(name).append(control(key, false));
        }
        return made.values();
    }

    /* What matters first, then all values; while something is sought, what is found. */
    function fillPanel() {
        if (id('panel').hidden)
            return;
        if (!search.isConnected)
            id('panel').append(search, first, groups);
        const words = search.value.trim(), rows = words ? smoke.keys(words) : smoke.firstKeys();
        first.replaceChildren(...rows.map(key => control(key, true)));
        if (words && !rows.length)
            first.append('No value has these words in its name or its meaning.');
        groups.hidden = words !== '';
        if (!words)
            groups.replaceChildren(...valueGroups(), element('button', {type: 'button',
                textContent: 'All as in the scene', onclick: () => open(smoke.scene())}));
    }

    /* -- ?verify ------------------------------------------------------------------------------- */

    const hashScenes = ['plume', 'fire', 'explosion', 'gases', 'clouds', 'sphere'];

    function verifyRow(table, cells) {
        table.append(element('tr', {className: cells[cells.length - 1]},
            ...cells.map(text => element('td', {}, text))));
    }

    const soon = () => new Promise(resolve => setTimeout(resolve, 50));

    /* Compares this browser's results with the literature and with the program's. */
    async function verify() {
        const body = id('verify').querySelector('tbody'), state = id('verify').querySelector('p');
        id('verify').hidden = false;
        pause(true);
        for (const scene of hashScenes) {
            state.textContent = 'The state of ' + scene;
            await soon();
            verifyRow(body, ['billow sim ' + scene + ' --grid 32 --steps 20', 'state_hash',
                smoke.ask('page_hash', scene, 32, 20, 0), '', '', '', 'reported']);
        }
        const thread = smoke.program._page_verify_start() !== 0;
        let shown = 0, ended = false;
        for (let index = 0; !ended; index++) {
            await soon();
            if (!thread)
                smoke.program._page_verify_case(index);
            const text = smoke.ask('page_verify_results');
            const complete = text.slice(0, text.lastIndexOf('\n') + 1).split('\n').slice(0, -1);
            for (; shown < complete.length && !ended; shown++) {
                ended = complete[shown] === '';
                if (!ended)
                    verifyRow(body, complete[shown].split('\t'));
            }
            const bad = body.querySelectorAll('.outside, .failed').length;
            state.textContent = (ended ? 'Done: ' : 'Running: ') + body.children.length +
                ' rows, ' + bad + ' outside their tolerance';
        }
    }

    /* -- the start ------------------------------------------------------------------------- */

    async function start() {
        const file = await fileInAddress().catch(() => undefined);
        const names = {scene: words.get('scene') || 'play', file, set: words.getAll('set'),
            single: words.has('single'), pointer: 'all', sound: !words.has('mute'), say,
            changed: showScene};
        const key = keyInAddress();
        addEventListener('hashchange', () => location.reload()); // another key
        if (!key)
            askForKey();
        if (key) {
            say('Joining ' + location.host, true);
            names.join = {key, name: localStorage.getItem(NAME) || 'guest'};
        }
        smoke = await billow(canvas, names);
        startControls();
        if (key) {
            setInterval(showSession, 250);
            followPointers();
        } else
            showScene(smoke);
        if (file === undefined)
            say('This link is broken: a part of it is missing or wrong. Ask for it again.');
        else if (message.textContent === 'Loading')
            say(smoke.threads ? '' : 'On one thread: ' + (names.single ? 'so the address says.' :
                location.protocol === 'file:' ? 'the page was opened as a file.' :
                    'the server does not send the headers that threads need.'));
        window.smoke = smoke;
        if (words.has('verify'))
            await verify();
    }

    say('Loading', true);
    start().catch(error => say('Billow cannot start: ' + error.message, true));
})();
