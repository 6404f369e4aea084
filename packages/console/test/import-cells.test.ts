import assert from 'node:assert/strict'
import { test } from 'node:test'

import { operations } from '@muster/contract'
import * as fc from 'fast-check'

import { parseCsv } from '#data/parse-csv.ts'
import { dayOf, detectOrder, momentOf } from '#pages/import/cells/day.ts'
import { convertTable, findWrongCells, indexOfColumn, type Plan } from '#pages/import/cells/plan.ts'
import { fieldsOf, type Kind } from '#pages/import/columns/fields.ts'
import { externalIdMaker, identitiesOf } from '#pages/import/columns/identity.ts'
import { changeColumn, matchColumns, missingFields } from '#pages/import/columns/match.ts'
import { reportCsv } from '#pages/import/run/report.ts'
import { splitTable } from '#pages/import/run/split.ts'

import { planOf } from './import-plan.ts'

const namesOf = (kind: Kind, columns: readonly string[]) =>
  matchColumns(columns, fieldsOf[kind]).map((field) => field?.name ?? null)

test('columns match by the name in the API, the label and a synonym', () => {
  const german = ['Nr', 'Titel', 'Projekt', 'Verantwortlich', 'Wahrscheinlichkeit', 'Auswirkung']
  assert.deepEqual(namesOf('risks', [...german, 'Nächste Prüfung', 'Massnahme']), [
    'external_id',
    'title',
    'project_code',
    'owner_email',
    'likelihood',
    'impact',
    'review_on',
    null,
  ])
  assert.deepEqual(namesOf('issues', ['TITLE', 'Severity:', 'due_on', 'Assigned to']), [
    'title',
    'severity',
    'due_on',
    'assignee_email',
  ])
  assert.deepEqual(namesOf('risks', ['likelihod', 'Impacts']), [null, null], 'nothing is guessed')
})

test('a field has one column, and the name in the API wins', () => {
  assert.deepEqual(namesOf('risks', ['Titel', 'Title', 'title']), [null, 'title', null])
  const fields = fieldsOf.risks
  const mapping = matchColumns(['Titel', 'Notiz'], fields)
  const title = fields.find(({ name }) => name === 'title') ?? null
  assert.deepEqual(
    changeColumn(mapping, 1, title).map((field) => field?.name),
    [undefined, 'title'],
  )
  assert.deepEqual(
    missingFields(mapping, fields).map(({ name }) => name),
    ['likelihood', 'impact'],
  )
})

test('every field is a column of the batch, and every synonym belongs to one field', () => {
  const rows = {
    people: operations.personnel.batch.rows,
    projects: operations.projects.batch.rows,
    risks: operations.risks.batch_across.rows,
    issues: operations.issues.batch_across.rows,
    tasks: operations.tasks.batch_across.rows,
  }
  for (const [kind, fields] of Object.entries(fieldsOf)) {
    // The cast holds because both objects have the same keys.
    const { properties } = rows[kind as Kind]
    for (const { name, synonyms } of fields) {
      assert.ok((name.split('.')[0] ?? '') in properties, `${kind}: ${name}`)
      for (const synonym of synonyms) {
        const owners = fields.filter((each) => each.synonyms.includes(synonym))
        assert.equal(owners.length, 1, `${kind}: ${synonym}`)
      }
    }
  }
})

test('reads the days that people write', () => {
  const days = {
    '02.03.2027': '2027-03-02',
    '2.3.27': '2027-03-02',
    '2027-03-02': '2027-03-02',
    '2 Mar 2027': '2027-03-02',
    '2. March 2027': '2027-03-02',
    '2/3/2027': '2027-03-02',
    '31.11.2026': null,
    '29.02.2028': '2028-02-29',
    '29.02.2027': null,
    Q1: null,
    '2/3-2027': null,
  }
  for (const [text, day] of Object.entries(days)) assert.equal(dayOf(text, 'day-first'), day, text)
  assert.equal(dayOf('2/3/2027', 'month-first'), '2027-02-03')
  assert.equal(dayOf('02.03.2027', 'month-first'), '2027-03-02', 'full stops are day first')
  const time = '2026-10-15T15:00:00+02:00'
  assert.equal(momentOf(time, 'day-first'), time)
  assert.equal(momentOf('2026-13-15T15:00:00Z', 'day-first'), null)
})

test('the order of a date follows from the column, or the user is asked', () => {
  assert.equal(detectOrder(['2/3/2027', '13/3/2027']), 'day-first')
  assert.equal(detectOrder(['2/3/2027', '3/13/2027']), 'month-first')
  assert.equal(detectOrder(['2/3/2027', '']), null)
  assert.equal(detectOrder(['2/2/2027', '02.03.2027', '2027-03-02', 'Q1']), 'day-first')
  assert.equal(detectOrder(['13/3/2027', '3/13/2027', '2/3/2027']), null)
})

const noCorrections = { corrections: new Map<string, string>(), leftOut: new Set<number>() }

const faultsOf = (plan: Plan) =>
  findWrongCells(plan).map(({ row, at, fault }) => `${row} ${plan.sheet.columns[at]} ${fault}`)

test('cells become what the API takes', () => {
  const header = 'Nr;Titel;Projekt;Owner;Likelihood;Impact;Category;Next review;Identified;Notiz'
  const plan = planOf(
    `${header}\n7;Ice;Norrfors dam;kolar, tomas;4,0;5;Technical;02.02.2027;2023-04-12;x\n` +
      '8;Fire;tun;MARA@x.se;1;2;organizational;;;"a;b"\n',
  )
  assert.deepEqual(faultsOf(plan), [])
  assert.equal(plan.identity, 'external_id')
  const table = convertTable(plan, noCorrections)
  assert.deepEqual(
    parseCsv([table.header, ...table.rows].map(({ text }) => text).join('\n')).rows.map(
      ({ cells }) => cells,
    ),
    [
      ['7', 'Ice', 'DAM', 'usr_2', '4', '5', 'technical', '2027-02-02', '2023-04-12'],
      ['8', 'Fire', 'TUN', 'usr_1', '1', '2', 'organizational', '', ''],
    ],
  )
  assert.deepEqual(table.header.cells.slice(0, 4), [
    'external_id',
    'title',
    'project_code',
    'owner_user_id',
  ])
  assert.equal(plan.sheet.columns[indexOfColumn(plan, 'owner_user_id')], 'Owner')
  assert.equal(indexOfColumn(plan, 'owner_email'), -1)
})

test('wrong cells have a reason', () => {
  const plan = planOf(
    'Nr;Title;Project;Owner;Likelihood;Impact;Category;Next review\n' +
      '1;Ice;DAM;Kim Berg;6;5;Technisch;Q1\n1;;;Site office;3;3;;\n',
  )
  assert.deepEqual(faultsOf(plan), [
    '0 Owner person-twice',
    '0 Likelihood rating',
    '0 Category word',
    '0 Next review day',
    '1 Nr repeated',
    '1 Title required',
    '1 Project required',
    '1 Owner person',
  ])
})

test('an export keeps its ids and emails, and rows with an id need no other field', () => {
  const plan = planOf(
    'id,version,title,severity,assignee_email,assignee_user_id\niss_1,3,,,missing@x.se,usr_1\n',
    { kind: 'issues' },
  )
  assert.equal(plan.identity, 'id')
  assert.deepEqual(faultsOf(plan), [])
  assert.deepEqual(convertTable(plan, noCorrections).rows[0]?.cells, [
    'iss_1',
    '3',
    '',
    '',
    'missing@x.se',
    'usr_1',
  ])
})

test('the same file makes the same external ids, and no two rows have one', () => {
  const row = fc.tuple(fc.constantFrom('DAM', 'TUN'), fc.string({ maxLength: 3 }))
  fc.assert(
    fc.property(fc.array(row), fc.boolean(), (rows, isLong) => {
      const make = () => {
        const makeId = externalIdMaker()
        return rows.map(([code, title]) =>
          makeId(code, isLong ? `${'x'.repeat(190)}${title}` : title),
        )
      }
      const ids = make()
      assert.deepEqual(make(), ids)
      assert.ok(ids.every((id) => id.length <= 200))
      const texts = rows.map(([code, title]) => `${code} ${title.replaceAll(/\s+/g, ' ')}`.trim())
      if (!texts.some((text) => text.includes('#'))) assert.equal(new Set(ids).size, ids.length)
    }),
  )
})

test('the ways to find a record follow from the columns', () => {
  const identities = (kind: Kind, csv: string) => {
    const { sheet, mapping } = planOf(csv, { kind })
    return identitiesOf(kind, sheet, mapping)
  }
  assert.deepEqual(identities('people', 'name,email\nA,a@x\nB,b@x\n'), ['email', 'none'])
  assert.deepEqual(identities('people', 'name,email\nA,a@x\nB,\n'), ['none'])
  assert.deepEqual(identities('projects', 'code,name\nDAM,Dam\n'), ['code'])
  assert.deepEqual(identities('tasks', 'title\nA\n'), ['made', 'none'])
  assert.deepEqual(identities('risks', 'Nr,title\n1,A\n'), ['external_id', 'none'])
})

test('a request has the rows of at most 50 projects', () => {
  const lines = Array.from({ length: 120 }, (_, at) => `T${at},P${at},3,3`)
  const table = parseCsv(`title,project_code,likelihood,impact\n${lines.join('\n')}`)
  const batches = splitTable(table, { rowsMax: 1000, bytesMax: 100_000, projectsMax: 50 })
  assert.deepEqual(
    batches.map(({ rows }) => rows.length),
    [50, 50, 20],
  )
  assert.deepEqual(
    batches.flatMap(({ rows }) => rows),
    table.rows,
  )
})

test('the report has every row, and no cell that is a formula', () => {
  const results = new Map([[2, { outcome: 'new', record: 'DAM-R1' } as const]])
  const leftOut = new Map([[3, '=1+1, "x"']])
  assert.equal(
    reportCsv({ lines: [2, 3, 4], results, leftOut }),
    `Line,Result,Record,Reason\n2,New,DAM-R1,\n3,Left out,,"'=1+1, ""x"""\n4,Not imported,,\n`,
  )
})
