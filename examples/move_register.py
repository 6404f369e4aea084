# move_register.py
"""Moves a risk register from a spreadsheet: BASE=… KEY=… python3 move_register.py risks.csv"""
import csv, io, json, os, sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
ROWS_MAX = 1000  # In one request.
FIELDS = {  # What each column of the sheet becomes. `-` ignores a column.
    "ID": "external_id",
    "Titel": "title",
    "Projekt": "project_code",
    "Verantwortlich": "owner_email",
    "Wahrscheinlichkeit": "likelihood",
    "Auswirkung": "impact",
    "Erfasst am": "identified_at",
    "Zuletzt geprüft": "last_reviewed_at",
    "Notiz": "-",
}
NAMES = {field: name for name, field in FIELDS.items()}


def faults(rows):
    """The errors that the service cannot see, because it gets the file in parts."""
    seen = set()
    for line, row in rows:
        row_id = row.get(NAMES["external_id"])
        if None in row or None in row.values():
            yield f"line {line}: the header has another number of cells"
        elif row_id and row_id in seen:
            yield f"line {line}, {NAMES['external_id']}: appears in more than one row"
        seen.add(row_id)


def in_words(error, part):
    """`/data/2/likelihood` becomes the line and the column of the sheet."""
    _, place, *rest = error["pointer"].split("/")
    if place != "data":
        return f"header: {error['detail']}"
    line, field = part[int(rest[0])][0], ".".join(rest[1:])
    return f"line {line}, {NAMES.get(field, field or 'row')}: {error['detail']}"


def send(part, dry_run):
    """Returns the result of one request. If it is refused, prints the errors and returns None."""
    table = io.StringIO()
    writer = csv.DictWriter(table, reader.fieldnames, delimiter=";")
    writer.writeheader()
    writer.writerows(row for _, row in part)
    columns = ",".join(f"{name}:{field}" for name, field in FIELDS.items())
    query = urlencode({"match": "external_id", "columns": columns, "dry_run": dry_run})
    url = f"{os.environ['BASE']}/v1/projects/risks/batch?{query}"
    headers = {"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": "text/csv"}
    try:
        return json.load(urlopen(Request(url, table.getvalue().encode(), headers), timeout=60))
    except HTTPError as refusal:
        problem = json.load(refusal)
        errors = [in_words(error, part) for error in problem.get("errors", [])]
        print(*(errors or [problem["detail"]]), sep="\n", file=sys.stderr)


with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    reader = csv.DictReader(file, delimiter=";")
    rows = [(reader.line_num, row) for row in reader if any(row.values())]
if wrong := list(faults(rows)):
    sys.exit("\n".join(wrong))
parts = [rows[start : start + ROWS_MAX] for start in range(0, len(rows), ROWS_MAX)]
for dry_run in ("true", "false"):
    results = [send(part, dry_run) for part in parts]
    if None in results:
        sys.exit("Nothing was saved." if dry_run == "true" else "Not all was saved. Run it again.")
counts = ("created", "changed", "unchanged")
print(json.dumps({each: sum(result[each] for result in results) for each in counts}))
