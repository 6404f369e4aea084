import { Type, type Static } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import { nullable } from '#contract/field-schemas'
import { externalIdFilter, refFilter } from '#contract/fields'
import { closedFilters, enumFilter, searchFilter } from '#contract/list-operation'
import { PersonName, ProjectName } from '#contract/rollup'

import { closedRiskStatuses, riskFields } from './fields.ts'
import { Risk } from './risk.ts'

export const ClosedRisk = withExample(
  Type.Object(
    { ...Risk.properties, project: ProjectName, owner: Type.Optional(nullable(PersonName)) },
    {
      title: 'ClosedRisk',
      description:
        'A risk that occurred or is closed, with its project. `include=people` adds the owner.',
    },
  ),
  {
    ...(exampleOf(Risk) as object),
    status: 'closed',
    closed_at: '2026-11-20T10:00:00.000Z',
    close_reason: 'treated',
    close_note: 'Drains renewed.',
    updated_at: '2026-11-20T10:00:00.000Z',
  },
)
export type ClosedRisk = Static<typeof ClosedRisk>

export const closedRiskFilters = {
  ...closedFilters('risks'),
  ref: Type.Optional(refFilter('risks', 'DAM-R5')),
  external_id: Type.Optional(externalIdFilter('risks', 'RT-105')),
  owner_user_id: riskFields.owner_user_id.filter,
  status: Type.Optional(
    enumFilter(closedRiskStatuses, 'Only risks with these statuses.', 'occurred'),
  ),
  q: Type.Optional(searchFilter('the ref or the title', 'storm')),
}
