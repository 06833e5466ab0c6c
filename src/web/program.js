/* SPDX-License-Identifier: MIT
 *
 * Stands before the script that Emscripten writes. The program's memory is shared. Every browser
 * creates such a memory, but only a page that is isolated from others has the name
 * SharedArrayBuffer and may give the memory to a thread. Where the name is missing here, the
 * program starts no thread (emscripten_has_threading_support). The option `single` hides it. */
var SharedArrayBuffer = Module.single ? undefined : globalThis.SharedArrayBuffer;

/* Some phones refuse to reserve addresses for 2 GB. */
for (let most = 2048; !Module.wasmMemory; most /= 2) // MB
    try {
        Module.wasmMemory =
            new WebAssembly.Memory({initial: 96 * 16, maximum: most * 16, shared: true}); // pages
    } catch (error) {
        if (most <= 256)
            throw error;
    }
