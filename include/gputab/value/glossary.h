/* glossary: what columns and warnings mean, in words: the tables behind `gputab explain --column` and `--code`. */
#ifndef GPUTAB_VALUE_GLOSSARY_H
#define GPUTAB_VALUE_GLOSSARY_H

struct glossary_column {
    const char *name;              /* of CSV; a member of an object in JSON is "grade.A" there */
    const char *unit;
    const char *meaning;
    const char *formula;
    const char *example;
};

struct glossary_code {
    const char *code;
    const char *meaning;
    const char *todo;
};

extern const struct glossary_column glossary_columns[];      /* in the order of the columns; ends with name NULL */
extern const struct glossary_code glossary_codes[];          /* in the order of the codes; ends with code NULL */

#endif
