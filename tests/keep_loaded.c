/* SPDX-License-Identifier: MIT
 * Prevents the unloading of libraries, for LeakSanitizer. The graphics driver keeps memory in its
 * globals until the process ends. After it is unloaded nothing points to that memory, and
 * LeakSanitizer reports a leak of an unknown module, which no suppression can name. */
int dlclose(void *handle);

int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
