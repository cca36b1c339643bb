/* crc32c: the checksum CRC-32C (Castagnoli; RFC 3720, B.4). */
#ifndef GPUTAB_CODEC_CRC32C_H
#define GPUTAB_CODEC_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32c(const void *p, size_t n);                    /* the fastest way that this processor has */
uint32_t crc32c_portable(const void *p, size_t n);           /* the same by tables, on any processor */

#endif
