import { Type, type Static } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import {
  closedEnum,
  date,
  id,
  timestamp,
  integer,
  openEnum,
  auditFields,
  singleLine,
  Metadata,
  MetadataPatch,
  nullable,
  multiLine,
} from '#contract/field-schemas'
import { createSchema, patchSchema } from '#contract/input-schemas'

/** The statuses that PATCH can set. */
export const currentProjectStatuses = [
  'planned',
  'active',
  'on_hold',
  'completed',
  'cancelled',
] as const
export const projectStatuses = [...currentProjectStatuses, 'archived'] as const
export const projectHealths = ['on_track', 'at_risk', 'off_track'] as const

const code = Type.String({
  minLength: 2,
  maxLength: 10,
  pattern: '^[A-Z][A-Z0-9]{1,9}$',
  description:
    'The prefix of the references of its risks, issues and tasks: 2 to 10 capital letters and ' +
    'digits. Unique and permanent.',
  examples: ['DAM'],
})

const about = {
  name: singleLine(200, {
    description: 'The name of the project.',
    example: 'Norrfors dam renewal',
  }),
  description: nullable(
    multiLine(5000, {
      description: 'The purpose of the project.',
      example: 'New spillway gates for the dam.',
    }),
  ),
  health_note: nullable(
    multiLine(500, { description: 'The reason for the health.', example: 'The steel is late.' }),
  ),
  owner_user_id: nullable(id('usr', 'The user id of the owner.')),
  starts_on: nullable(
    date({ description: 'The first day of the project.', example: '2026-03-01' }),
  ),
  due_on: nullable(
    date({ description: 'The due date, not before `starts_on`.', example: '2028-10-31' }),
  ),
  risk_appetite: nullable(
    integer(1, 25, {
      description: 'The highest tolerated score. Risks above it are flagged.',
      example: 12,
    }),
  ),
  metadata: Metadata,
}

const writable = {
  ...about,
  status: closedEnum(currentProjectStatuses, {
    description: 'The status of the project. Use `archive` to archive it.',
    example: 'active',
  }),
  health: nullable(
    closedEnum(projectHealths, { description: 'The health of the project.', example: 'at_risk' }),
  ),
}

export const Project = withExample(
  Type.Object(
    {
      id: id('prj', 'The id of this project.'),
      code,
      ...about,
      status: openEnum(projectStatuses, {
        description: 'The status of the project.',
        example: 'active',
      }),
      health: nullable(
        openEnum(projectHealths, { description: 'The health of the project.', example: 'at_risk' }),
      ),
      health_set_at: nullable(
        timestamp({
          description: 'When the health was last set.',
          example: '2026-10-15T13:00:00.000Z',
        }),
      ),
      ...auditFields('the project'),
    },
    { title: 'Project', description: 'A project, which contains risks, issues and tasks.' },
  ),
  { metadata: { contract: 'NW-17' }, updated_at: '2026-10-15T13:00:00.000Z' },
)
export type Project = Static<typeof Project>

export const NewProject = createSchema({ code, name: writable.name }, writable, {
  title: 'NewProject',
  description: 'A project to create. Default status: active.',
  example: { code: 'WEIR', name: 'Älvsund weir', risk_appetite: 12, health: 'on_track' },
})
export type NewProject = Static<typeof NewProject>

export const ProjectPatch = patchSchema(
  Project,
  { ...writable, metadata: MetadataPatch },
  {
    title: 'ProjectPatch',
    description: 'A JSON merge patch.',
    example: { health: 'off_track', health_note: 'The steel is late.' },
  },
)
export type ProjectPatch = Static<typeof ProjectPatch>

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
