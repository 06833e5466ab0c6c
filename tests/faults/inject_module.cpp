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

void *operator new(std::size_t size)
{
    void *memory = strikes(FAULT_CALLER) ? nullptr : __real_malloc(size != 0 ? size : 1);
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}

void *operator new[](std::size_t size)
{
    void *memory = strikes(FAULT_CALLER) ? nullptr : __real_malloc(size != 0 ? size : 1);
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}

void operator delete(void *memory) noexcept
{
    std::free(memory);
}

void operator delete[](void *memory) noexcept
{
    std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept
{
    std::free(memory);
}

void operator delete[](void *memory, std::size_t) noexcept
{
    std::free(memory);
}
