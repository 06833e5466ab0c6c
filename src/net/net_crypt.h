/* SPDX-License-Identifier: MIT
 *
 * Keys and encryption of shared sessions, by libsodium.
 *
 * Everyone in a session knows its key, a text that the program has made: 140 random bits, so that
 * nobody guesses it. Other texts are no keys. From the text come a secret and, from the secret, a
 * key for the checksums of datagrams: a datagram without the right checksum is dropped before
 * anything answers it. A third, the token, stands in the address of the page, where whoever is on
 * the way can read it: it only shows that somebody has been invited.
 *
 * A connection begins with a handshake. Each side sends a fresh public key (X25519) with a proof
 * that it knows the secret; the joining side begins. Both then hold two keys, one per direction,
 * that depend on the secret and on both public keys. Recorded messages of another connection are
 * therefore worthless.
 *
 * Messages are sealed with ChaCha20-Poly1305. The nonce is the message's number on its channel, so
 * a message that is changed, repeated, left out or sent back does not open. */
#ifndef NET_CRYPT_H
#define NET_CRYPT_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_KEY_TEXT = 32, /* bytes of a key's text with its final 0 */
    NET_GREETING = 48, /* bytes of a handshake's message: public key and proof */
    NET_SEAL = 16,     /* bytes by which sealing lengthens a message */
    NET_CHANNELS = 2,
    NET_TOKEN = 33 /* bytes of a token as hexadecimal text with its final 0 */
};

typedef struct NetKey {
    unsigned char secret[32];
    unsigned char datagrams[16];
    char token[NET_TOKEN];
} NetKey;

/* Starts the library. Other functions here need it. */
bool net_crypt_start(BillowError *error);
/* Writes a new random key of 140 bits as letters and digits. */
void net_key_new(char text[NET_KEY_TEXT]);
uint32_t net_random(void);
/* Makes the key of a text. Returns false with a message if the text is not one of net_key_new. */
bool net_key_make(const char *text, NetKey *key, BillowError *error);
/* Checksum of a datagram that only those with the key can compute. */
uint32_t net_key_checksum(const NetKey *key, const void *bytes, size_t count);
/* Whether a text of at least as many characters begins with the token. */
bool net_key_has_token(const NetKey *key, const char *text);
/* Overwrites secrets that are no longer needed. */
void net_forget(void *secrets, size_t bytes);

/* Where a connection stands: own key pair until both greetings are known, then the two keys. */
typedef struct NetCipher {
    bool host; /* this side is the host */
    unsigned char public_key[32], private_key[32];
    unsigned char send_key[32], receive_key[32];
    uint64_t sent[NET_CHANNELS], received[NET_CHANNELS]; /* number of the next message */
} NetCipher;

/* Draws a fresh key pair. */
void net_cipher_start(NetCipher *cipher, bool host);
/* Writes this side's greeting. answer: the other side's greeting; NULL: this side begins. */
void net_greeting_write(const NetCipher *cipher, const NetKey *key, const unsigned char *answer,
                        unsigned char greeting[NET_GREETING]);
/* Takes the other side's greeting. own: this side's, if it began; NULL otherwise. Returns false if
 * the sender does not know the key, or did not answer this side's greeting. */
bool net_greeting_take(NetCipher *cipher, const NetKey *key, const unsigned char *own,
                       const unsigned char greeting[NET_GREETING]);

/* Seals a message of a reliable channel; out has room for count + NET_SEAL bytes. */
void net_seal(NetCipher *cipher, int channel, const unsigned char *message, size_t count,
              unsigned char *out);
/* Opens the next message of a reliable channel; out has room for count - NET_SEAL bytes. */
bool net_open(NetCipher *cipher, int channel, const unsigned char *sealed, size_t count,
              unsigned char *out);

/* The same for a channel that may lose messages: the message's number goes with it (8 bytes more),
 * and must be greater than that of the last one that opened. */
enum { NET_SEAL_NUMBERED = NET_SEAL + 8 };
void net_seal_numbered(NetCipher *cipher, int channel, const unsigned char *message, size_t count,
                       unsigned char *out);
bool net_open_numbered(NetCipher *cipher, int channel, const unsigned char *sealed, size_t count,
                       unsigned char *out);

#endif
