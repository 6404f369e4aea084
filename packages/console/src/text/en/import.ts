export const imports = {
  'import.title': 'Import',
  'import.choose': 'What to import',
  'import.steps': 'Steps',
  'import.step.choose': 'Choose a file',
  'import.step.check': 'Check',
  'import.step.doing': 'Import',
  'import.kind': 'File contents',
  'import.project.about': 'The project of the rows in the file.',
  'import.no-project.about':
    'Risks and issues belong to a project. Create a project first, then import the file.',
  'import.file': 'Drop a CSV file anywhere on this page, or choose one.',
  'import.drop': 'Drop the file to check it',
  'import.pick': 'Choose a file',
  'import.pick.other': 'Choose another file',
  'import.chosen': 'Selected file',
  'import.template': 'Download a template',
  'import.limits':
    'At most {rows} rows and {size} MiB are sent in one request. A longer file is sent in ' +
    'parts. A file can have at most {most} MiB.',
  'import.about': 'Required: {required}. Other columns of the template are optional.',
  'import.about.change': 'New rows are added. Rows with an ID update that record.',
  'import.wait-project': 'Choose a project to check the file.',
  'import.busy': 'An import is running. Wait until it ends.',
  'import.unreadable': 'This file cannot be read',
  'import.too-large': 'The file is larger than {most} MiB. Split it into several files.',
  'import.not-text':
    'The file is not UTF-8 text. In your spreadsheet, save it as “CSV UTF-8” and choose that ' +
    'file.',
  'import.not-read':
    'The browser could not read the file. If the file was changed or moved, choose it again.',
  'import.no-rows':
    'The file has no rows. The first line must name the columns. Each line below it is one row.',
  'import.check': 'File check',
  'import.checking': 'Checking {done} of {count} rows. The check changes nothing.',
  'import.check.again': 'Check again',
  'import.check.failed': 'The check failed. Nothing was changed.',
  'import.fine': {
    one: '{count} row is valid. Nothing was changed yet.',
    other: 'All {count} rows are valid. Nothing was changed yet.',
  },
  'import.in-parts': {
    one: 'The file is sent in one request: all rows are imported, or none.',
    other:
      'The file is sent in {count} parts. Each part is imported as a whole or not at all. ' +
      'Parts are checked one by one. A duplicate email in two parts is found only when the ' +
      'later part is imported.',
  },
  'import.sample': 'Preview',
  'import.line': 'Line',
  'import.outcome': 'Result',
  'import.outcome.new': 'New',
  'import.outcome.changed': 'Changed',
  'import.outcome.unchanged': 'Unchanged',
  'import.more': { one: '… and {count} more row.', other: '… and {count} more rows.' },
  'import.do': { one: 'Import {count} row', other: 'Import {count} rows' },
  'import.nothing': 'The file contains no changes.',
  'import.invalid': {
    one: '{count} error. Nothing was changed.',
    other: '{count} errors. Nothing was changed.',
  },
  'import.invalid.about': 'Correct the file and choose it again.',
  'import.invalid.rounds':
    'The next check may find more errors, because references are checked only when every row ' +
    'is valid. At most {most} errors are listed for each part.',
  'import.errors': 'Errors',
  'import.column': 'Column',
  'import.error': 'Error',
  'import.value': 'In the file: {value}',
  'import.value.none': 'In the file: empty',
  'import.errors.more': {
    one: '{count} more error is not shown.',
    other: '{count} more errors are not shown.',
  },
  'import.row': 'Row',
  'import.error.quote': 'A quotation mark is not closed, or is inside an unquoted cell.',
  'import.error.cells': 'The row has {count} cells, but the header has {wanted}.',
  'import.fix.quote': 'Quote the whole cell, and double every quotation mark inside it.',
  'import.fix.cells': 'Quote cells that contain a separator or a line break.',
  'import.fix.required': 'Fill in the cell. It is required in a row without an ID.',
  'import.fix.type': 'Use the format of the export: a rating as 3, metadata as JSON.',
  'import.fix.words': 'Use one of the listed values, spelled the same way.',
  'import.fix.form': 'Write dates as 2027-02-28 and IDs as in the export, without spaces.',
  'import.fix.length': 'Shorten the text.',
  'import.fix.number': 'Ratings are whole numbers from 1 to 5.',
  'import.fix.id': 'Copy the ID from a new export, or clear the cell to create a new record.',
  'import.fix.repeated': 'Keep only one of these rows.',
  'import.fix.version':
    'The record was changed after your export. Export it again and edit that file.',
  'import.fix.read-only':
    'The service sets this field. Leave the cell as exported, or empty in a row without an ID.',
  'import.fix.taken': 'This may be the same person. Use the ID of that person in the row.',
  'import.fix.person': 'Use the ID of an active person on the roster.',
  'import.fix.status': 'An import cannot make this change. Open the record and change it there.',
  'import.fix.other': 'Correct the cell.',
  'import.doing': 'Import progress',
  'import.progress': '{done} of {count} rows are imported.',
  'import.stop': 'Stop after this part',
  'import.stopping': 'The import stops after the current part.',
  'import.done': {
    one: 'Done: {count} row was imported.',
    other: 'Done: all {count} rows were imported.',
  },
  'import.counts': '{created} new, {changed} changed, {unchanged} unchanged.',
  'import.see.people': 'View people',
  'import.see.risks': 'View risks',
  'import.see.issues': 'View issues',
  'import.another': 'Import another file',
  'import.stopped': 'Stopped: {done} of {count} rows were imported.',
  'import.stopped.done': 'Imported: lines {first} to {last}. {counts}',
  'import.stopped.none': 'Nothing was changed.',
  'import.stopped.rest': {
    one: 'Not imported: line {first}.',
    other: 'Not imported: lines {first} to {last}.',
  },
  'import.stopped.unknown':
    'The result of the part that starts at line {first} is unknown. Continue: no row is ' +
    'imported twice.',
  'import.stopped.warning':
    'Do not import the whole file again, because that would create duplicates. Continue, or ' +
    'download the remaining rows, correct them and import that file.',
  'import.go-on': 'Continue from line {line}',
  'import.rest': 'Download remaining rows',
  'import.rest.name': 'remaining {name}',
  'import.leave': 'The import is still running',
  'import.leave.about':
    'If you leave now, the import stops after the current part and you do not see the result.',
  'import.leave.stay': 'Stay',
  'import.leave.go': 'Stop and leave',
} as const
