"""The queries for other engines, written in DuckDB's words.

What an engine calls otherwise is replaced word by word, or defined as a macro, and its table is a view. So their logic runs: which rows
stay, what is summed, NULL and signs. That the engine itself takes the words is not tested.
"""
import os

# engine: file, the dialect of its bills, the form of the Parquet file, replaced words, macros
ENGINES = {
    'athena': ('athena-cur.sql', 'cur', 'map', [], [
        'regexp_like(a, b) AS regexp_matches(a, b)', 'json_format(a) AS a::VARCHAR', 'element_at(a, b) AS map_extract_value(a, b)']),
    'snowflake': ('snowflake-focus.sql', 'focus', 'typed', [('number(38', 'decimal(38')], [
        'regexp_instr(a, b) AS regexp_matches(a, b)::INT', 'regexp_substr(a, b) AS regexp_extract(a, b)']),
    'clickhouse': ('clickhouse-focus.sql', 'focus', 'typed', [
        ('Nullable(Decimal(38, 12))', 'DECIMAL(38, 12)'), ('concatWithSeparator(', 'concat_ws('), (' match(', ' regexp_matches('),
        (' extract(', ' regexp_extract('), ('\nFORMAT CSVWithNames', '\n--'), ('\nSETTINGS', '\n--')], [
        'toString(a) AS a::VARCHAR', 'toDateTime(a, b) AS a::TIMESTAMP',
        "formatDateTime(a, b, c) AS strftime(a, replace(b, '%i', '%M'))"]),
}
TEXT = 'NULL::VARCHAR AS "%s"'


def text_of(engine, root, lacking, parquet):
    """The engine's query over the file as SQL of DuckDB that writes CSV; `lacking`: columns of the dialect that the
    file has not, since the query names all of them."""
    name, dialect, _, words, macros = ENGINES[engine]
    with open(os.path.join(root, 'examples', 'sql', name), encoding='utf-8') as f:
        query = f.read()
    for a, b in words:
        if a not in query:
            raise ValueError('%s does not say "%s"' % (name, a))
        query = query.replace(a, b)
    asked = ', '.join(['*', "'2026-10' AS billing_period"] + [TEXT % n for n in lacking])
    view = "CREATE TEMP VIEW %s AS SELECT %s FROM read_parquet('%s');" % (dialect, asked, parquet)
    return '\n'.join(['CREATE TEMP MACRO %s;' % m for m in macros]
                     + [view, "COPY (", query, ") TO '/dev/stdout' (FORMAT csv, HEADER);"])
