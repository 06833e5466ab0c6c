/* SPDX-License-Identifier: MIT
 * Pictures to files and back, and files that are whole or absent. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "io/atomic_file.h"
#include "png_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Each test works in a folder of its own, which must be empty of all but what it made. */
static int enter_folder(void **state)
{
    char template[] = "/tmp/billow-test-image-XXXXXX";
    char *folder = mkdtemp(template);
    if (folder == NULL || chdir(folder) != 0)
        return -1;
    *state = strdup(folder);
    return *state != NULL ? 0 : -1;
}

static int leave_folder(void **state)
{
    DIR *folder = opendir(".");
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(entry->d_name);
    if (folder == NULL || closedir(folder) != 0 || chdir("/") != 0)
        return -1;
    int result = rmdir(*state);
    free(*state);
    return result;
}

static int count_files(void)
{
    DIR *folder = opendir(".");
    assert_non_null(folder);
    int count = -2; /* . and .. */
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *text)
{
    char found[64] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(found, 1, sizeof found - 1, file);
    fclose(file);
    assert_int_equal(length, strlen(text));
    assert_string_equal(found, text);
}

static Image pattern(int width, int height, int channels)
{
    Image image;
    BillowError error;
    assert_true(image_create(&image, width, height, channels, &error));
    size_t size = (size_t)width * (size_t)height * (size_t)channels;
    for (size_t i = 0; i < size; i++)
        image.pixels[i] = (uint8_t)(((uint32_t)i * 2654435761u) >> 24);
    return image;
}

static void test_round_trip(void **state)
{
    (void)state;
    static const int sizes[][3] = {{1, 1, 3}, {1, 1, 4}, {7, 5, 3}, {7, 5, 4}, {640, 3, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        Image image = pattern(sizes[i][0], sizes[i][1], sizes[i][2]), back;
        BillowError error;
        assert_true(image_write_png(&image, "a.png", &error));
        assert_true(png_read(&back, "a.png", &error));
        assert_int_equal(back.width, image.width);
        assert_int_equal(back.height, image.height);
        assert_int_equal(back.channels, image.channels);
        assert_memory_equal(back.pixels, image.pixels,
                            (size_t)image.width * (size_t)image.height * (size_t)image.channels);
        image_destroy(&image);
        image_destroy(&back);
        assert_int_equal(count_files(), 1);
    }
}

static uint32_t crc_of(const uint8_t *bytes, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static void put_number(uint8_t at[4], uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_chunk(FILE *file, const char *type, const uint8_t *data, size_t length)
{
    uint8_t chunk[64];
    put_number(chunk, (uint32_t)length);
    memcpy(chunk + 4, type, 4);
    memcpy(chunk + 8, data, length);
    put_number(chunk + 8 + length, crc_of(chunk + 4, 4 + length));
    fwrite(chunk, 1, 12 + length, file);
}

/* Two pixels of grey, 10 and 200: the kind that other programs write. The row is 00 0A C8, which
 * deflate stores as it is; its Adler-32 has a = 1 + 10 + 200 and b = 1 + 11 + 211. */
static void test_reads_grey(void **state)
{
    (void)state;
    static const uint8_t header[] = {0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0};
    static const uint8_t row[] = {0x78, 0x01, 0x01, 0x03, 0x00, 0xFC, 0xFF,
                                  0x00, 0x0A, 0xC8, 0x00, 0xDF, 0x00, 0xD3};
    FILE *file = fopen("grey.png", "wb");
    assert_non_null(file);
    fwrite("\x89PNG\r\n\x1A\n", 1, 8, file);
    put_chunk(file, "IHDR", header, sizeof header);
    put_chunk(file, "IDAT", row, sizeof row);
    put_chunk(file, "IEND", row, 0);
    assert_int_equal(fclose(file), 0);
    Image image;
    BillowError error;
    assert_true(png_read(&image, "grey.png", &error));
    assert_int_equal(image.channels, 3);
    assert_memory_equal(image.pixels, ((uint8_t[6]){10, 10, 10, 200, 200, 200}), 6);
    image_destroy(&image);
}

/* Other programs leave notes that are damaged: the picture is whole all the same, and nothing is
 * said. */
static void test_reads_past_damaged_notes(void **state)
{
    (void)state;
    static const uint8_t header[] = {0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0};
    static const uint8_t row[] = {0x78, 0x01, 0x01, 0x02, 0x00, 0xFD, 0xFF,
                                  0x00, 0x07, 0x00, 0x09, 0x00, 0x08};
    FILE *file = fopen("noted.png", "wb");
    assert_non_null(file);
    fwrite("\x89PNG\r\n\x1A\n", 1, 8, file);
    put_chunk(file, "IHDR", header, sizeof header);
    put_chunk(file, "gAMA", header, 1); /* which has 4 bytes */
    put_chunk(file, "IDAT", row, sizeof row);
    put_chunk(file, "IEND", row, 0);
    assert_int_equal(fclose(file), 0);
    Image image;
    BillowError error = {{0}};
    if (!png_read(&image, "noted.png", &error))
        fail_msg("%s", error.text);
    assert_memory_equal(image.pixels, ((uint8_t[3]){7, 7, 7}), 3);
    image_destroy(&image);
}

static size_t read_bytes(const char *path, uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, size, file);
    fclose(file);
    assert_true(length < size);
    return length;
}

static void test_from_memory(void **state)
{
    (void)state;
    Image image = pattern(5, 4, 3), back;
    BillowError error = {{0}};
    uint8_t bytes[2048];
    assert_true(image_write_png(&image, "a.png", &error));
    size_t length = read_bytes("a.png", bytes, sizeof bytes);
    assert_true(image_read_png_bytes(&back, bytes, length, 4, "here", &error));
    assert_true(back.width == 5 && back.height == 4 && back.channels == 4);
    for (int pixel = 0; pixel < 20; pixel++) {
        assert_memory_equal(back.pixels + 4 * pixel, image.pixels + 3 * pixel, 3);
        assert_int_equal(back.pixels[4 * pixel + 3], 255);
    }
    image_destroy(&back);
    image_destroy(&image);
    const size_t lengths[] = {0, 4, 40, length / 2}; /* in the name, the header, the rows */
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        assert_false(image_read_png_bytes(&back, bytes, lengths[i], 0, "here", &error));
        assert_int_equal(strncmp(error.text, "here: cannot be read: ", 22), 0);
        assert_null(back.pixels);
    }
}

static void test_bad_pictures(void **state)
{
    (void)state;
    Image image;
    BillowError error;
    assert_false(image_create(&image, 0, 5, 3, &error));
    assert_string_equal(error.text, "a picture of 0 x 5 pixels: each edge must be 1 to 65535");
    assert_false(image_create(&image, 5, 70000, 3, &error));
    assert_false(image_create(&image, 60000, 60000, 3, &error));
    assert_string_equal(error.text, "a picture of 60000 x 60000 pixels: it may hold at most 4 GB");
    assert_false(image_read_png_bytes(&image, "this is no picture", 18, 4, "text.png", &error));
    assert_string_equal(error.text, "text.png: cannot be read: Not a PNG file");
    assert_null(image.pixels);
}

/* A picture cut at every length and one with each byte changed: an error or a picture, no more.
 * What is cut off after the rows, two checksums and the end, is not missed. */
static void test_damaged_pictures(void **state)
{
    (void)state;
    Image image = pattern(9, 9, 4), back;
    BillowError error;
    assert_true(image_write_png(&image, "whole.png", &error));
    image_destroy(&image);
    uint8_t bytes[2048];
    size_t length = read_bytes("whole.png", bytes, sizeof bytes), end = length - 4 - 4 - 12;
    assert_true(length > 300);
    int ended = 0;
    for (size_t i = 0; i < 2 * length; i++) {
        bool cut = i < length;
        bytes[i % length] ^= cut ? 0 : 0x55;
        bool good = image_read_png_bytes(&back, bytes, cut ? i : length, 0, "a", &error);
        bytes[i % length] ^= cut ? 0 : 0x55;
        assert_false(i < end && good);
        ended += !good && strcmp(error.text, "a: cannot be read: read beyond end of data") == 0;
        assert_true(good == (back.pixels != NULL));
        image_destroy(&back);
    }
    assert_true(ended > 100);
}

static void test_unwritable(void **state)
{
    (void)state;
    Image image = pattern(300, 300, 3);
    BillowError error;
    assert_false(image_write_png(&image, "no/such/a.png", &error));
    assert_string_equal(error.text,
                        "no/such/a.png: cannot be written: there is no folder no/such/");
    assert_false(atomic_file_probe("no/such/a.png", &error));
    assert_false(image_write_png(&image, ".", &error));
    assert_string_equal(error.text, ".: cannot be written: it is a folder");
    assert_false(image_write_png(&image, "", &error));
    assert_string_equal(error.text, "the name of the file to write is empty");
    assert_false(image_write_png(&image, "new/", &error));
    assert_non_null(strstr(error.text, "there is no such folder"));
    put("file", "text");
    assert_false(image_write_png(&image, "file/a.png", &error));
    assert_string_equal(error.text, "file/a.png: cannot be written: there is no folder file/");
    assert_holds("file", "text");
    char longer[6000];
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_false(image_write_png(&image, longer, &error));
    assert_non_null(strstr(error.text, "this path is too long"));
    longer[300] = '\0';
    assert_false(image_write_png(&image, longer, &error));
    assert_non_null(strstr(error.text, "File name too long"));
    assert_int_equal(count_files(), 1);
    image_destroy(&image);
}

static void test_full_disk(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    BillowError error;
    for (int edge = 2; edge <= 300; edge += 298) { /* fails in the flush; fails while writing */
        Image image = pattern(edge, edge, 3);
        assert_false(image_write_png(&image, "/dev/full", &error));
        assert_string_equal(error.text,
                            "/dev/full: could not be written completely: No space left on device");
        image_destroy(&image);
    }
    assert_int_equal(count_files(), 0);
}

/* Runs as nobody, since root may write everywhere. */
static void test_unwritable_folder(void **state)
{
    (void)state;
    BillowError error;
    put("kept.png", "old");
    assert_int_equal(chmod("kept.png", 0444), 0);
    assert_int_equal(chmod(".", 0555), 0);
    if (geteuid() == 0 && seteuid(65534) != 0) {
        chmod(".", 0755);
        skip();
    }
    bool fresh = atomic_file_probe("a.png", &error);
    BillowError fresh_error = error;
    bool over = atomic_file_probe("kept.png", &error);
    BillowError over_error = error;
    if (geteuid() == 65534)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(".", 0755), 0);
    assert_false(fresh);
    assert_string_equal(fresh_error.text, "a.png: cannot be written: Permission denied");
    assert_false(over);
    assert_string_equal(over_error.text, "kept.png: cannot be written: Permission denied");
    assert_holds("kept.png", "old");
    assert_int_equal(count_files(), 1);
}

/* A file that its owner made read-only is not replaced, though its folder would allow that. */
static void test_read_only_file(void **state)
{
    (void)state;
    BillowError error;
    put("kept.png", "old");
    assert_int_equal(chmod("kept.png", 0444), 0);
    assert_int_equal(chmod(".", 0777), 0);
    if (geteuid() == 0 && seteuid(65534) != 0)
        skip();
    AtomicFile file;
    bool opened = atomic_file_open(&file, "kept.png", &error);
    if (geteuid() == 65534)
        assert_int_equal(seteuid(0), 0);
    assert_false(opened);
    assert_string_equal(error.text, "kept.png: cannot be written: Permission denied");
    assert_holds("kept.png", "old");
    assert_int_equal(count_files(), 1);
}

static void test_whole_or_not_at_all(void **state)
{
    (void)state;
    AtomicFile file;
    BillowError error;
    put("a.txt", "old");
    assert_int_equal(chmod("a.txt", 0640), 0);
    assert_true(atomic_file_open(&file, "a.txt", &error));
    fputs("new", file.stream);
    fflush(file.stream);
    assert_holds("a.txt", "old");
    assert_int_equal(count_files(), 2);
    atomic_file_abandon(&file);
    assert_holds("a.txt", "old");
    assert_int_equal(count_files(), 1);

    assert_true(atomic_file_open(&file, "a.txt", &error));
    fputs("new", file.stream);
    assert_true(atomic_file_commit(&file, &error));
    assert_holds("a.txt", "new");
    struct stat status;
    assert_int_equal(stat("a.txt", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(count_files(), 1);

    mode_t mask = umask(027);
    assert_true(atomic_file_open(&file, "b.txt", &error));
    assert_true(atomic_file_commit(&file, &error));
    umask(mask);
    assert_int_equal(stat("b.txt", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

/* The name is taken by a folder between opening and committing: the rename fails. */
static void test_failed_rename(void **state)
{
    (void)state;
    AtomicFile file;
    BillowError error;
    assert_true(atomic_file_open(&file, "a", &error));
    assert_int_equal(mkdir("a", 0777), 0);
    assert_false(atomic_file_commit(&file, &error));
    assert_string_equal(error.text, "a: could not be written completely: Is a directory");
    assert_int_equal(count_files(), 1);
}

/* Another program writes the file between opening and committing. */
static void test_keeps_what_others_write(void **state)
{
    (void)state;
    AtomicFile file;
    BillowError error;
    put("a", "theirs");
    assert_true(atomic_file_open(&file, "a", &error));
    fputs("ours", file.stream);
    file.replaces = false;
    assert_false(atomic_file_commit(&file, &error));
    assert_string_equal(error.text,
                        "a: another program has written it meanwhile; --force overwrites it");
    assert_holds("a", "theirs");
    assert_true(atomic_file_open(&file, "b", &error));
    fputs("ours", file.stream);
    file.replaces = false;
    assert_true(atomic_file_commit(&file, &error));
    assert_holds("b", "ours");
    struct stat status;
    assert_int_equal(stat("b", &status), 0);
    assert_int_equal(status.st_nlink, 1);
    assert_int_equal(count_files(), 2);
}

/* -- the order of the calls that put a file on the disk. The linker sends the calls of fsync and
 * rename through the functions below (--wrap), which write it down. */
#ifdef BILLOW_WRAPS

static char calls[64];
static bool disk_fails;

int __real_fsync(int descriptor);
int __real_rename(const char *from, const char *to);
int __wrap_fsync(int descriptor);
int __wrap_rename(const char *from, const char *to);

static void note_call(const char *call)
{
    strncat(calls, call, sizeof calls - strlen(calls) - 1);
}

int __wrap_fsync(int descriptor)
{
    struct stat status;
    assert_int_equal(fstat(descriptor, &status), 0);
    note_call(S_ISDIR(status.st_mode) ? "folder;" : status.st_size > 0 ? "file;" : "nothing yet;");
    errno = EIO;
    return disk_fails ? -1 : __real_fsync(descriptor);
}

int __wrap_rename(const char *from, const char *to)
{
    note_call("rename;");
    return __real_rename(from, to);
}

/* A power cut leaves the old file or the new one: the bytes are on the disk before the name is
 * theirs, and the name is before the writer goes on. */
static void test_on_the_disk_before_it_is_named(void **state)
{
    (void)state;
    AtomicFile file;
    BillowError error;
    put("a", "old");
    calls[0] = '\0';
    assert_true(atomic_file_open(&file, "a", &error));
    fputs("new", file.stream);
    assert_true(atomic_file_commit(&file, &error));
    assert_string_equal(calls, "file;rename;folder;");
    assert_holds("a", "new");
    calls[0] = '\0';
    disk_fails = true;
    assert_true(atomic_file_open(&file, "a", &error));
    fputs("newer", file.stream);
    assert_false(atomic_file_commit(&file, &error));
    disk_fails = false;
    assert_string_equal(error.text, "a: could not be written completely: Input/output error");
    assert_string_equal(calls, "file;");
    assert_holds("a", "new");
    assert_int_equal(count_files(), 1);
}

#endif

/* In a program without a standard input the file is descriptor 0. */
static void test_no_standard_input(void **state)
{
    (void)state;
    AtomicFile file;
    BillowError error;
    int kept = dup(STDIN_FILENO), descriptor = -1;
    close(STDIN_FILENO);
    bool good = atomic_file_open(&file, "a", &error);
    if (good) {
        descriptor = fileno(file.stream);
        good = atomic_file_commit(&file, &error);
    }
    dup2(kept, STDIN_FILENO);
    close(kept);
    assert_true(good);
    assert_int_equal(descriptor, 0);
    assert_int_equal(count_files(), 1);
}

/* Two writers of one folder at once, in one process: no name is shared. */
static void test_two_at_once(void **state)
{
    (void)state;
    AtomicFile one, two;
    BillowError error;
    assert_true(atomic_file_open(&one, "one", &error));
    assert_true(atomic_file_open(&two, "two", &error));
    fputs("1", one.stream);
    fputs("2", two.stream);
    assert_true(atomic_file_commit(&two, &error));
    assert_true(atomic_file_commit(&one, &error));
    assert_holds("one", "1");
    assert_holds("two", "2");
    assert_int_equal(count_files(), 2);
}

static void test_links_and_devices(void **state)
{
    (void)state;
    AtomicFile file;
    BillowError error;
    put("target", "old");
    assert_int_equal(mkdir("sub", 0777), 0);
    assert_int_equal(symlink("../target", "sub/link"), 0);
    assert_int_equal(symlink("sub/link", "outer"), 0);
    assert_true(atomic_file_open(&file, "outer", &error));
    fputs("new", file.stream);
    assert_true(atomic_file_commit(&file, &error));
    assert_holds("target", "new");
    struct stat status;
    assert_int_equal(lstat("outer", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(symlink("fresh", "dangling"), 0);
    assert_true(atomic_file_open(&file, "dangling", &error));
    assert_true(atomic_file_commit(&file, &error));
    assert_holds("fresh", "");
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_false(atomic_file_open(&file, "loop", &error));
    assert_non_null(strstr(error.text, "too many symbolic links"));
    char longer[4091] = {0};
    memset(longer, 'a', sizeof longer - 1);
    assert_int_equal(unlink("sub/link"), 0);
    assert_int_equal(symlink(longer, "sub/link"), 0); /* with its folder longer than any path */
    assert_false(atomic_file_open(&file, "./sub/link", &error));
    assert_string_equal(error.text, "./sub/link...: this path is too long");
    assert_int_equal(unlink("sub/link"), 0);

    assert_true(atomic_file_open(&file, "/dev/null", &error));
    assert_true(atomic_file_commit(&file, &error));
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));

    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_true(atomic_file_probe("pipe", &error)); /* must not wait for a reader */
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_true(atomic_file_open(&file, "pipe", &error));
    fputs("through", file.stream);
    assert_true(atomic_file_commit(&file, &error));
    char got[16] = {0};
    assert_int_equal(read(reader, got, sizeof got - 1), 7);
    assert_string_equal(got, "through");
    close(reader);

    /* Names like those of a shell's >(command), and of /dev/stdout before a |. */
    int ends[2];
    char path[32];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_true(atomic_file_probe(path, &error));
    assert_true(atomic_file_open(&file, path, &error));
    fputs("without", file.stream);
    assert_true(atomic_file_commit(&file, &error));
    assert_int_equal(read(ends[0], got, sizeof got - 1), 7);
    assert_string_equal(got, "without");
    close(ends[0]);
    close(ends[1]);
}

static void test_probe(void **state)
{
    (void)state;
    BillowError error;
    assert_true(atomic_file_probe("a.png", &error));
    assert_true(atomic_file_probe("-", &error));
    assert_int_equal(count_files(), 0);
    put("a.png", "old");
    assert_true(atomic_file_probe("a.png", &error));
    assert_holds("a.png", "old");
    assert_int_equal(count_files(), 1);
}

/* "-": standard output, which stays open. */
static void test_standard_output(void **state)
{
    (void)state;
    Image image = pattern(4, 4, 3), back;
    BillowError error;
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    int target = open("out.png", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(kept >= 0 && target >= 0);
    dup2(target, STDOUT_FILENO);
    close(target);
    bool good = image_write_png(&image, "-", &error);
    int full = open("/dev/full", O_WRONLY);
    dup2(full, STDOUT_FILENO);
    close(full);
    bool refused = !image_write_png(&image, "-", &error);
    clearerr(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_true(good);
    assert_true(refused);
    assert_string_equal(
        error.text, "standard output: could not be written completely: No space left on device");
    assert_true(png_read(&back, "out.png", &error));
    assert_memory_equal(back.pixels, image.pixels, 48);
    image_destroy(&image);
    image_destroy(&back);
    assert_int_equal(count_files(), 1);
}

/* A process that is killed while it writes, and one that goes on writing. */
static pid_t start_writer(const char *path, int ready)
{
    pid_t process = fork();
    if (process != 0)
        return process;
    AtomicFile file;
    BillowError error;
    bool well = atomic_file_open(&file, path, &error);
    if (well)
        atomic_file_put(&file, "half", 4);
    if (!well || fflush(file.stream) != 0 || write(ready, "", 1) != 1)
        _exit(2);
    for (int wait = 0; wait < 600; wait++)
        poll(NULL, 0, 100);
    _exit(1);
}

static void kill_writer(pid_t process)
{
    int status;
    assert_int_equal(kill(process, SIGKILL), 0);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status));
}

/* The next probe removes the temporary files of dead processes. Those of living processes, and
 * files with similar names, stay. */
static void test_leftovers_of_the_killed_go(void **state)
{
    (void)state;
    BillowError error = {{0}};
    char byte;
    int ready[2];
    pid_t writers[3];
    assert_int_equal(pipe(ready), 0);
    put("billow-12-x.tmp", "mine");
    put("billow-1-2.tmp.png", "mine");
    assert_int_equal(mkdir("billow-1-2.tmp", 0777), 0);
    for (int writer = 0; writer < 3; writer++) {
        writers[writer] = start_writer("a.png", ready[1]);
        assert_int_equal(read(ready[0], &byte, 1), 1);
    }
    assert_int_equal(count_files(), 3 + 3);
    kill_writer(writers[0]);
    kill_writer(writers[2]);
    assert_int_equal(count_files(), 3 + 3);
    assert_true(atomic_file_probe("a.png", &error));
    assert_int_equal(count_files(), 3 + 1);
    AtomicFile file; /* this process's own is held as well */
    assert_true(atomic_file_open(&file, "b.png", &error));
    assert_true(atomic_file_probe("a.png", &error));
    assert_true(atomic_file_commit(&file, &error));
    kill_writer(writers[1]);
    assert_int_equal(count_files(), 3 + 1 + 1);
    assert_true(atomic_file_probe("b.png", &error));
    assert_int_equal(count_files(), 3 + 1);
    assert_holds("billow-12-x.tmp", "mine");
    close(ready[0]);
    close(ready[1]);
}

/* Reads a whole small file. */
static size_t bytes_of(const char *path, uint8_t *bytes, size_t most)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, most, file);
    fclose(file);
    return length;
}

/* A TGA file by its specification: rows from the bottom up, packets of equal pixels (bit 7 of the
 * first byte) and of different ones, blue first. */
static void test_tga(void **state)
{
    (void)state;
    enum { WIDTH = 37, HEIGHT = 5, HEADER = 18 };
    for (int channels = 3; channels <= 4; channels++) {
        Image image;
        BillowError error = {{0}};
        uint8_t file[2048], pixels[WIDTH * HEIGHT * 4];
        assert_true(image_create(&image, WIDTH, HEIGHT, channels, &error));
        for (int i = 0; i < WIDTH * HEIGHT * channels; i++)
            image.pixels[i] = (uint8_t)(i / channels % WIDTH < 12 ? 7 + i % channels : 3 * i + 1);
        assert_true(image_write_tga(&image, "a.tga", &error));
        const size_t length = bytes_of("a.tga", file, sizeof file);
        assert_int_equal(file[2], 10); /* colours in packets */
        assert_int_equal(file[12] + 256 * file[13], WIDTH);
        assert_int_equal(file[14] + 256 * file[15], HEIGHT);
        assert_int_equal(file[16], 8 * channels);
        assert_int_equal(file[17], channels == 4 ? 8 : 0); /* bits of alpha; bottom row first */
        size_t at = HEADER;
        for (int count = 0; count < WIDTH * HEIGHT;) {
            assert_true(at < length);
            const int run = file[at] % 128 + 1;
            const bool equal = file[at++] >= 128;
            for (int pixel = 0; pixel < run; pixel++, count++) {
                assert_true(count < WIDTH * HEIGHT);
                memcpy(pixels + count * channels, file + at, (size_t)channels);
                at += !equal || pixel == run - 1 ? (size_t)channels : 0;
            }
        }
        assert_int_equal(at, length);
        static const int order[] = {2, 1, 0, 3};
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                for (int c = 0; c < channels; c++)
                    assert_int_equal(pixels[((HEIGHT - 1 - y) * WIDTH + x) * channels + order[c]],
                                     image.pixels[(y * WIDTH + x) * channels + c]);
        image_destroy(&image);
    }
    assert_int_equal(count_files(), 1);
}

/* A baseline JPEG of the right size, whole or not at all; test_cli_render decodes one. */
static void test_jpg(void **state)
{
    (void)state;
    Image image;
    BillowError error = {{0}};
    uint8_t file[4096];
    assert_true(image_create(&image, 37, 5, 3, &error));
    assert_true(image_write_jpg(&image, "a.jpg", &error));
    const size_t length = bytes_of("a.jpg", file, sizeof file);
    assert_true(length > 100 && length < sizeof file);
    assert_memory_equal(file, "\xff\xd8\xff", 3);
    assert_memory_equal(file + length - 2, "\xff\xd9", 2);
    size_t at = 2;
    while (file[at + 1] != 0xc0) /* to the header of the picture */
        at += 2 + (size_t)(256 * file[at + 2] + file[at + 3]);
    assert_int_equal(256 * file[at + 5] + file[at + 6], 5);
    assert_int_equal(256 * file[at + 7] + file[at + 8], 37);
    assert_false(image_write_jpg(&image, "none/a.jpg", &error));
    assert_non_null(strstr(error.text, "no folder none/"));
    assert_false(image_write_tga(&image, "none/a.tga", &error));
    assert_non_null(strstr(error.text, "no folder none/"));
    image_destroy(&image);
    assert_int_equal(count_files(), 1);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_leftovers_of_the_killed_go), /* first: it forks, before there are threads */
        IN_FOLDER(test_round_trip),
        IN_FOLDER(test_tga),
        IN_FOLDER(test_jpg),
        IN_FOLDER(test_reads_grey),
        IN_FOLDER(test_reads_past_damaged_notes),
        IN_FOLDER(test_from_memory),
        IN_FOLDER(test_bad_pictures),
        IN_FOLDER(test_damaged_pictures),
        IN_FOLDER(test_unwritable),
        IN_FOLDER(test_full_disk),
        IN_FOLDER(test_unwritable_folder),
        IN_FOLDER(test_read_only_file),
        IN_FOLDER(test_whole_or_not_at_all),
        IN_FOLDER(test_failed_rename),
        IN_FOLDER(test_keeps_what_others_write),
#ifdef BILLOW_WRAPS
        IN_FOLDER(test_on_the_disk_before_it_is_named),
#endif
        IN_FOLDER(test_no_standard_input),
        IN_FOLDER(test_two_at_once),
        IN_FOLDER(test_links_and_devices),
        IN_FOLDER(test_probe),
        IN_FOLDER(test_standard_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
