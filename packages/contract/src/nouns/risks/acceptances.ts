import { Type, type Static } from 'typebox'

import { date, id, nullable, openEnum, timestamp } from '#contract/field-schemas'
import { enumFilter, listOperation, valuesFilter } from '#contract/list-operation'
import { PersonName, ProjectName, rollupIncludes } from '#contract/rollup'

import { acceptanceFields } from './acceptance.ts'
import { Risk } from './risk.ts'

export const acceptanceStatuses = ['active', 'expired', 'ended'] as const
export const acceptanceEndReasons = ['withdrawn', 'superseded', 'occurred', 'closed'] as const

/** An acceptance without the names of its project and its person. */
export const acceptanceProperties = {
  risk_id: Risk.properties.id,
  ref: Risk.properties.ref,
  title: { ...Risk.properties.title, description: 'The title of the risk at that time.' },
  project_id: id('prj', 'The id of the project that the risk is in now.'),
  status: openEnum(acceptanceStatuses, {
    description:
      'Active, expired since its last day, or ended: withdrawn, superseded by another ' +
      'acceptance, or the risk occurred or was closed.',
    example: 'active',
  }),
  ...acceptanceFields,
  ended_at: nullable(
    timestamp({
      description: 'When it ended. An expired acceptance ends when it is renewed or withdrawn.',
      example: '2027-01-15T09:00:00.000Z',
    }),
  ),
  end_reason: nullable(
    openEnum(acceptanceEndReasons, { description: 'Why it ended.', example: 'superseded' }),
  ),
}

export const Acceptance = Type.Object(
  {
    ...acceptanceProperties,
    project: ProjectName,
    accepted_by: Type.Optional(nullable(PersonName)),
  },
  {
    title: 'Acceptance',
    description:
      'An acceptance of a risk. Risk and time identify it. `include=people` adds the person.',
  },
)
export type Acceptance = Static<typeof Acceptance>

export const acceptances = {
  list: listOperation({
    summary: 'List the acceptances of risks across all projects.',
    description:
      'Returns present and past acceptances, the latest first: who accepted which risk, when, ' +
      'until when and why, the score of the risk and the appetite of its project at that time.',
    path: '/v1/acceptances',
    scope: 'projects.read',
    collection: 'risks',
    item: Acceptance,
    title: 'AcceptanceList',
    includes: rollupIncludes,
    filters: {
      risk_id: Type.Optional(
        valuesFilter(id('rsk', 'The id of a risk.'), 'Only acceptances of these risks.'),
      ),
      project_id: Type.Optional(
        valuesFilter(id('prj', 'The id of a project.'), 'Only acceptances in these projects.'),
      ),
      accepted_by_user_id: Type.Optional(
        valuesFilter(id('usr', 'The id of a person.'), 'Only acceptances by these people.'),
      ),
      status: Type.Optional(
        enumFilter(acceptanceStatuses, 'Only acceptances with these statuses.', 'active'),
      ),
      accepted_from: Type.Optional(
        date({ description: 'Only those of this day (UTC) or later.', example: '2024-11-01' }),
      ),
      accepted_before: Type.Optional(
        date({ description: 'Only those before this day (UTC).', example: '2100-01-01' }),
      ),
    },
  }),
}
