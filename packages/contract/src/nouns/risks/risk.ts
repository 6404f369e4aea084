import { Type, type Static } from 'typebox'

import { readOnlyInNewRows } from '#contract/batch-operation'
import { exampleOf, withExample } from '#contract/examples'
import { evidenceLinks } from '#contract/field-schemas'
import { inputsOf, referencesTo, requiredOf, crossProjectRow, schemasOf } from '#contract/fields'
import { createSchema, patchSchema } from '#contract/input-schemas'

import { riskFields } from './fields.ts'

export const Risk = withExample(
  Type.Object(schemasOf(riskFields), {
    title: 'Risk',
    description: 'A risk of a project. Live risks are entries of the risk register.',
  }),
  {
    inherent: { likelihood: 4, score: 16 },
    target: { likelihood: 1, score: 4 },
    acceptance: null,
    issue_ids: [],
    occurred_at: null,
    closed_at: null,
    close_reason: null,
    close_note: null,
    flags: [],
    metadata: {},
    updated_at: '2026-10-15T13:00:00.000Z',
  },
)
export type Risk = Static<typeof Risk>

export const NewRisk = createSchema(requiredOf(riskFields), inputsOf(riskFields, 'create'), {
  title: 'NewRisk',
  description: 'A risk to create. Default: status identified, response undecided, category other.',
  example: {
    title: 'Uplift under the stilling basin',
    likelihood: 3,
    impact: 4,
    category: 'technical',
    response: 'reduce',
    target: { likelihood: 1, impact: 4, due_on: '2027-06-30' },
    review_on: '2027-01-15',
    tags: ['groundwater'],
    links: exampleOf(evidenceLinks),
  },
})
export type NewRisk = Static<typeof NewRisk>

export const RiskPatch = patchSchema(Risk, inputsOf(riskFields, 'patch'), {
  title: 'RiskPatch',
  description: 'A JSON merge patch. Use `review` to change the rating.',
  example: { status: 'treating', response: 'reduce' },
})
export type RiskPatch = Static<typeof RiskPatch>

/** A row of a batch: with an `id` it updates that risk, without one it creates a risk. */
export const RiskRow = patchSchema(
  Risk,
  {
    ...inputsOf(riskFields, 'row'),
    ...referencesTo('owner', 'the owner'),
  },
  {
    title: 'RiskRow',
    description:
      'With `id`, the row updates that risk; a new likelihood or impact counts as a review. ' +
      `Without \`id\`, it creates a risk. ${readOnlyInNewRows}`,
    example: { title: 'Cofferdam overtopped', likelihood: 2, impact: 5, tags: ['flood'] },
  },
)
export type RiskRow = Static<typeof RiskRow>

/** A row of a batch of several projects. */
export const CrossProjectRiskRow = crossProjectRow(RiskRow, 'CrossProjectRiskRow')
export type CrossProjectRiskRow = Static<typeof CrossProjectRiskRow>
