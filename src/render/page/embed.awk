# Turns page.css and page.js into `static const char *const html_NAME[] = {"line\n", ..., NULL};`: without indentation, empty lines, and
# comments that are lines of their own.
FNR == 1 {
    if (NR > 1)
        print "    0\n};"
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\./, "_", name)
    print "static const char *const html_" name "[] = {"
}
{ sub(/^[ \t]+/, "") }
/^$/ || /^\/\/ / || /^\/\*.*\*\/$/ { next }
{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    print "    \"" $0 "\\n\","
}
END { print "    0\n};" }
