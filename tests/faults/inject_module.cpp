/* SPDX-License-Identifier: MIT
 * The OpenVDB module and its library ask for memory by operator new, which the program takes over
 * here for all that it loads (--export-dynamic-symbol): std::bad_alloc, once the module is there.
 */
extern "C" {
#include "inject.h"
}

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <malloc.h>
#include <new>

/* By inject_library.c, when the module has been opened. */
extern "C" {
void *__real_malloc(std::size_t size);
std::atomic<bool> fault_module_loaded;
void fault_note_module(const char *path);

void fault_note_module(const char *path)
{
    if (path != nullptr && std::strstr(path, "openvdb") != nullptr)
        fault_module_loaded = true;
}
}

static bool strikes(const void *caller)
{
    Dl_info from;
    return fault_module_loaded && dladdr(caller, &from) != 0 && from.dli_fname != nullptr &&
           std::strstr(from.dli_fname, "openvdb") != nullptr &&
           fault_strikes(FAULT_MODULE, "operator new", caller);
}

/* Where memory has run out for good, what was given back since can be had again: bytes. */
static std::atomic<bool> ran_out;
static std::atomic<long> given_back;

static bool refuses(std::size_t size, const void *caller)
{
    if (!strikes(caller))
        return false;
    ran_out = true;
    if (given_back.fetch_sub(static_cast<long>(size)) >= static_cast<long>(size))
        return false;
    given_back += static_cast<long>(size);
    return true;
}

/* As the real one: a handler that does not throw has made room. */
static void *take(std::size_t size, const void *caller)
{
    for (;;) {
        void *memory = refuses(size, caller) ? nullptr : __real_malloc(size != 0 ? size : 1);
        if (memory != nullptr)
            return memory;
        std::new_handler handler = std::get_new_handler();
        if (handler == nullptr)
            throw std::bad_alloc();
        handler();
    }
}

static void give_back(void *memory)
{
    if (ran_out)
        given_back += static_cast<long>(malloc_usable_size(memory));
    std::free(memory);
}

void *operator new(std::size_t size)
{
    return take(size, FAULT_CALLER);
}

void *operator new[](std::size_t size)
{
    return take(size, FAULT_CALLER);
}

void operator delete(void *memory) noexcept
{
    give_back(memory);
}

void operator delete[](void *memory) noexcept
{
    give_back(memory);
}

void operator delete(void *memory, std::size_t) noexcept
{
    give_back(memory);
}

void operator delete[](void *memory, std::size_t) noexcept
{
    give_back(memory);
}
