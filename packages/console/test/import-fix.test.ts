import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  correctCells,
  type EditHistory,
  editsOf,
  noEdits,
  refuseRows,
  undoCorrection,
} from '#pages/import/cells/edits.ts'
import { findEqualCells, judgeCells, nextWrong, wrongBelow } from '#pages/import/cells/judge.ts'
import { convertTable, findWrongCells, type Plan } from '#pages/import/cells/plan.ts'
import { fieldsOf } from '#pages/import/columns/fields.ts'
import { changeColumn } from '#pages/import/columns/match.ts'
import {
  fileOf,
  forgetColumns,
  recallColumns,
  recalledMapping,
  rememberColumns,
  type RememberedColumns,
} from '#pages/import/columns/remembered.ts'
import { moveTo } from '#pages/import/fix/grid-moves.ts'
import { changesOf } from '#pages/import/preview/changes.ts'

import { planOf } from './import-plan.ts'

/** The cells of a plan after these edits, with what the edits are. */
function judge(plan: Plan, history: EditHistory = noEdits) {
  const edits = editsOf(history, plan)
  return { ...judgeCells(plan, findWrongCells(plan), edits), edits }
}

const offices = planOf(
  'Title;Project;Owner;Likelihood;Impact\n' +
    'Ice;DAM;Office;3;3\nFire;DAM;Office;3;3\nAir;DAM;Unknown;3;3\n',
)

test('a correction counts for all cells with the same value, and other rows are left out', () => {
  const before = judge(offices)
  const [first, second, third] = before.wrong
  assert.ok(first && second && third)
  assert.deepEqual([first.text, second.text, third.text], ['Office', 'Office', 'Unknown'])
  assert.deepEqual(findEqualCells(before, offices, first), [second])
  const places = [first, second] as const
  const history = correctCells(noEdits, offices, { places, text: 'kim2@x.se' })
  const after = judge(offices, history)
  assert.equal(after.fixed.length, 2)
  assert.equal(nextWrong(after.wrong, first)?.text, 'Unknown')
  const [again] = findEqualCells(after, offices, second)
  assert.equal(again?.row, 0, 'corrected cells are changed together again')
  const { corrections } = after.edits
  const table = convertTable(offices, { corrections, leftOut: new Set([3]) })
  assert.deepEqual(
    table.rows.map(({ line, cells }) => [line, ...cells]),
    [[2, 'Ice', 'DAM', 'usr_4', '3', '3', 'DAM Ice']],
  )
})

test('corrections are taken back one by one, and end with another field of the column', () => {
  const [first, second, third] = judge(offices).wrong
  assert.ok(first && second && third)
  assert.deepEqual(wrongBelow(judge(offices).wrong, first), [second, third])
  const once = correctCells(noEdits, offices, { places: [first], text: 'mara@x.se' })
  const twice = correctCells(once, offices, { places: [second, third], text: '' })
  assert.equal(judge(offices, twice).wrong.length, 0)
  const undone = undoCorrection(twice)
  assert.ok(undone)
  assert.equal(undone.place, second)
  assert.equal(judge(offices, undone.history).wrong.length, 2)
  const all = undoCorrection(undone.history)
  assert.ok(all)
  assert.equal(undoCorrection(all.history), null)
  const other = { ...offices, mapping: changeColumn(offices.mapping, 2, null) }
  assert.deepEqual(editsOf(twice, other).corrections, new Map())
})

test('a refused cell is wrong until it is corrected or sent again', () => {
  const plan = planOf('id,title,severity,assignee_email\niss_1,Ice,3,\niss_2,Ice,3,\n', {
    kind: 'issues',
  })
  const error = { value: '', code: 'x' }
  const history = refuseRows(noEdits, plan, [
    { ...error, line: 2, column: 'title', detail: 'is too long' },
    { ...error, line: 3, column: 'title', detail: 'is too long' },
    { ...error, line: 3, column: null, detail: 'is closed' },
    { ...error, line: 2, column: 'version', detail: 'is old' },
  ])
  const { wrong, edits } = judge(plan, history)
  assert.deepEqual(
    wrong.map(({ row, at, fault, detail }) => [row, at, fault, detail]),
    [
      [0, 1, 'refused', 'is too long'],
      [1, 1, 'refused', 'is too long'],
    ],
  )
  assert.equal(edits.rowRefusals.get(2), 'version: is old')
  assert.equal(edits.rowRefusals.get(3), 'is closed')
  const [first, second] = wrong
  assert.ok(first && second)
  assert.deepEqual(findEqualCells(judge(plan, history), plan, first), [], 'each title is its own')
  const again = correctCells(history, plan, { places: [second], text: 'Ice' })
  assert.equal(judge(plan, again).wrong.length, 1)
  assert.deepEqual([...judge(plan, again).edits.rowRefusals.keys()], [2])
  const other: Plan = { ...plan, identity: 'none' }
  assert.equal(editsOf(again, other).rowRefusals.size, 0, 'another import is checked again')
})

test('keys move in the rows and columns that are shown', () => {
  const shown = { rows: [3, 7, 9], columns: [0, 2, 5] }
  const from = { row: 7, at: 2 }
  assert.deepEqual(moveTo(shown, from, 'ArrowDown'), { row: 9, at: 2 })
  assert.deepEqual(moveTo(shown, from, 'ArrowLeft'), { row: 7, at: 0 })
  assert.deepEqual(moveTo(shown, { row: 9, at: 5 }, 'ArrowRight'), { row: 9, at: 5 })
  assert.deepEqual(moveTo(shown, from, 'PageUp'), { row: 3, at: 2 })
  assert.deepEqual(moveTo(shown, from, 'End'), { row: 7, at: 5 })
  assert.deepEqual(moveTo(shown, from, 'mod+End'), { row: 9, at: 5 })
  assert.equal(moveTo(shown, from, 'a'), null)
  assert.deepEqual(moveTo(shown, { row: 5, at: 2 }, 'ArrowUp'), { row: 3, at: 2 })
  assert.equal(moveTo({ rows: [], columns: [0] }, from, 'ArrowDown'), null)
})

const chosen = (columns: readonly string[], fields: readonly (string | null)[]) =>
  ({ ...fileOf('risks', columns), fields, orders: [], identity: null }) satisfies RememberedColumns

test('a file with the same header is remembered for its kind', () => {
  const columns = ['Prob.', 'Cons', 'Was']
  const all = rememberColumns([], chosen(columns, ['likelihood', 'impact', 'gone']))
  const recalled = recallColumns(all, fileOf('risks', ['PROB', 'cons.', 'was']))
  assert.ok(recalled)
  assert.deepEqual(
    recalledMapping(recalled, fieldsOf.risks).map((field) => field?.name ?? null),
    ['likelihood', 'impact', null],
  )
  assert.equal(recallColumns(all, fileOf('issues', columns)), null)
  assert.equal(recallColumns(all, fileOf('risks', ['Prob.', 'Cons'])), null)
  assert.deepEqual(forgetColumns(all, fileOf('risks', columns)), [])
  for (const other of [{ not: 'a list' }, [null], [fileOf('risks', columns)]]) {
    assert.equal(recallColumns(other, fileOf('risks', columns)), null, 'of another version')
  }
})

test('only the last 20 headers are remembered, and none that is very long', () => {
  const files = Array.from({ length: 25 }, (_, at) => chosen([`Column ${at}`], ['title']))
  let all: readonly RememberedColumns[] = []
  for (const file of files) all = rememberColumns(all, file)
  assert.equal(all.length, 20)
  assert.equal(all[0]?.header, 'column 5')
  const again = rememberColumns(all, chosen(['Column 5'], [null]))
  assert.equal(again.length, 20)
  assert.deepEqual(again.at(-1)?.fields, [null])
  assert.deepEqual(rememberColumns(all, chosen(['x'.repeat(5000)], ['title'])), all)
})

test('what changes is named as the console shows it, without what follows from it', () => {
  const before = {
    id: 'rsk_1',
    title: 'Ice',
    owner_user_id: null,
    likelihood: 3,
    score: 9,
    tags: [],
    last_reviewed_at: null,
    version: 1,
  }
  const imported = { kind: 'risks', columns: ['likelihood'] } as const
  const changed = { owner_user_id: 'usr_1', likelihood: 4, score: 12, last_reviewed_at: 'now' }
  const after = { ...before, ...changed, version: 2 }
  assert.deepEqual(changesOf(imported, before, after), [
    { field: 'owner_user_id', label: 'Owner', from: null, to: 'usr_1' },
    { field: 'likelihood', label: 'Likelihood', from: 3, to: 4 },
  ])
  assert.deepEqual(changesOf(imported, { ...before, tags: undefined }, before), [])
})
