import { Type, type Static } from 'typebox'

import { readOnlyInNewRows } from '#contract/batch-operation'
import { exampleOf, withExample } from '#contract/examples'
import { integer, nullable } from '#contract/field-schemas'
import { inputsOf, referencesTo, requiredOf, schemasOf } from '#contract/fields'
import { createSchema, patchSchema } from '#contract/input-schemas'

import { projectFields } from './fields.ts'

export const Project = withExample(
  Type.Object(schemasOf(projectFields), {
    title: 'Project',
    description: 'A project, which contains risks, issues and tasks.',
  }),
  { metadata: { contract: 'NW-17' }, updated_at: '2026-10-15T13:00:00.000Z' },
)
export type Project = Static<typeof Project>

export const NewProject = createSchema(
  requiredOf(projectFields),
  inputsOf(projectFields, 'create'),
  {
    title: 'NewProject',
    description: 'A project to create. Default status: active.',
    example: { code: 'WEIR', name: 'Älvsund weir', risk_appetite: 12, health: 'on_track' },
  },
)
export type NewProject = Static<typeof NewProject>

export const ProjectPatch = patchSchema(Project, inputsOf(projectFields, 'patch'), {
  title: 'ProjectPatch',
  description: 'A JSON merge patch.',
  example: { health: 'off_track', health_note: 'The steel is late.' },
})
export type ProjectPatch = Static<typeof ProjectPatch>

/** A row of a batch: with an `id` it updates that project, without one it creates a project. */
export const ProjectRow = patchSchema(
  Project,
  { ...inputsOf(projectFields, 'row'), ...referencesTo('owner', 'the owner') },
  {
    title: 'ProjectRow',
    description:
      'With `id`, the row updates that project. Without `id`, it creates a project. ' +
      readOnlyInNewRows,
    example: { code: 'LOCK', name: 'Berg lock', risk_appetite: 12 },
  },
)
export type ProjectRow = Static<typeof ProjectRow>

const count = (description: string, example: number) =>
  integer(0, 1_000_000, { description, example })

export const ProjectSummary = Type.Object(
  {
    live_risks: count('The number of live risks.', 12),
    highest_score: nullable(
      integer(1, 25, { description: 'The highest score of a live risk.', example: 20 }),
    ),
    risks_by_level: Type.Object(
      {
        low: count('Scores 1 to 5.', 3),
        medium: count('Scores 6 to 11.', 4),
        high: count('Scores 12 to 19.', 4),
        critical: count('Scores 20 to 25.', 1),
      },
      { description: 'The number of live risks by level.' },
    ),
    open_issues: count('The number of open issues.', 5),
    highest_severity: nullable(
      integer(1, 5, { description: 'The highest severity of an open issue.', example: 4 }),
    ),
  },
  { title: 'ProjectSummary', description: 'The risk and issue counts of a project.' },
)
export type ProjectSummary = Static<typeof ProjectSummary>

export const ListedProject = withExample(
  Type.Object(
    { ...Project.properties, summary: Type.Optional(ProjectSummary) },
    {
      title: 'ListedProject',
      description: 'A project. `include=summary` adds its risk and issue counts.',
    },
  ),
  exampleOf(Project) as object,
)
export type ListedProject = Static<typeof ListedProject>
