/* prom_access: environment variables, and keys of the settings file, as a table: each is a text, or names a file that holds one, or a
 * file for the TLS library.
 *
 * Flags and URLs can be seen by everybody on a machine, so secrets never come that way. Messages name the variable or key and the file,
 * never what stands in them. What belongs together, such as a user and a password, is a group: the keys of a server, else its own
 * variables, replace all of those that are for every server, so that no half of a login goes where it does not belong. */
#include "gputab/cli/prom_access.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/file.h"

enum { SECRET_BYTES = 64 * 1024, HEADERS_MAX = 64 };

#define PREFIX "GPUTAB_PROM_"

enum group { GROUP_LOGIN, GROUP_AUTHORITY, GROUP_CERTIFICATE, GROUP_PROXY, GROUP_HEADERS, GROUP_TENANT, GROUPS };

enum way { WAY_TOKEN, WAY_BASIC, WAY_SIGNATURE, WAY_HEADER, WAYS };

enum kind {
    KIND_TEXT,                     /* the variable holds it */
    KIND_SECRET,                   /* NAME holds it, or NAME_FILE names a file that does */
    KIND_PATH,                     /* a file that the TLS library will read */
    KIND_HEADERS,                  /* a file of headers */
    KIND_TENANT                    /* a text that becomes a header */
};

struct setting {
    const char *name;              /* none ends in _ and another one: a server could be called what stands before */
    enum group group;
    enum kind kind;
    enum way way;                  /* WAYS: no way in */
    size_t offset;                 /* in struct http_access, of what is no header */
    const char *key;               /* in a settings file, where a secret is always in a file; NULL: none */
    size_t key_offset;             /* in struct settings_access */
};

#define FIELD(name) offsetof(struct http_access, name)
#define KEY(name) #name, offsetof(struct settings_access, name)

/* Headers before the tenant, which may be among them. */
static const struct setting settings[] = {
    {"TOKEN", GROUP_LOGIN, KIND_SECRET, WAY_TOKEN, FIELD(token), KEY(token_file)},
    {"USER", GROUP_LOGIN, KIND_TEXT, WAY_BASIC, FIELD(user), KEY(user)},
    {"PASSWORD", GROUP_LOGIN, KIND_SECRET, WAY_BASIC, FIELD(password), KEY(password_file)},
    {"SIGV4_REGION", GROUP_LOGIN, KIND_TEXT, WAY_SIGNATURE, FIELD(aws_region), KEY(sigv4_region)},
    {"SIGV4_KEY_ID", GROUP_LOGIN, KIND_SECRET, WAY_SIGNATURE, FIELD(aws_key_id)},
    {"SIGV4_SECRET", GROUP_LOGIN, KIND_SECRET, WAY_SIGNATURE, FIELD(aws_secret)},
    {"SIGV4_SESSION", GROUP_LOGIN, KIND_SECRET, WAY_SIGNATURE, FIELD(aws_session)},
    {"CA_FILE", GROUP_AUTHORITY, KIND_PATH, WAYS, FIELD(ca_file), KEY(ca_file)},
    {"CERT_FILE", GROUP_CERTIFICATE, KIND_PATH, WAYS, FIELD(cert_file), KEY(cert_file)},
    {"KEY_FILE", GROUP_CERTIFICATE, KIND_PATH, WAYS, FIELD(key_file), KEY(key_file)},
    {"PROXY", GROUP_PROXY, KIND_SECRET, WAYS, FIELD(proxy), KEY(proxy_file)},
    {"HEADERS_FILE", GROUP_HEADERS, KIND_HEADERS, WAYS, 0, KEY(headers_file)},
    {"TENANT", GROUP_TENANT, KIND_TENANT, WAYS, 0, KEY(tenant)},
};

#undef FIELD
#undef KEY

enum { SETTINGS = sizeof settings / sizeof *settings };

struct reader {
    struct prom_access *access;
    const struct settings_access *keys;
    bool by_key[GROUPS];           /* the group comes from the keys */
    const char *scope[GROUPS];     /* "EU_": the group comes from the server's own variables; "": from those for all */
    const char *by[WAYS];          /* what says that this is the way in; NULL: nothing does */
};

static const char *from_environment(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static bool has_control(struct span s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
            return true;
    return false;
}

static bool is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static const char *joined(struct prom_access *a, const char *x, const char *y, const char *z)
{
    struct buf b = {0};
    const char *text;

    buf_addf(&b, "%s%s%s", x, y, z);
    text = arena_strdup(&a->texts, buf_str(&b));
    buf_free(&b);
    return text;
}

/* ---- where a setting is said ---- */

/* What is said, by whom: a text, or the file that holds it. Neither: nothing. */
struct found {
    const char *name;              /* of the variable or key, for messages */
    const char *text, *file;
};

static const char *key_value(const struct settings_access *keys, const struct setting *s)
{
    return s->key ? *(const char *const *)((const char *)keys + s->key_offset) : NULL;
}

static struct found find_key(const struct reader *r, const struct setting *s)
{
    const char *value = key_value(r->keys, s);

    return s->kind == KIND_SECRET ? (struct found){s->key, NULL, value} : (struct found){s->key, value, NULL};
}

static int find_variable(const struct reader *r, const struct setting *s, struct found *out, struct err *e)
{
    const char *variable = joined(r->access, PREFIX, r->scope[s->group], s->name), *of_file = joined(r->access, variable, "_FILE", "");

    *out = (struct found){variable, from_environment(variable), s->kind == KIND_SECRET ? from_environment(of_file) : NULL};
    if (out->text && out->file)
        return err_set(e, ERR_USAGE, "both %s and %s are set", variable, of_file);
    if (out->file)
        out->name = of_file;
    return 0;
}

/* ---- kinds of settings ---- */

/* Overwrites what was read before it is given back; a plain memset might be left out. */
static void wipe(struct buf *b)
{
    if (b->p)
        explicit_bzero(b->p, b->cap);
    buf_free(b);
}

/* All of the file; line ends behind it are no part of it. */
static int read_secret_file(struct prom_access *a, const char *variable, const char *path, const char **out, struct err *e)
{
    struct buf b = {0};
    int rc = file_read(path, SECRET_BYTES, &b, e);

    if (rc < 0)
        err_wrap(e, "%s", variable);
    while (rc == 0 && b.n > 0 && (b.p[b.n - 1] == '\n' || b.p[b.n - 1] == '\r'))
        b.n--;
    if (rc == 0 && b.n == 0)
        rc = err_set(e, ERR_USAGE, "%s: the file \"%s\" is empty", variable, path);
    if (rc == 0 && has_control(buf_span(&b)))
        rc = err_set(e, ERR_USAGE, "%s holds a line end or another control character", variable);
    if (rc == 0)
        *out = arena_strndup(&a->texts, b.p, b.n);
    wipe(&b);
    return rc;
}

static int read_text(const char *variable, const char *text, const char **out, struct err *e)
{
    *out = text;
    if (text && has_control(span_of(text)))
        return err_set(e, ERR_USAGE, "%s holds a line end or another control character", variable);
    return 0;
}

/* The TLS library's own message would not name the variable. */
static int check_file(const struct found *f, const char **out, struct err *e)
{
    *out = f->text;
    if (f->text && access(f->text, R_OK) != 0)
        return err_set(e, ERR_INPUT, "%s: \"%s\" cannot be read: %s", f->name, f->text, strerror(errno));
    return 0;
}

/* ---- headers ---- */

static struct span header_name(struct span line)
{
    const char *colon = memchr(line.p, ':', line.n);

    return (struct span){line.p, colon ? (size_t)(colon - line.p) : 0};
}

static bool is_header(struct span line)
{
    static const char other[] = "!#$%&'*+-.^_`|~";
    struct span name = header_name(line);
    struct span value = {line.p + name.n + 1, name.n > 0 ? line.n - name.n - 1 : 0};

    for (size_t i = 0; i < name.n; i++)
        if (!is_letter_or_digit(name.p[i]) && (name.p[i] == '\0' || !strchr(other, name.p[i])))
            return false;
    return name.n > 0 && span_trim(value).n > 0 && !has_control(line);
}

/* What the header says is settled by the body or the transport. */
static bool is_our_own(struct span name)
{
    return span_eq_fold(name, "Content-Type") || span_eq_fold(name, "Content-Length") || span_eq_fold(name, "Transfer-Encoding") ||
           span_eq_fold(name, "Accept");
}

static int add_header(struct reader *r, const char *variable, struct span line, struct err *e)
{
    struct prom_access *a = r->access;
    struct span name = header_name(line);

    if (!is_header(line))
        return err_set(e, ERR_USAGE, "%s: this line is not of the form Name: value", variable);
    if (is_our_own(name))
        return err_set(e, ERR_USAGE, "%s: %.*s is not for others to say", variable, (int)name.n, name.p);
    if (a->headers.n == HEADERS_MAX)
        return err_set(e, ERR_USAGE, "%s: more than %d headers", variable, HEADERS_MAX);
    if (span_eq_fold(name, "Authorization"))
        r->by[WAY_HEADER] = joined(a, "Authorization in ", variable, "");
    vec_push(&a->headers, arena_strndup(&a->texts, line.p, line.n));
    return 0;
}

/* Lines "Name: value"; blank ones and those that begin with # are passed over. */
static int add_headers(struct reader *r, const char *variable, const char *path, struct span text, struct err *e)
{
    for (int64_t line_no = 1; text.n > 0; line_no++) {
        const char *nl = memchr(text.p, '\n', text.n);
        struct span line = {text.p, nl ? (size_t)(nl - text.p) : text.n};

        text.p += line.n + (nl != NULL);
        text.n -= line.n + (nl != NULL);
        line = span_trim(line);
        if (line.n > 0 && *line.p != '#' && add_header(r, variable, line, e) < 0)
            return err_at(e, path, line_no, 0);
    }
    return 0;
}

static int read_headers(struct reader *r, const char *variable, const char *path, struct err *e)
{
    struct buf b = {0};
    int rc = path ? file_read(path, SECRET_BYTES, &b, e) : 0;

    if (rc < 0)
        err_wrap(e, "%s", variable);
    if (rc == 0 && path)
        rc = add_headers(r, variable, path, buf_span(&b), e);
    wipe(&b);
    return rc;
}

static int read_tenant(struct reader *r, const char *variable, const char *text, struct err *e)
{
    struct prom_access *a = r->access;
    const char *tenant;

    if (read_text(variable, text, &tenant, e) < 0)
        return -1;
    for (size_t i = 0; tenant && i < a->headers.n; i++)
        if (span_eq_fold(header_name(span_of(a->headers.v[i])), "X-Scope-OrgID"))
            return err_set(e, ERR_USAGE, "both %s and X-Scope-OrgID among the headers are set: which one counts?", variable);
    if (tenant)
        vec_push(&a->headers, joined(a, "X-Scope-OrgID", ": ", tenant));
    return 0;
}

/* ---- all settings ---- */

/* "eu-west" as EU_WEST_: characters, of however many bytes, that a variable cannot have become a _. */
static const char *scope_of(struct prom_access *a, const char *server)
{
    struct buf b = {0};
    const char *text;

    for (const char *p = server; *p; p++)
        if (((unsigned char)*p & 0xc0) != 0x80)
            buf_addc(&b, !is_letter_or_digit(*p) ? '_' : *p >= 'a' ? (char)(*p - 'a' + 'A') : *p);
    text = joined(a, buf_str(&b), "_", "");
    buf_free(&b);
    return text;
}

static bool is_set(struct prom_access *a, const struct setting *s, const char *scope)
{
    const char *variable = joined(a, PREFIX, scope, s->name);

    return from_environment(variable) || (s->kind == KIND_SECRET && from_environment(joined(a, variable, "_FILE", "")));
}

static int read_setting(struct reader *r, const struct setting *s, struct err *e)
{
    const char **out = (const char **)((char *)&r->access->http + s->offset);
    struct found f;
    int rc = 0;

    if (r->by_key[s->group])
        f = find_key(r, s);
    else if (find_variable(r, s, &f, e) < 0)
        return -1;
    switch (s->kind) {
    case KIND_SECRET: rc = f.file ? read_secret_file(r->access, f.name, f.file, out, e) : read_text(f.name, f.text, out, e); break;
    case KIND_TEXT: rc = read_text(f.name, f.text, out, e); break;
    case KIND_PATH: rc = check_file(&f, out, e); break;
    case KIND_HEADERS: rc = read_headers(r, f.name, f.text, e); break;
    case KIND_TENANT: rc = read_tenant(r, f.name, f.text, e); break;
    }
    if (rc == 0 && s->way < WAYS && *out && !r->by[s->way])
        r->by[s->way] = f.name;
    return rc;
}

static int check_ways(const struct reader *r, struct err *e)
{
    const char *first = NULL;

    for (int i = 0; i < WAYS; i++) {
        if (first && r->by[i])
            return err_set(e, ERR_USAGE, "both %s and %s are set: which one counts?", first, r->by[i]);
        if (r->by[i])
            first = r->by[i];
    }
    return 0;
}

static bool is_region(const char *text)
{
    while (is_letter_or_digit(*text) || *text == '-')
        text++;
    return !*text;
}

static int read_foreign(const char *variable, const char **out, struct err *e)
{
    return read_text(variable, from_environment(variable), out, e);
}

/* The key comes from where the region does, or all of it from where AWS's own tools look. */
static int complete_signature(struct reader *r, struct err *e)
{
    struct http_access *h = &r->access->http;
    const char *scope = r->scope[GROUP_LOGIN];

    if (!h->aws_region)
        return r->by[WAY_SIGNATURE] ? err_set(e, ERR_USAGE, "%s is set without " PREFIX "%sSIGV4_REGION", r->by[WAY_SIGNATURE], scope) : 0;
    if (!is_region(h->aws_region))
        return err_set(e, ERR_USAGE, "%s is no name of a region", r->by[WAY_SIGNATURE]);
    if (!h->aws_key_id && !h->aws_secret && !h->aws_session &&
        (read_foreign("AWS_ACCESS_KEY_ID", &h->aws_key_id, e) < 0 || read_foreign("AWS_SECRET_ACCESS_KEY", &h->aws_secret, e) < 0 ||
         read_foreign("AWS_SESSION_TOKEN", &h->aws_session, e) < 0))
        return -1;
    if (h->aws_key_id && h->aws_secret)
        return 0;
    err_set(e, ERR_USAGE, "%s is set, but no %s", r->by[WAY_SIGNATURE], h->aws_key_id ? "secret of the access key" : "access key");
    if (r->by_key[GROUP_LOGIN])
        return err_hint(e, "it comes from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    return err_hint(e, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or " PREFIX "%sSIGV4_KEY_ID and " PREFIX "%sSIGV4_SECRET", scope,
                    scope);
}

/* Of each group: the server's keys, else its own variables, else the variables for all. */
static void find_places(struct reader *r, const char *server)
{
    const char *own = server ? scope_of(r->access, server) : "";

    for (int i = 0; i < GROUPS; i++)
        r->scope[i] = "";
    for (int i = 0; i < SETTINGS; i++)
        if (server && is_set(r->access, &settings[i], own))
            r->scope[settings[i].group] = own;
    for (int i = 0; i < SETTINGS; i++)
        if (r->keys && key_value(r->keys, &settings[i]))
            r->by_key[settings[i].group] = true;
}

int prom_access_read(struct prom_access *a, const char *server, const struct settings_access *keys, struct err *e)
{
    struct reader r = {.access = a, .keys = keys};

    find_places(&r, server);
    for (int i = 0; i < SETTINGS; i++)
        if (read_setting(&r, &settings[i], e) < 0)
            return -1;
    vec_push(&a->headers, NULL);
    a->http.headers = a->headers.v;
    if (check_ways(&r, e) < 0)
        return -1;
    if (a->http.key_file && !a->http.cert_file)
        return err_set(e, ERR_USAGE, PREFIX "%sKEY_FILE is set without " PREFIX "%sCERT_FILE", r.scope[GROUP_CERTIFICATE],
                       r.scope[GROUP_CERTIFICATE]);
    return complete_signature(&r, e);
}

void prom_access_free(struct prom_access *a)
{
    arena_free(&a->texts);
    vec_free(&a->headers);
    *a = (struct prom_access){0};
}
