/* prom_access: environment variables, or keys of the settings: each is a text, names a file that holds one, or a file for TLS.
 *
 * Flags and URLs can be seen by everybody on a machine, so secrets never come that way. Messages name the variable or key and the file,
 * never what stands in them. */
#include "gputab/cli/prom_access.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/file.h"

enum { SECRET_BYTES = 64 * 1024, HEADERS_MAX = 64 };

#define PREFIX "GPUTAB_PROM_"

#define FIELD(field) offsetof(struct settings_access, field)

/* Variables that hold secrets themselves have no key. */
static const struct way {
    const char *variable, *key;
    size_t offset;
} ways[] = {
    { PREFIX "TOKEN_FILE", "token_file", FIELD(token_file) },
    { PREFIX "USER", "user", FIELD(user) },
    { PREFIX "PASSWORD_FILE", "password_file", FIELD(password_file) },
    { PREFIX "CA_FILE", "ca_file", FIELD(ca_file) },
    { PREFIX "CERT_FILE", "cert_file", FIELD(cert_file) },
    { PREFIX "KEY_FILE", "key_file", FIELD(key_file) },
    { PREFIX "HEADERS_FILE", "headers_file", FIELD(headers_file) },
};
enum { WAYS = sizeof ways / sizeof *ways };

#undef FIELD

static const char *of_settings(const struct settings_access *s, const struct way *w)
{
    return *(const char *const *)((const char *)s + w->offset);
}

static bool says_anything(const struct settings_access *s)
{
    for (int i = 0; i < WAYS; i++)
        if (of_settings(s, &ways[i]))
            return true;
    return false;
}

static const struct way *find_way(const char *variable)
{
    for (int i = 0; i < WAYS; i++)
        if (strcmp(ways[i].variable, variable) == 0)
            return &ways[i];
    return NULL;
}

/* What the variable, or the key that stands for it, says; NULL: nothing. */
static const char *look_up(const struct prom_access *a, const char *variable)
{
    const struct way *w = a->settings ? find_way(variable) : NULL;
    const char *value = a->settings ? NULL : getenv(variable);

    if (w)
        return of_settings(a->settings, w);
    return value && *value ? value : NULL;
}

/* What messages call it. */
static const char *spell(const struct prom_access *a, const char *variable)
{
    const struct way *w = a->settings ? find_way(variable) : NULL;

    return w ? w->key : variable;
}

static bool has_control(struct span s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
            return true;
    return false;
}

/* Overwrites what was read before it is given back; a plain memset might be left out. */
static void wipe(struct buf *b)
{
    if (b->p)
        explicit_bzero(b->p, b->cap);
    buf_free(b);
}

/* The file's first line; line ends behind it are no part of it. */
static int read_secret(struct prom_access *a, const char *variable, const char *path, const char **out, struct err *e)
{
    struct buf b = {0};
    int rc = file_read(path, SECRET_BYTES, &b, e);

    if (rc < 0)
        err_wrap(e, "%s", spell(a, variable));
    while (rc == 0 && b.n > 0 && (b.p[b.n - 1] == '\n' || b.p[b.n - 1] == '\r'))
        b.n--;
    if (rc == 0 && b.n == 0)
        rc = err_set(e, ERR_USAGE, "%s: the file \"%s\" is empty", spell(a, variable), path);
    if (rc == 0)
        *out = arena_strndup(&a->texts, b.p, b.n);
    wipe(&b);
    return rc;
}

/* NAME or NAME_FILE. */
static int read_text(struct prom_access *a, const char *name, const char **out, struct err *e)
{
    char of_file[64];
    const char *path;

    snprintf(of_file, sizeof of_file, "%s_FILE", name);
    path = look_up(a, of_file);
    *out = look_up(a, name);
    if (*out && path)
        return err_set(e, ERR_USAGE, "both %s and %s are set", name, of_file);
    if (path && read_secret(a, of_file, path, out, e) < 0)
        return -1;
    if (*out && has_control(span_of(*out)))
        return err_set(e, ERR_USAGE, "%s holds a line end or another control character", spell(a, path ? of_file : name));
    return 0;
}

/* A file that the TLS library will read by itself: its own message would not name the variable. */
static int find_file(const struct prom_access *a, const char *name, const char **out, struct err *e)
{
    *out = look_up(a, name);
    if (*out && access(*out, R_OK) != 0)
        return err_set(e, ERR_INPUT, "%s: \"%s\" cannot be read: %s", spell(a, name), *out, strerror(errno));
    return 0;
}

static bool is_header_name(struct span s)
{
    static const char other[] = "!#$%&'*+-.^_`|~";

    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

        if (!letter && (c == '\0' || !strchr(other, c)))
            return false;
    }
    return s.n > 0;
}

static bool is_header(struct span line)
{
    const char *colon = memchr(line.p, ':', line.n);
    struct span name = {line.p, colon ? (size_t)(colon - line.p) : 0};
    struct span value = {colon ? colon + 1 : NULL, colon ? line.n - name.n - 1 : 0};

    return is_header_name(name) && span_trim(value).n > 0 && !has_control(line);
}

/* Lines "Name: value"; blank ones and those that begin with # are passed over. */
static int add_headers(struct prom_access *a, const char *variable, const char *path, struct span text, struct err *e)
{
    for (int64_t line_no = 1; text.n > 0; line_no++) {
        const char *nl = memchr(text.p, '\n', text.n);
        struct span line = {text.p, nl ? (size_t)(nl - text.p) : text.n};

        text.p += line.n + (nl != NULL);
        text.n -= line.n + (nl != NULL);
        line = span_trim(line);
        if (line.n == 0 || *line.p == '#')
            continue;
        if (!is_header(line) || a->headers.n == HEADERS_MAX) {
            err_set(e, ERR_USAGE, a->headers.n == HEADERS_MAX ? "%s: more than 64 headers" : "%s: this line is not of the form Name: value",
                    spell(a, variable));
            return err_at(e, path, line_no, 0);
        }
        vec_push(&a->headers, arena_strndup(&a->texts, line.p, line.n));
    }
    return 0;
}

static void add_tenant(struct prom_access *a, const char *tenant)
{
    struct buf header = {0};

    buf_addf(&header, "X-Scope-OrgID: %s", tenant);
    vec_push(&a->headers, arena_strdup(&a->texts, buf_str(&header)));
    buf_free(&header);
}

static int read_headers(struct prom_access *a, const char *variable, const char *tenant, struct err *e)
{
    const char *path = look_up(a, variable);
    struct buf b = {0};
    int rc = path ? file_read(path, SECRET_BYTES, &b, e) : 0;

    if (rc < 0)
        err_wrap(e, "%s", spell(a, variable));
    if (rc == 0 && path)
        rc = add_headers(a, variable, path, buf_span(&b), e);
    wipe(&b);
    if (tenant)
        add_tenant(a, tenant);
    vec_push(&a->headers, NULL);
    a->http.headers = a->headers.v;
    return rc;
}

static int check_ways(const struct http_access *h, struct err *e)
{
    if (h->token && (h->user || h->password))
        return err_set(e, ERR_USAGE, "both a token and a user or password are set by " PREFIX "*: which one counts?");
    if (h->key_file && !h->cert_file)
        return err_set(e, ERR_USAGE, PREFIX "KEY_FILE is set without " PREFIX "CERT_FILE");
    return 0;
}

int prom_access_read(struct prom_access *a, const struct settings_source *source, struct err *e)
{
    struct http_access *h = &a->http;

    a->settings = says_anything(&source->access) ? &source->access : NULL;
    if (read_text(a, PREFIX "TOKEN", &h->token, e) < 0 || read_text(a, PREFIX "PASSWORD", &h->password, e) < 0)
        return -1;
    h->user = look_up(a, PREFIX "USER");
    if (h->user && has_control(span_of(h->user)))
        return err_set(e, ERR_USAGE, PREFIX "USER holds a line end or another control character");
    if (find_file(a, PREFIX "CA_FILE", &h->ca_file, e) < 0 || find_file(a, PREFIX "CERT_FILE", &h->cert_file, e) < 0 ||
        find_file(a, PREFIX "KEY_FILE", &h->key_file, e) < 0)
        return -1;
    if (read_headers(a, PREFIX "HEADERS_FILE", source->tenant, e) < 0)
        return -1;
    return check_ways(h, e);
}

void prom_access_free(struct prom_access *a)
{
    arena_free(&a->texts);
    vec_free(&a->headers);
    *a = (struct prom_access){0};
}
