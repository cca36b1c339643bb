/* json_scan: where plain strings and numbers of JSON end, found eight bytes at a time. */
#ifndef GPUTAB_CODEC_JSON_SCAN_H
#define GPUTAB_CODEC_JSON_SCAN_H

/* Where the first byte from p on stands that is not plain: a quote, a backslash, a control character, one beyond ASCII; or end. */
const char *json_plain_end(const char *p, const char *end);

/* Where the number at p ends. NULL: not before `end`, or none is there. "01" is a 0, which ends before the 1. */
const char *json_number_end(const char *p, const char *end);

#endif
