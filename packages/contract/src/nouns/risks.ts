import { Type } from 'typebox'

import { choice, id } from './fields.ts'
import { historyOperation } from './history.ts'
import { limits } from './limits.ts'
import { anyOf, batchOf, listOperation, sort } from './list.ts'
import { operation } from './operation.ts'
import { inProject } from './projects.ts'
import { bases, RegisterEntry, registerFilters, RiskSummary } from './register.ts'
import {
  AcceptRisk,
  CloseRisk,
  Occurrence,
  OccurRisk,
  ReopenRisk,
  ReviewRisk,
} from './risk-changes.ts'
import { NewRisk, Risk, RiskPatch, RiskRow, riskStatuses } from './risk.ts'
import { Scale } from './scale.ts'
import { viewIncludes } from './view.ts'

const params = Type.Object({ ...inProject, risk_id: id('rsk', 'The id of the risk.') })
const changing = ['not_found', 'project_archived'] as const

const change = {
  method: 'POST',
  scope: 'projects.manage',
  params,
  status: 200,
  response: Risk,
  cache: 'version',
} as const

export const risks = {
  list: listOperation({
    summary: 'List the risk register across all projects, worst first.',
    description:
      'Every live risk of every project, ranked: score down, impact down, oldest first. The rank ' +
      'is part of the contract, so there is no `sort`; filters only narrow, so nothing that is ' +
      'not live ever appears.',
    path: '/v1/risks',
    scope: 'projects.read',
    collection: 'risks',
    item: RegisterEntry,
    title: 'Register',
    includes: viewIncludes,
    filters: registerFilters,
  }),

  summary: operation({
    summary: 'View the register in numbers.',
    description:
      'How many live risks there are by level, cell of the matrix, status, project, owner and ' +
      'flag. Takes the filters of the register.',
    method: 'GET',
    path: '/v1/risks/summary',
    scope: 'projects.read',
    query: Type.Object(
      {
        basis: Type.Optional(
          choice(bases, {
            description: 'Which ratings to count. `current` when it is left out.',
            example: 'target',
          }),
        ),
        ...registerFilters,
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: RiskSummary,
    cache: 'collection',
    collection: 'risks',
    problems: [],
  }),

  scale: operation({
    summary: 'View the scale that risks and issues are rated on.',
    description: 'Likelihood and impact from 1 to 5, and the level of each score. It is fixed.',
    method: 'GET',
    path: '/v1/scale',
    scope: 'any_key',
    status: 200,
    response: Scale,
    cache: 'revision',
    problems: [],
  }),

  list_in_project: listOperation({
    summary: 'List the risks of one project, whatever their status.',
    description: 'Also those that occurred or were closed. Oldest first, unless `sort` says else.',
    path: '/v1/projects/{project_id}/risks',
    scope: 'projects.read',
    params: Type.Object(inProject),
    collection: 'risks',
    item: Risk,
    title: 'RiskList',
    filters: {
      status: Type.Optional(anyOf(riskStatuses, 'Only risks with these statuses.', 'treating')),
      sort: Type.Optional(
        sort(['created_at', 'updated_at'], 'By when they were entered, or by last change.'),
      ),
    },
    problems: ['not_found'],
  }),

  create: operation({
    ...change,
    summary: 'Enter a risk.',
    description: 'It is on the register at once, ranked by its score.',
    path: '/v1/projects/{project_id}/risks',
    params: Type.Object(inProject),
    body: NewRisk,
    status: 201,
    problems: [
      ...changing,
      'invalid_transition',
      'unknown_reference',
      'not_assignable',
      'quota_exceeded',
    ],
    events: ['risk.created'],
  }),

  batch: operation({
    ...change,
    summary: 'Enter and change many risks at once.',
    description:
      `At most ${limits.itemsMax} rows, all or none. As CSV with the header that the export of ` +
      'the risks writes: export, edit, and send it back. An unchanged row changes nothing. With ' +
      '`dry_run` all of it is tried, and nothing done.',
    path: '/v1/projects/{project_id}/risks/batch',
    params: Type.Object(inProject),
    rows: RiskRow,
    alsoColumns: RegisterEntry,
    ...batchOf(RiskRow, Risk, 'Risk'),
    cache: 'none',
    problems: [...changing, 'quota_exceeded'],
    events: ['risk.created', 'risk.updated', 'risk.reviewed'],
  }),

  view: operation({
    summary: 'View one risk.',
    description: 'Also one that occurred or was closed.',
    method: 'GET',
    path: '/v1/projects/{project_id}/risks/{risk_id}',
    scope: 'projects.read',
    params,
    status: 200,
    response: Risk,
    cache: 'version',
    problems: ['not_found'],
  }),

  update: operation({
    ...change,
    summary: 'Change a risk.',
    description: 'What is left out stays; null clears. To rate it anew, review it.',
    method: 'PATCH',
    path: '/v1/projects/{project_id}/risks/{risk_id}',
    body: RiskPatch,
    problems: [
      ...changing,
      'read_only_field',
      'invalid_transition',
      'unknown_reference',
      'not_assignable',
    ],
    events: ['risk.updated'],
  }),

  review: operation({
    ...change,
    summary: 'Review a risk, and rate it anew.',
    description: 'What happens in the meeting: a note, perhaps a new rating, and the next day.',
    path: '/v1/projects/{project_id}/risks/{risk_id}/review',
    body: ReviewRisk,
    problems: [...changing, 'invalid_transition'],
    events: ['risk.reviewed'],
  }),

  accept: operation({
    ...change,
    summary: 'Accept a risk as it is, until a day.',
    description:
      'Someone answers for leaving it as it is. It stays on the register, and is flagged when the ' +
      'acceptance has expired.',
    path: '/v1/projects/{project_id}/risks/{risk_id}/accept',
    body: AcceptRisk,
    problems: [...changing, 'invalid_transition', 'unknown_reference', 'not_assignable'],
    events: ['risk.accepted'],
  }),

  occur: operation({
    ...change,
    summary: 'Say that a risk has come true.',
    description:
      'The risk leaves the register and becomes an issue of the same project: its severity is the ' +
      'impact, and its assignee the owner.',
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
    description: 'It leaves the register. Closing it again changes nothing.',
    path: '/v1/projects/{project_id}/risks/{risk_id}/close',
    body: CloseRisk,
    problems: changing,
    events: ['risk.closed'],
  }),

  reopen: operation({
    ...change,
    summary: 'Put a risk back on the register.',
    description: 'It is identified again, with the rating it had.',
    path: '/v1/projects/{project_id}/risks/{risk_id}/reopen',
    body: ReopenRisk,
    problems: [...changing, 'quota_exceeded'],
    events: ['risk.reopened'],
  }),

  history: historyOperation({
    of: 'a risk',
    path: '/v1/projects/{project_id}/risks/{risk_id}/history',
    collection: 'risks',
    scope: 'projects.read',
    params,
  }),
}
