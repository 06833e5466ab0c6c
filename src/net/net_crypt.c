/* SPDX-License-Identifier: MIT
 * Keys, handshakes and sealed messages. */
#include "net/net_crypt.h"

#include "base/fail.h"
#include "base/words.h"
#include <assert.h>
#include <sodium.h>
#include <string.h>

_Static_assert(NET_SEAL == crypto_aead_chacha20poly1305_ietf_ABYTES, "bytes of a seal");
_Static_assert(NET_GREETING == crypto_scalarmult_BYTES + 16, "a public key and a proof");
_Static_assert(sizeof((NetKey *)0)->datagrams == crypto_shorthash_KEYBYTES, "key of checksums");

bool net_crypt_start(BillowError *error)
{
    return sodium_init() >= 0 || fail(error, "libsodium cannot be started on this machine");
}

/* -- keys -------------------------------------------------------------------------------------- */

/* A key is four groups of seven signs of 5 bits each: 140 bits. No two of the signs look alike. */
enum { GROUP = 7 + 1 }; /* signs of a group, with a hyphen or the final 0 */
static const char signs[] = "abcdefghjkmnpqrstuvwxyz023456789";
_Static_assert(sizeof signs == 33, "5 bits a sign");
_Static_assert(NET_KEY_TEXT == 4 * GROUP, "four groups");

void net_key_new(char text[NET_KEY_TEXT])
{
    for (int at = 0; at < NET_KEY_TEXT; at++)
        text[at] = at % GROUP == GROUP - 1 ? '-' : signs[randombytes_uniform(32)];
    text[NET_KEY_TEXT - 1] = 0;
}

uint32_t net_random(void)
{
    return randombytes_random();
}

/* Derives `bytes` bytes for one purpose. */
static void derive(unsigned char *out, size_t bytes, const char *purpose, const unsigned char *key)
{
    crypto_generichash(out, bytes, (const unsigned char *)purpose, strlen(purpose), key, 32);
}

/* The text has all of its bits by chance: a hash is enough, and no salt or slowness is needed. */
bool net_key_make(const char *text, NetKey *key, BillowError *error)
{
    unsigned char token[NET_TOKEN / 2];
    bool good = strlen(text) == NET_KEY_TEXT - 1;
    for (int at = 0; good && at < NET_KEY_TEXT - 1; at++)
        good = at % GROUP == GROUP - 1 ? text[at] == '-' : strchr(signs, text[at]) != NULL;
    if (!good)
        return fail(error, "this is no key: one has four groups of seven letters and digits, as "
                           "the host shows it");
    crypto_generichash(key->secret, sizeof key->secret, (const unsigned char *)text,
                       NET_KEY_TEXT - 1, NULL, 0);
    derive(key->datagrams, sizeof key->datagrams, "datagrams", key->secret);
    derive(token, sizeof token, "page", key->secret);
    sodium_bin2hex(key->token, sizeof key->token, token, sizeof token);
    return true;
}

uint32_t net_key_checksum(const NetKey *key, const void *bytes, size_t count)
{
    unsigned char hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, bytes, count, key->datagrams);
    return get32(hash);
}

bool net_key_has_token(const NetKey *key, const char *text)
{
    return sodium_memcmp(key->token, text, NET_TOKEN - 1) == 0;
}

void net_forget(void *secrets, size_t bytes)
{
    sodium_memzero(secrets, bytes);
}

/* -- handshake --------------------------------------------------------------------------------- */

void net_cipher_start(NetCipher *cipher, bool host)
{
    *cipher = (NetCipher){.host = host};
    crypto_kx_keypair(cipher->public_key, cipher->private_key);
}

/* The proof of a greeting covers who greets, the public key, and the greeting that it answers. */
static void prove(unsigned char proof[16], bool host, const unsigned char public_key[32],
                  const unsigned char *answer, const NetKey *key)
{
    crypto_generichash_state state;
    const unsigned char who = host ? 'h' : 'j';
    crypto_generichash_init(&state, key->secret, sizeof key->secret, 16);
    crypto_generichash_update(&state, &who, 1);
    crypto_generichash_update(&state, public_key, 32);
    if (answer != NULL)
        crypto_generichash_update(&state, answer, NET_GREETING);
    crypto_generichash_final(&state, proof, 16);
}

void net_greeting_write(const NetCipher *cipher, const NetKey *key, const unsigned char *answer,
                        unsigned char greeting[NET_GREETING])
{
    memcpy(greeting, cipher->public_key, 32);
    prove(greeting + 32, cipher->host, cipher->public_key, answer, key);
}

/* Keys of both directions = BLAKE2b(secret; X25519, public key of the host, and of who joins). */
static bool agree(NetCipher *cipher, const NetKey *key, const unsigned char other[32])
{
    unsigned char shared[32], both[64];
    const unsigned char *host = cipher->host ? cipher->public_key : other;
    const unsigned char *joining = cipher->host ? other : cipher->public_key;
    if (crypto_scalarmult(shared, cipher->private_key, other) != 0)
        return false;
    crypto_generichash_state state;
    crypto_generichash_init(&state, key->secret, sizeof key->secret, sizeof both);
    crypto_generichash_update(&state, shared, sizeof shared);
    crypto_generichash_update(&state, host, 32);
    crypto_generichash_update(&state, joining, 32);
    crypto_generichash_final(&state, both, sizeof both);
    memcpy(cipher->host ? cipher->send_key : cipher->receive_key, both, 32);
    memcpy(cipher->host ? cipher->receive_key : cipher->send_key, both + 32, 32);
    sodium_memzero(cipher->private_key, sizeof cipher->private_key);
    sodium_memzero(shared, sizeof shared);
    sodium_memzero(both, sizeof both);
    return true;
}

bool net_greeting_take(NetCipher *cipher, const NetKey *key, const unsigned char *own,
                       const unsigned char greeting[NET_GREETING])
{
    unsigned char proof[16];
    prove(proof, !cipher->host, greeting, own, key);
    return sodium_memcmp(proof, greeting + 32, sizeof proof) == 0 && agree(cipher, key, greeting);
}

/* -- messages ---------------------------------------------------------------------------------- */

static void make_nonce(unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES],
                       int channel, uint64_t number)
{
    put32(nonce, (uint32_t)channel);
    put64(nonce + 4, number);
}

static bool open_sealed(const NetCipher *cipher, int channel, uint64_t number,
                        const unsigned char *sealed, size_t count, unsigned char *out)
{
    unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    make_nonce(nonce, channel, number);
    return count >= NET_SEAL &&
           crypto_aead_chacha20poly1305_ietf_decrypt(out, NULL, NULL, sealed, count, NULL, 0, nonce,
                                                     cipher->receive_key) == 0;
}

void net_seal(NetCipher *cipher, int channel, const unsigned char *message, size_t count,
              unsigned char *out)
{
    unsigned char nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    assert(channel >= 0 && channel < NET_CHANNELS);
    make_nonce(nonce, channel, cipher->sent[channel]++);
    crypto_aead_chacha20poly1305_ietf_encrypt(out, NULL, message, count, NULL, 0, NULL, nonce,
                                              cipher->send_key);
}

bool net_open(NetCipher *cipher, int channel, const unsigned char *sealed, size_t count,
              unsigned char *out)
{
    assert(channel >= 0 && channel < NET_CHANNELS);
    if (!open_sealed(cipher, channel, cipher->received[channel], sealed, count, out))
        return false;
    cipher->received[channel]++;
    return true;
}

void net_seal_numbered(NetCipher *cipher, int channel, const unsigned char *message, size_t count,
                       unsigned char *out)
{
    put64(out, cipher->sent[channel]);
    net_seal(cipher, channel, message, count, out + 8);
}

bool net_open_numbered(NetCipher *cipher, int channel, const unsigned char *sealed, size_t count,
                       unsigned char *out)
{
    if (count < NET_SEAL_NUMBERED)
        return false;
    uint64_t number = get64(sealed);
    if (number < cipher->received[channel] || number == UINT64_MAX ||
        !open_sealed(cipher, channel, number, sealed + 8, count - 8, out))
        return false;
    cipher->received[channel] = number + 1;
    return true;
}
