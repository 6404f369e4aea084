import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { EventType, IssueState, RiskState } from '@muster/contract'

import { issueGroup, riskGroup } from '#domain/time/change-groups'

const risk: RiskState = {
  project_id: 'prj_a',
  status: 'treating',
  likelihood: 3,
  impact: 4,
  score: 12,
  level: 'high',
  rank: 1,
  owner_user_id: null,
  flags: [],
}
const issue: IssueState = {
  project_id: 'prj_a',
  status: 'open',
  severity: 3,
  assignee_user_id: null,
  flags: [],
}

const facts = (types: EventType[], changed: string[] = []) => ({
  types: new Set(types),
  changed: new Set(changed),
  isAsked: (id: string) => id === 'prj_a',
})

type Row<State> = readonly [
  group: string,
  before: Partial<State> | null,
  after: Partial<State> | null,
  types: EventType[],
  changed?: string[],
]

const closed = { status: 'closed' } as const
const away = { project_id: 'prj_b' }

const risks: readonly Row<RiskState>[] = [
  ['left', {}, closed, ['risk.closed']],
  ['left', null, closed, ['risk.created', 'risk.closed']],
  ['left', closed, closed, ['risk.reopened', 'risk.closed']],
  ['left', {}, away, ['risk.updated'], ['project_id']],
  ['left', away, away, ['risk.updated'], ['project_id']],
  ['entered', null, {}, ['risk.created']],
  ['entered', closed, {}, ['risk.reopened']],
  ['entered', away, {}, ['risk.updated'], ['project_id']],
  ['entered', null, { score: 25 }, ['risk.created', 'risk.reviewed']],
  ['rose', {}, { score: 15, owner_user_id: 'usr_a' }, ['risk.reviewed']],
  ['fell', {}, { score: 10, flags: ['review_overdue'] }, ['risk.reviewed']],
  ['handed_over', {}, { owner_user_id: 'usr_a' }, ['risk.updated', 'risk.accepted']],
  ['decided', {}, {}, ['risk.reviewed']],
  ['decided', {}, {}, ['risk.accepted']],
  ['decided', {}, {}, ['risk.closed', 'risk.reopened']],
  ['decided', {}, {}, ['risk.updated'], ['owner_user_id']],
  ['decided', {}, { flags: ['review_overdue'] }, ['risk.updated'], ['status']],
  ['decided', { status: 'occurred' }, closed, ['risk.closed']],
  ['became_due', {}, { flags: ['review_overdue'] }, ['risk.flagged'], ['flags']],
  ['became_due', {}, { flags: ['acceptance_expired'] }, ['risk.flagged'], ['flags']],
  ['edited', {}, { flags: ['above_appetite'] }, ['risk.flagged'], ['flags']],
  ['edited', { flags: ['review_overdue'] }, { flags: ['review_overdue'] }, ['risk.updated']],
  ['edited', null, closed, ['risk.created']],
  ['edited', closed, closed, ['risk.updated'], ['title']],
  ['edited', {}, {}, []],
]

const issues: readonly Row<IssueState>[] = [
  ['closed', {}, closed, ['issue.closed']],
  ['closed', null, closed, ['issue.created', 'issue.closed']],
  ['closed', {}, away, ['issue.updated'], ['project_id']],
  ['opened', null, { severity: 5 }, ['issue.created']],
  ['opened', away, {}, ['issue.updated'], ['project_id']],
  ['reopened', closed, {}, ['issue.reopened']],
  ['reopened', {}, { severity: 5 }, ['issue.closed', 'issue.reopened']],
  ['worsened', {}, { severity: 4, assignee_user_id: 'usr_a' }, ['issue.updated']],
  ['eased', {}, { severity: 2, status: 'blocked' }, ['issue.updated']],
  ['handed_over', {}, { assignee_user_id: 'usr_a', status: 'blocked' }, ['issue.updated']],
  ['blocked', {}, { status: 'blocked', flags: ['overdue'] }, ['issue.updated']],
  ['became_due', {}, { flags: ['overdue'] }, ['issue.flagged']],
  ['edited', { status: 'blocked' }, {}, ['issue.updated'], ['status']],
  ['edited', null, closed, ['issue.created']],
  ['edited', {}, {}, []],
]

const at = <State>(state: State, change: Partial<State> | null) => change && { ...state, ...change }

for (const [group, before, after, types, changed] of risks) {
  test(`${JSON.stringify([before, after, types, changed])} of a risk is ${group}`, () => {
    const change = { before: at(risk, before), after: at(risk, after), ...facts(types, changed) }
    assert.equal(riskGroup(change), group)
  })
}

for (const [group, before, after, types, changed] of issues) {
  test(`${JSON.stringify([before, after, types, changed])} of an issue is ${group}`, () => {
    const change = { before: at(issue, before), after: at(issue, after), ...facts(types, changed) }
    assert.equal(issueGroup(change), group)
  })
}
