# Turns each CSV file into `static const char *const catalogue_NAME[] = {"line", ..., NULL};`.
FNR == 1 {
    if (NR > 1)
        print "    0\n};"
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.csv$/, "", name)
    print "static const char *const catalogue_" name "[] = {"
}
{
    sub(/\r$/, "")
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    print "    \"" $0 "\","
}
END { print "    0\n};" }
