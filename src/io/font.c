/* SPDX-License-Identifier: MIT */
#include "font.h"

#include "fail.h"

#include <string.h>

static const char ran_short[] = "not enough memory to look for fonts";

bool font_ran_short(const BillowError *error)
{
    return strcmp(error->text, ran_short) == 0;
}

#ifndef BILLOW_LETTERING

bool font_find(const char *font, char *path, size_t size, BillowError *error)
{
    (void)font, (void)path, (void)size;
    return fail(error, "this build of Billow draws no letters; install FreeType and fontconfig "
                       "(libfreetype-dev, libfontconfig-dev) and build it again");
}

#else

#include <fontconfig/fontconfig.h>
#include <stdio.h>

bool font_find(const char *font, char *path, size_t size, BillowError *error)
{
    const bool any = font[0] == '\0';
    FcConfig *config = FcInitLoadConfigAndFonts();
    FcPattern *wanted = FcNameParse((const FcChar8 *)(any ? "DejaVu Sans:bold" : font));
    FcChar8 *asked = NULL, *family = NULL, *file = NULL;
    bool good = config != NULL && wanted != NULL &&
                FcPatternGetString(wanted, FC_FAMILY, 0, &asked) == FcResultMatch;
    FcPattern *query = good ? FcPatternDuplicate(wanted) : NULL, *found = NULL;
    /* Fonts or not, these are had wherever there is memory. */
    bool ready = config != NULL && wanted != NULL && (!good || query != NULL);
    good = good && ready;
    if (good) {
        FcResult result = FcResultNoMatch;
        FcConfigSubstitute(config, query, FcMatchPattern);
        FcDefaultSubstitute(query);
        found = FcFontMatch(config, query, &result);
        ready = found != NULL || result != FcResultOutOfMemory;
        good = found != NULL && FcPatternGetString(found, FC_FILE, 0, &file) == FcResultMatch &&
               FcPatternGetString(found, FC_FAMILY, 0, &family) == FcResultMatch &&
               (any || FcStrCmpIgnoreCase(asked, family) == 0);
    }
    if (good)
        snprintf(path, size, "%s", (const char *)file);
    if (found != NULL)
        FcPatternDestroy(found);
    if (query != NULL)
        FcPatternDestroy(query);
    if (wanted != NULL)
        FcPatternDestroy(wanted);
    if (config != NULL)
        FcConfigDestroy(config);
    FcFini();
    if (!ready)
        return fail(error, "%s", ran_short);
    return good || fail(error,
                        any ? "no font is installed; DejaVu Sans (fonts-dejavu-core) is one"
                            : "no font named '%.100s' is installed",
                        font);
}

#endif
