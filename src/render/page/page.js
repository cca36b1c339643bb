// Sorting, filtering and folding. Everything is on the page without it: the script only adds controls.
(function () {
"use strict";

function all(root, selector) { return Array.prototype.slice.call(root.querySelectorAll(selector)); }

function add(parent, tag, text) {
    var e = document.createElement(tag);
    if (text) e.textContent = text;
    parent.appendChild(e);
    return e;
}

// ---- sorting ----

// A cell's number, or its text; what has neither goes last.
function keyOf(row, column) {
    var at = 0;
    for (var i = 0; i < row.cells.length; i++) {
        var cell = row.cells[i];
        if (column < at + cell.colSpan) {
            if (cell.hasAttribute("data-v")) return Number(cell.getAttribute("data-v"));
            return cell.classList.contains("n") ? null : cell.textContent;
        }
        at += cell.colSpan;
    }
    return null;
}

function compare(a, b, down) {
    if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.at - b.at;
    var less = typeof a.key === "number" && typeof b.key === "number" ? a.key - b.key : String(a.key).localeCompare(String(b.key));
    return (down ? -less : less) || a.at - b.at;
}

// Puts elements in order where they stand: those that are no candidates keep their places.
function reorder(elements, rowOf, column, down) {
    if (elements.length < 2) return;
    var end = elements[elements.length - 1].nextSibling, parent = elements[0].parentNode;
    elements.map(function (e, i) { return {e: e, at: i, key: keyOf(rowOf(e), column)}; })
        .sort(function (a, b) { return compare(a, b, down); })
        .forEach(function (x) { parent.insertBefore(x.e, end); });
}

function self(e) { return e; }
function firstRow(body) { return body.rows[0]; }

function sort(table, column, down) {
    var run = [];
    Array.prototype.slice.call(table.tBodies).forEach(function (body) {
        if (body.classList.contains("sum") || body.classList.contains("rows")) {
            reorder(run, firstRow, column, down);
            run = [];
        } else {
            run.push(body);
        }
        reorder(Array.prototype.filter.call(body.rows, function (r) { return !r.matches(".head, .rest, .subtotal, .grand"); }), self, column, down);
    });
    reorder(run, firstRow, column, down);
}

function makeSortable(table) {
    all(table, "thead th").forEach(function (head, column) {
        var text = head.textContent, button;
        head.textContent = "";
        button = add(head, "button", text);
        button.type = "button";
        button.addEventListener("click", function () {
            var before = head.getAttribute("aria-sort");
            var down = before ? before === "ascending" : head.classList.contains("n");
            all(table, "thead th").forEach(function (h) { h.removeAttribute("aria-sort"); });
            head.setAttribute("aria-sort", down ? "descending" : "ascending");
            sort(table, column, down);
        });
    });
}

// ---- folding ----

function setFold(body, open) {
    var button = body.querySelector("tr.head button");
    if (!button) return;
    button.setAttribute("aria-expanded", String(open));
    Array.prototype.forEach.call(body.rows, function (r) {
        if (!r.classList.contains("head")) r.hidden = !open;
    });
}

function makeFoldable(body) {
    var head = body.querySelector("tr.head th"), button;
    if (!head) return;
    button = document.createElement("button");
    button.type = "button";
    while (head.firstChild) button.appendChild(head.firstChild);
    head.appendChild(button);
    button.addEventListener("click", function () { setFold(body, button.getAttribute("aria-expanded") !== "true"); });
    setFold(body, !body.classList.contains("fold"));
}

// ---- filtering ----

function rowMatches(row, words) {
    var text = row.textContent.toLowerCase();
    return words.every(function (w) { return text.indexOf(w) >= 0; });
}

// Shows the rows of a body that match; all of them when its head, or what stands above it, does. Returns how many.
function filterBody(body, words, above) {
    var head = body.querySelector("tr.head"), found = 0, whole = above || (head && rowMatches(head, words));
    Array.prototype.forEach.call(body.rows, function (r) {
        if (r === head) return;
        r.hidden = !(whole || rowMatches(r, words));
        found += !r.hidden;
    });
    body.hidden = !found;
    if (head && head.querySelector("button")) {
        if (!words.length || above) setFold(body, !body.classList.contains("fold"));
        else head.querySelector("button").setAttribute("aria-expanded", "true");
    }
    return found;
}

function filterTable(table, words, above) {
    var found = 0;
    Array.prototype.forEach.call(table.tBodies, function (body) {
        if (body.classList.contains("sum")) body.hidden = words.length > 0 && !above;
        else found += filterBody(body, words, above);
    });
    return found;
}

function filterSection(section, words) {
    var found = 0, teams = all(section, "details.team");
    if (!teams.length) {
        all(section, "table.figures").forEach(function (t) { found += filterTable(t, words, false); });
        return found;
    }
    teams.forEach(function (d) {
        var above = words.length > 0 && rowMatches(d.querySelector("summary"), words);
        var n = filterTable(d.querySelector("table"), words, above);
        d.hidden = !n;
        d.open = words.length > 0 && n > 0 && !above;
        found += n;
    });
    return found;
}

function addTools(section, label, before) {
    var tools = document.createElement("div"), input = add(tools, "input"), said;
    tools.className = "tools";
    input.type = "search";
    input.placeholder = label;
    input.setAttribute("aria-label", label);
    if (section.querySelector("tbody.fold, details.team")) addOpenAll(section, tools);
    said = add(tools, "output");
    input.addEventListener("input", function () {
        var words = input.value.toLowerCase().split(/\s+/).filter(Boolean), n = filterSection(section, words);
        said.textContent = words.length ? n + (n === 1 ? " row" : " rows") : "";
    });
    before.parentNode.insertBefore(tools, before);
}

function addOpenAll(section, tools) {
    var button = add(tools, "button", "Open all"), open = false;
    button.type = "button";
    button.addEventListener("click", function () {
        open = !open;
        all(section, "details.team").forEach(function (d) { d.open = open; });
        all(section, "tbody.group").forEach(function (b) { setFold(b, open || !b.classList.contains("fold")); });
        button.textContent = open ? "Close all" : "Open all";
    });
}

all(document, "table.figures").forEach(makeSortable);
all(document, "tbody.group").forEach(makeFoldable);
[["rows", "Filter rows"], ["reasons", "Filter nodes and reasons"], ["detail", "Filter teams, workloads, pods"]].forEach(function (s) {
    var section = document.getElementById(s[0]), before = section && section.querySelector(".scroll, details.team");
    var many = section && (section.querySelector("tbody.fold, details.team") || section.querySelectorAll("tbody tr").length > 20);
    if (before && many) addTools(section, s[1], before.closest("details") || before);
});
})();
