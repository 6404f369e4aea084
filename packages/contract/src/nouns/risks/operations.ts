import { Type } from 'typebox'

import { aboutBatch, aboutBatchAcross, batchSchemas, itemBatch } from '#contract/batch-operation'
import { exampleOf } from '#contract/examples'
import { id } from '#contract/field-schemas'
import { historyOperation } from '#contract/history'
import { enumFilter, listOperation, sortParameter } from '#contract/list-operation'
import { inProject } from '#contract/nouns/projects/operations'
import { operation } from '#contract/operation'
import { asOfQuery } from '#contract/points'
import { Scale } from '#contract/scale'

import { AcceptRisk, CloseRisk, Occurrence, OccurRisk, ReopenRisk, ReviewRisk } from './changes.ts'
import { riskStatuses } from './fields.ts'
import { riskLists } from './list-operations.ts'
import { RegisterEntry } from './register.ts'
import { NewRisk, Risk, RiskPatch, RiskRow, CrossProjectRiskRow } from './risk.ts'

const params = Type.Object({ ...inProject, risk_id: id('rsk', 'The id of the risk.') })
const changing = ['not_found', 'project_archived'] as const

/** What the examples of responses show. */
const newRisk = {
  status: 'identified',
  last_reviewed_at: null,
  previous_score: null,
  score_changed_at: null,
}
const accepted = {
  ...(exampleOf(AcceptRisk) as object),
  accepted_at: '2026-10-15T13:00:00.000Z',
  risk_appetite: 10,
  likelihood: 3,
  impact: 4,
  score: 12,
  level: 'high',
}
const closed = {
  ...(exampleOf(CloseRisk) as object),
  status: 'closed',
  closed_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
}

const change = {
  method: 'POST',
  scope: 'projects.manage',
  params,
  status: 200,
  response: Risk,
  cache: 'version',
} as const

/** What both batches have in common. */
const batched = {
  method: 'POST',
  scope: 'projects.manage',
  alsoColumns: RegisterEntry,
  status: 200,
  cache: 'none',
  example: { ...newRisk, category: 'other', response: 'undecided', score: 10, level: 'medium' },
  events: ['risk.created', 'risk.updated', 'risk.reviewed'],
} as const

export const risks = {
  ...riskLists,

  scale: operation({
    summary: 'View the rating scale.',
    description:
      'Returns likelihood and impact from 1 to 5, and the level of each score. The scale is fixed.',
    method: 'GET',
    path: '/v1/scale',
    scope: 'any_principal',
    status: 200,
    response: Scale,
    cache: 'revision',
    problems: [],
  }),

  list_in_project: listOperation({
    summary: 'List the risks of a project.',
    description: 'Returns risks with any status, oldest first unless `sort` is set.',
    path: '/v1/projects/{project_id}/risks',
    scope: 'projects.read',
    params: Type.Object(inProject),
    collection: 'risks',
    item: Risk,
    title: 'RiskList',
    filters: {
      status: Type.Optional(
        enumFilter(riskStatuses, 'Only risks with these statuses.', 'treating'),
      ),
      sort: Type.Optional(
        sortParameter(
          ['created_at', 'updated_at'],
          'The sort order: creation time (default) or last change.',
        ),
      ),
    },
    problems: ['not_found'],
  }),

  create: operation({
    ...change,
    summary: 'Create a risk.',
    description: 'The risk appears on the register immediately, ranked by its score.',
    path: '/v1/projects/{project_id}/risks',
    params: Type.Object(inProject),
    body: NewRisk,
    status: 201,
    example: newRisk,
    problems: [
      ...changing,
      'invalid_transition',
      'external_id_taken',
      'unknown_reference',
      'not_assignable',
      'quota_exceeded',
    ],
    events: ['risk.created'],
  }),

  batch: operation({
    ...batched,
    rows: RiskRow,
    ...batchSchemas(RiskRow, Risk, { name: 'Risk', ...itemBatch }),
    summary: 'Create and update risks in a batch.',
    description: aboutBatch('risks'),
    path: '/v1/projects/{project_id}/risks/batch',
    params: Type.Object(inProject),
    problems: [...changing, 'quota_exceeded'],
  }),

  batch_across: operation({
    ...batched,
    rows: CrossProjectRiskRow,
    ...batchSchemas(CrossProjectRiskRow, Risk, { name: 'CrossProjectRisk', ...itemBatch }),
    summary: 'Create and update risks of several projects in a batch.',
    description: aboutBatchAcross('risks'),
    path: '/v1/projects/risks/batch',
    problems: ['too_many_items', 'quota_exceeded'],
  }),

  view: operation({
    summary: 'View a risk.',
    description:
      'Returns a risk with any status, including occurred and closed risks. With `as_of`, the path ' +
      'has the project of the risk at that point.',
    method: 'GET',
    path: '/v1/projects/{project_id}/risks/{risk_id}',
    scope: 'projects.read',
    params,
    query: asOfQuery('The risk'),
    status: 200,
    response: Risk,
    cache: 'version',
    problems: ['not_found', 'unknown_point'],
  }),

  update: operation({
    ...change,
    summary: 'Update a risk.',
    description:
      'Omitted fields are unchanged; null clears a field. Use `review` to change the rating.',
    method: 'PATCH',
    path: '/v1/projects/{project_id}/risks/{risk_id}',
    isMergePatch: true,
    body: RiskPatch,
    problems: [
      ...changing,
      'read_only_field',
      'invalid_transition',
      'external_id_taken',
      'unknown_reference',
      'not_assignable',
    ],
    events: ['risk.updated'],
  }),

  review: operation({
    ...change,
    summary: 'Review a risk.',
    description: 'Records a note, an optional new rating and the date of the next review.',
    path: '/v1/projects/{project_id}/risks/{risk_id}/review',
    body: ReviewRisk,
    example: {
      likelihood: 2,
      score: 8,
      level: 'medium',
      previous_score: 12,
      review_on: '2027-04-15',
    },
    problems: [...changing, 'invalid_transition'],
    events: ['risk.reviewed'],
  }),

  accept: operation({
    ...change,
    summary: 'Accept a risk until a date.',
    description:
      'Records who accepts the risk without further treatment, with the score of the risk and the ' +
      'appetite of its project. The risk stays on the register and is flagged after the ' +
      'acceptance expires.',
    path: '/v1/projects/{project_id}/risks/{risk_id}/accept',
    body: AcceptRisk,
    example: { response: 'accept', acceptance: accepted },
    problems: [
      'beyond_your_rights',
      ...changing,
      'invalid_transition',
      'unknown_reference',
      'not_assignable',
    ],
    events: ['risk.accepted'],
  }),

  occur: operation({
    ...change,
    summary: 'Record that a risk occurred.',
    description:
      'Removes the risk from the register and creates an issue in the same project. Its severity ' +
      'is the impact of the risk, and its assignee the owner.',
    path: '/v1/projects/{project_id}/risks/{risk_id}/occur',
    body: OccurRisk,
    response: Occurrence,
    cache: 'none',
    problems: [...changing, 'invalid_transition', 'too_many_items', 'quota_exceeded'],
    events: ['risk.occurred', 'issue.created'],
  }),

  close: operation({
    ...change,
    summary: 'Close a risk.',
    description: 'Removes the risk from the register. Closing it again has no effect.',
    path: '/v1/projects/{project_id}/risks/{risk_id}/close',
    body: CloseRisk,
    example: closed,
    problems: changing,
    events: ['risk.closed'],
  }),

  reopen: operation({
    ...change,
    summary: 'Reopen a risk.',
    description: 'The risk is on the register again, with status identified and its last rating.',
    path: '/v1/projects/{project_id}/risks/{risk_id}/reopen',
    body: ReopenRisk,
    example: { status: 'identified' },
    problems: [...changing, 'quota_exceeded'],
    events: ['risk.reopened'],
  }),

  history: historyOperation({
    resource: 'a risk',
    entry: {},
    path: '/v1/projects/{project_id}/risks/{risk_id}/history',
    collection: 'risks',
    scope: 'projects.read',
    params,
  }),
}
