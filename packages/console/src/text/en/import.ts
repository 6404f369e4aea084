export const imports = {
  'import.title': 'Import',
  'import.choose': 'What to import',
  'import.kind': 'What is in the file',
  'import.kind.people': 'People',
  'import.kind.risks': 'Risks',
  'import.kind.issues': 'Issues',
  'import.project': 'Project',
  'import.project.about': 'Where the rows of the file belong.',
  'import.no-project': 'There is no project yet',
  'import.no-project.about':
    'Risks and issues belong to a project. Open the first one, and come back with your file.',
  'import.no-project.start': 'Get started',
  'import.file': 'Drop a CSV file anywhere on this page, or choose one.',
  'import.drop': 'Let go to check this file',
  'import.pick': 'Choose a file',
  'import.pick.other': 'Choose another file',
  'import.chosen': 'The file that is checked',
  'import.template': 'Download a template',
  'import.limits':
    'At most {rows} rows and {size} MiB are sent at once. A longer file is sent in parts, one ' +
    'after the other; a file can have {most} MiB.',
  'import.about': 'Needed: {required}. Any other column of the template may be left out.',
  'import.about.change':
    'A row without an id is new. To change what is there, keep the id of each row as the ' +
    'export has it.',
  'import.wait-project': 'Choose the project, and the file is checked.',
  'import.busy': 'An import is going on. Wait until it has ended.',
  'import.unreadable': 'This file cannot be read',
  'import.too-large': 'It has more than {most} MiB. Split it into several files.',
  'import.not-text':
    'It is not text in UTF-8. In your spreadsheet, save it as “CSV UTF-8”, and choose that file.',
  'import.not-read':
    'The browser could not read it. If it was changed or moved since, choose it again.',
  'import.no-rows':
    'There are no rows in it. The first line names the columns; put one line for each row below.',
  'import.check': 'Check of the file',
  'import.checking': 'Checking {done} of {count} rows. Nothing is changed by this.',
  'import.check.again': 'Check again',
  'import.check.failed': 'The check could not be made. Nothing was changed.',
  'import.fine': {
    one: '{count} row is fine. Nothing was changed yet.',
    other: 'All {count} rows are fine. Nothing was changed yet.',
  },
  'import.in-parts': {
    one: 'They are sent at once: all of them are taken, or none.',
    other:
      'They are sent in {count} parts. Each part is taken as a whole or not at all. Parts are ' +
      'checked one by one: two rows of different parts with the same email are found only when ' +
      'the later part is done.',
  },
  'import.count.new': 'New',
  'import.count.changed': 'Changed',
  'import.count.unchanged': 'Unchanged',
  'import.sample': 'The first rows',
  'import.line': 'Line',
  'import.fate': 'Becomes',
  'import.fate.new': 'New',
  'import.fate.changed': 'Changed',
  'import.fate.unchanged': 'Unchanged',
  'import.more': { one: '… and {count} more row.', other: '… and {count} more rows.' },
  'import.do': { one: 'Import {count} row', other: 'Import {count} rows' },
  'import.nothing': 'Nothing in this file differs from what is there already.',
  'import.flawed': {
    one: '{count} thing to correct. Nothing was changed.',
    other: '{count} things to correct. Nothing was changed.',
  },
  'import.flawed.about': 'Correct them in your file, and choose it again.',
  'import.flawed.rounds':
    'The check may find more then: it first looks at how each row is written, and only then at ' +
    'what the rows refer to. At most {most} are told for each part.',
  'import.flaws': 'What to correct',
  'import.column': 'Column',
  'import.flaw': 'What is wrong',
  'import.value': 'In the file: {value}',
  'import.value.none': 'In the file: nothing',
  'import.flaws.more': {
    one: '{count} more is not shown.',
    other: '{count} more are not shown.',
  },
  'import.row': 'The row',
  'import.flaw.quote': 'A quotation mark is not closed, or stands within a cell.',
  'import.flaw.cells': 'It has {count} cells, and the header has {wanted}.',
  'import.fix.quote': 'Put the whole cell in quotation marks, and double those within it.',
  'import.fix.cells': 'Put a cell that holds a separator or a line break in quotation marks.',
  'import.fix.required': 'Fill in the cell; a row without an id is new, and needs it.',
  'import.fix.type': 'Write it as the export does: a rating as 3, metadata as JSON.',
  'import.fix.words': 'Use one of the words that are listed, as they are written.',
  'import.fix.form':
    'Look for blanks, line breaks or a mistyped id, and write it as in the export.',
  'import.fix.length': 'Make it shorter.',
  'import.fix.number': 'Ratings are whole numbers from 1 to 5.',
  'import.fix.id': 'Take the id from a new export, or empty the cell to make it a new row.',
  'import.fix.repeated': 'Keep only one of the rows.',
  'import.fix.version': 'Someone changed it since your export. Export it again, and edit that.',
  'import.fix.read-only': 'The service sets this itself. Leave the cell as the export has it.',
  'import.fix.taken': 'It may be the same person: put the id of that person into the row.',
  'import.fix.person': 'Use the id of someone who is on the roster and active.',
  'import.fix.status': 'Open it and do this there; a file cannot.',
  'import.fix.other': 'Correct the cell.',
  'import.doing': 'Import of the file',
  'import.progress': '{done} of {count} rows are done.',
  'import.stop': 'Stop after this part',
  'import.stopping': 'It stops after the part that is being done.',
  'import.done': {
    one: 'Done: {count} row was imported.',
    other: 'Done: all {count} rows were imported.',
  },
  'import.counts': '{created} new, {changed} changed, {unchanged} unchanged.',
  'import.see.people': 'See the people',
  'import.see.risks': 'See the risks',
  'import.see.issues': 'See the issues',
  'import.another': 'Import another file',
  'import.stopped': 'Stopped: {done} of {count} rows were imported.',
  'import.stopped.done': 'Lines {first} to {last} are done: {counts}',
  'import.stopped.none': 'Nothing was changed.',
  'import.stopped.rest': {
    one: 'Line {first} is not done.',
    other: 'Lines {first} to {last} are not done.',
  },
  'import.stopped.unknown':
    'Whether the part from line {first} on was done is not known. Go on: it is not done twice.',
  'import.stopped.warning':
    'Do not import the whole file again: what is done would be entered twice. Go on from here, ' +
    'or download the rest, correct it, and import that.',
  'import.go-on': 'Go on from line {line}',
  'import.rest': 'Download the rest',
  'import.rest.name': 'rest of {name}',
  'import.leave': 'The import is still going on',
  'import.leave.about':
    'If you leave now, it stops after the part that is being done, and you will not see how far ' +
    'it came.',
  'import.leave.stay': 'Stay',
  'import.leave.go': 'Stop and leave',
} as const
