import assert from 'node:assert/strict'
import { test } from 'node:test'

import { events, type EventType, type HistoryEntry } from '@muster/contract'

import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { type DescribedEvent, sentenceOf } from '#text/sentences.ts'

type Values = Readonly<Record<string, readonly [from: unknown, to: unknown]>>
type Case = readonly [changes: Values, sentence: string]

const mara = 'usr_01ktrr9d3hen4v9q9t9m2g8x5c'
const iris = 'usr_01ktrr9d3hen4v9q9t9m2g8x5d'
const group = 'grp_01ktrr9d3hen4v9q9t9m2g8x5c'
const project = 'prj_01ktrr9d3hen4v9q9t9m2g8x5c'
const names = new Map([
  [mara, 'Mara'],
  [iris, 'Iris'],
  [group, 'Geotechnics'],
  [project, 'Weir'],
])

const entry = (type: EventType, changes: Values, author = iris): HistoryEntry => ({
  seq: 7,
  type,
  occurred_at: '2026-11-03T10:00:00.000Z',
  actor: { type: 'person', id: author, user_id: author, name: 'Iris' },
  request_id: null,
  is_planned: false,
  note: null,
  changes: Object.entries(changes).map(([field, [from, to]]) => ({ field, from, to })),
})

/** The days of an expected sentence in the format of the reader, which depends on the machine. */
const withDays = (sentence: string) =>
  sentence.replaceAll(/\{([\d-]+)\}/g, (_, day: string) => formatDay(day))

/** The sentence as the page shows it. */
function shown(of: HistoryEntry): string {
  const { text, isAuthored } = sentenceOf(of, names)
  return isAuthored ? `Iris ${text}` : text
}

const acceptance = {
  accepted_by_user_id: mara,
  accepted_at: '2026-11-03T10:00:00.000Z',
  expires_on: '2027-05-31',
  rationale: 'Cheap.',
  risk_appetite: 10,
  likelihood: 3,
  impact: 4,
  score: 12,
}

type Table = Record<DescribedEvent, readonly Case[]> & Partial<Record<EventType, readonly Case[]>>

/** What the activity says. An event with a sentence of its own that is missing does not compile. */
const table: Readonly<Table> = {
  'person.created': [[{ name: [null, 'Mara'] }, 'Iris added this person']],
  'person.updated': [
    [{ title: ['Diver', 'Lead diver'] }, 'Iris changed the title from Diver to Lead diver'],
    [{ assignable: [true, false] }, 'Iris marked this person as no longer taking new work'],
    [{ name: ['Mara', 'Mara L.'] }, 'Iris changed the name from Mara to Mara L.'],
    [
      { manager_user_id: [null, mara], department: ['Dams', null] },
      'Iris made Mara the manager and removed the department',
    ],
  ],
  'person.suspended': [
    [
      {
        status: ['active', 'suspended'],
        status_reason: [null, 'On leave.'],
        assignable: [true, false],
      },
      'Iris suspended this person: “On leave.”',
    ],
  ],
  'person.resumed': [[{ status: ['suspended', 'active'] }, 'Iris ended the suspension']],
  'person.departed': [
    [
      { status: ['active', 'departed'], end_on: [null, '2026-11-30'], assignable: [true, false] },
      'Iris offboarded this person, with {2026-11-30} as the last day',
    ],
    [
      { status: ['active', 'departed'], group_ids: [[group], []] },
      'Iris offboarded this person and removed this person from Geotechnics',
    ],
  ],
  'person.rejoined': [[{ status: ['departed', 'active'] }, 'Iris let this person rejoin']],
  'person.erased': [[{ name: ['Mara', 'Erased'] }, 'Iris erased the personal data']],
  'person.identity_confirmed': [[{}, 'Iris confirmed the identity of this person']],
  'group.created': [
    [{ name: [null, 'Geotechnics'] }, 'Iris created this group'],
    [{ group_ids: [[], [group]] }, 'Iris added this person to Geotechnics'],
  ],
  'group.updated': [
    [{ name: ['Geo', 'Geotechnics'] }, 'Iris renamed it from “Geo” to “Geotechnics”'],
  ],
  'group.archived': [[{ status: ['active', 'archived'] }, 'Iris archived this group']],
  'group.restored': [[{ status: ['archived', 'active'] }, 'Iris restored this group']],
  'group.member_added': [
    [{ group_ids: [[], [group]] }, 'Iris added this person to Geotechnics'],
    [{ member_count: [1, 2] }, 'Iris added a member'],
  ],
  'group.member_removed': [
    [{ group_ids: [[group], []] }, 'Iris removed this person from Geotechnics'],
  ],
  'project.created': [[{ code: [null, 'DAM'] }, 'Iris created this project']],
  'project.updated': [
    [
      { health: ['on_track', 'at_risk'], health_note: [null, 'Late.'] },
      'Iris reported the health as At risk: “Late.”',
    ],
    [{ risk_appetite: [12, 15] }, 'Iris changed the risk appetite from 12 to 15'],
  ],
  'project.archived': [[{ status: ['active', 'archived'] }, 'Iris archived this project']],
  'project.restored': [[{ status: ['archived', 'active'] }, 'Iris restored this project']],
  'risk.created': [[{ score: [null, 12] }, 'Iris raised this risk with a score of 12']],
  'risk.updated': [
    [
      { owner_user_id: [iris, mara], tags: [['a'], ['b', 'c']] },
      'Iris handed it over from Iris to Mara, added the tags b and c and removed the tag a',
    ],
    [
      { response: ['accept', 'reduce'], acceptance: [acceptance, null], flags: [['x'], []] },
      'Iris changed the response from Accept to Reduce and withdrew the acceptance',
    ],
    [
      { target: [null, { likelihood: 2, impact: 3, score: 6, due_on: '2026-12-01' }] },
      'Iris set the target to 2 × 3 = 6 by {2026-12-01}',
    ],
    [{ project_id: ['x', project] }, 'Iris moved it to Weir'],
  ],
  'risk.reviewed': [
    [
      {
        likelihood: [4, 2],
        score: [12, 6],
        previous_score: [null, 12],
        review_on: [null, '2027-01-05'],
      },
      'Iris reviewed this risk, lowered the score from 12 to 6 and set the next review to {2027-01-05}',
    ],
    [{ likelihood: [2, 3], impact: [3, 2] }, 'Iris reviewed this risk and rated it 3 × 2'],
    [{}, 'Iris reviewed this risk'],
  ],
  'risk.accepted': [
    [
      { response: ['reduce', 'accept'], acceptance: [null, acceptance] },
      'Iris recorded that Mara accepts this risk until {2027-05-31}, ' +
        'at a score of 12 and an appetite of 10',
    ],
    [
      {
        acceptance: [acceptance, { ...acceptance, accepted_by_user_id: iris, risk_appetite: null }],
      },
      'Iris renewed the acceptance until {2027-05-31}, at a score of 12; the project had no appetite',
    ],
  ],
  'risk.occurred': [
    [{ status: ['treating', 'occurred'] }, 'Iris recorded that this risk occurred'],
  ],
  'risk.closed': [
    [
      { status: ['treating', 'closed'], close_reason: [null, 'no_longer_possible'] },
      'Iris closed this risk: no longer possible',
    ],
  ],
  'risk.reopened': [[{ status: ['closed', 'identified'] }, 'Iris reopened this risk']],
  'risk.flagged': [
    [{ flags: [[], ['review_overdue']] }, 'The review became overdue'],
    [
      { flags: [['above_appetite'], ['acceptance_expired']] },
      'The acceptance expired. The score is no longer above the appetite of the project',
    ],
  ],
  'issue.created': [[{ severity: [null, 3] }, 'Iris opened this issue']],
  'issue.updated': [
    [
      { blocked_reason: [null, 'The panel has to approve.'], status: ['open', 'blocked'] },
      'Iris blocked this issue: “The panel has to approve.”',
    ],
    [
      { blocked_reason: ['The panel.', null], status: ['blocked', 'open'] },
      'Iris unblocked this issue',
    ],
    [
      { due_on: ['2026-11-03', '2026-11-10'], assignee_user_id: [null, mara] },
      'Iris moved the due date from {2026-11-03} to {2026-11-10} and assigned it to Mara',
    ],
  ],
  'issue.closed': [
    [
      { close_reason: [null, 'resolved'], status: ['open', 'closed'] },
      'Iris closed this issue: resolved',
    ],
  ],
  'issue.reopened': [
    [{ status: ['closed', 'open'], reopened_count: [0, 1] }, 'Iris reopened this issue'],
  ],
  'issue.flagged': [[{ flags: [[], ['overdue']] }, 'This issue became overdue']],
  'task.created': [[{ title: [null, 'Flush'] }, 'Iris added this task']],
  'task.updated': [
    [
      { status: ['todo', 'done'], completed_at: [null, '2026-11-03T10:00:00.000Z'] },
      'Iris finished this task',
    ],
    [{ status: ['done', 'todo'] }, 'Iris reopened this task'],
    [
      { title: ['Flush', 'Flush the drains'] },
      'Iris renamed it from “Flush” to “Flush the drains”',
    ],
  ],
  'key.created': [[{ name: [null, 'Sync'] }, 'Iris created this key']],
  'key.updated': [
    [{ name: ['Sync', 'Nightly sync'] }, 'Iris renamed it from “Sync” to “Nightly sync”'],
  ],
  'key.rotated': [[{}, 'Iris replaced this key by a new one']],
  'key.revoked': [[{}, 'Iris revoked this key']],
  'key.expiring': [[{}, 'This key expires within about a week']],
  'key.refused': [[{}, 'This key was refused']],
  'access.updated': [[{}, 'Iris changed the roles of people and groups']],
  'sign_in.updated': [[{}, 'Iris changed the identity provider']],
  'sign_in.removed': [[{}, 'Iris removed the identity provider']],
  'workspace.updated': [
    [
      { time_zone: ['UTC', 'Europe/Berlin'] },
      'Iris changed the time zone from UTC to Europe/Berlin',
    ],
    [{}, 'Iris changed the workspace'],
  ],
  'workspace.suspended': [[{}, 'Iris suspended the workspace']],
  'workspace.resumed': [[{}, 'Iris ended the suspension of the workspace']],
  'workspace.imported': [[{}, 'Iris imported the workspace from an export']],
}

test('every event of the contract has a sentence', () => {
  for (const [type, cases] of Object.entries(table)) assert.ok(cases.length > 0, type)
  // The cast holds because these are the keys of the events.
  for (const type of Object.keys(events) as EventType[]) {
    if (type in table) continue
    assert.equal(shown(entry(type, {})), `Iris ${t(`activity.${type}`)}`)
  }
})

for (const [type, cases] of Object.entries(table)) {
  test(`says what ${type} means`, () => {
    for (const [changes, sentence] of cases) {
      const withOwn = { ...changes, version: [1, 2] as const }
      assert.equal(shown(entry(type as EventType, withOwn)), withDays(sentence))
    }
  })
}

test('a person who accepts a risk needs no one else to record it', () => {
  const changes = { acceptance: [null, acceptance] as const }
  const { text } = sentenceOf(entry('risk.accepted', changes, mara), names)
  assert.equal(
    text,
    withDays('accepted this risk until {2027-05-31}, at a score of 12 and an appetite of 10'),
  )
})

test('names many changes and leaves their values to the details', () => {
  const fields = ['title', 'category', 'response', 'review_on', 'description']
  const changes = Object.fromEntries(fields.map((field) => [field, ['a', 'b'] as const]))
  const { text, details } = sentenceOf(entry('risk.updated', changes), names)
  assert.equal(
    text,
    'changed the title, the category, the response, the next review and the description',
  )
  assert.deepEqual(
    details.map(({ field }) => field),
    fields,
  )
})

test('shows no id, also of a person whose name is not known', () => {
  const changes = { owner_user_id: [iris, mara] as const, acceptance: [null, acceptance] as const }
  for (const type of ['risk.updated', 'risk.accepted'] as const) {
    const { text } = sentenceOf(entry(type, changes), new Map())
    assert.doesNotMatch(text, /[a-z]{3}_[\da-z]{26}/)
    assert.match(text, /from someone to someone/)
  }
})

test('an event that is newer than the console has its fields', () => {
  const future = {
    ...entry('risk.updated', { title: ['A', 'B'] }),
    type: 'risk.split' as EventType,
  }
  assert.equal(shown(future), 'Iris renamed it from “A” to “B”')
  assert.equal(
    shown({ ...entry('risk.updated', {}), type: 'dam.burst' as EventType }),
    'Iris made a change',
  )
  const flags = { flags: [[], ['unknown_flag']] as const }
  assert.equal(shown(entry('risk.flagged', flags)), 'The flags of this risk changed')
})
