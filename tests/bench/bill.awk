# What bill_read does, in awk, for rows without line ends inside quotes. -v names=KIND,START,RESOURCE,QUANTITY,CURRENCY,COST
# Sums are of doubles.
function cut(row, fields,    parts, n, i, joined) {
    if (index(row, "\"") == 0)
        return split(row, fields, ",")
    n = split(row, parts, "\"")
    for (i = 1; i <= n; i++) {
        if (i % 2 == 0)
            gsub(/,/, "\001", parts[i])
        joined = joined parts[i]
    }
    return split(joined, fields, ",")
}
NR == 1 {
    columns = cut($0, head)
    for (i = 1; i <= columns; i++)
        at[head[i]] = i
    split(names, name, ",")
    for (i = 1; i <= 6; i++)
        c[i] = at[name[i]]
    next
}
{
    if (cut($0, f) != columns) {
        print "row " NR " has other fields" > "/dev/stderr"
        exit 1
    }
    rows++
    cost += f[c[6]]
    if (substr(f[c[3]], 1, 5) == "i-09f" && f[c[1]] == "Usage" && substr(f[c[2]], 1, 7) == "2026-10" && f[c[5]] == "USD") {
        node_rows++
        node_cost += f[c[6]]
        node_quantity += f[c[4]]
    }
}
END {
    printf "{\"rows\": %d, \"cost\": \"%.10f\", \"node_rows\": %d, \"node_cost\": \"%.10f\", \"node_quantity\": \"%.10f\"}\n", rows, cost, \
        node_rows, node_cost, node_quantity
}
