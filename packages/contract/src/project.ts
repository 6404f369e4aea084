import { Type, type Static } from 'typebox'

import {
  choice,
  date,
  id,
  instant,
  integer,
  known,
  lifetime,
  line,
  Metadata,
  MetadataPatch,
  nullable,
  prose,
} from './fields.ts'
import { newOf, patchOf } from './patch.ts'

/** All but archived can be moved between by PATCH. */
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
    'What the references of its risks, issues and tasks begin with: 2 to 10 capital letters and ' +
    'digits. Unique, and never changed.',
  examples: ['DAM'],
})

const about = {
  name: line(200, { description: 'What it is called.', example: 'Norrfors dam renewal' }),
  description: nullable(
    prose(5000, { description: 'What it is for.', example: 'New spillway gates for the dam.' }),
  ),
  health_note: nullable(
    prose(500, { description: 'Why its health is what it is.', example: 'The steel is late.' }),
  ),
  owner_user_id: nullable(id('usr', 'The user id of the person who answers for it.')),
  starts_on: nullable(date({ description: 'The first day.', example: '2024-03-01' })),
  due_on: nullable(
    date({ description: 'When it is to be done, not before it starts.', example: '2028-10-31' }),
  ),
  risk_appetite: nullable(
    integer(1, 25, {
      description: 'The highest score that is tolerated; risks above it are flagged.',
      example: 12,
    }),
  ),
  metadata: Metadata,
}

const writable = {
  ...about,
  status: choice(currentProjectStatuses, {
    description: 'Where the project is in its life. `archive` is an operation of its own.',
    example: 'active',
  }),
  health: nullable(choice(projectHealths, { description: 'How it is doing.', example: 'at_risk' })),
}

export const Project = Type.Object(
  {
    id: id('prj', 'The id of this project.'),
    code,
    ...about,
    status: known(projectStatuses, {
      description: 'Where the project is in its life.',
      example: 'active',
    }),
    health: nullable(
      known(projectHealths, { description: 'How it is doing.', example: 'at_risk' }),
    ),
    health_set_at: nullable(
      instant({ description: 'When that was last said.', example: '2024-10-15T13:00:00.000Z' }),
    ),
    ...lifetime('the project', 'opened'),
  },
  { title: 'Project', description: 'What risks, issues and tasks belong to.' },
)
export type Project = Static<typeof Project>

export const NewProject = newOf({ code, name: writable.name }, writable, {
  title: 'NewProject',
  description: 'A project to open. It is active unless it says otherwise.',
  example: { code: 'WEIR', name: 'Älvsund weir', risk_appetite: 12, health: 'on_track' },
})
export type NewProject = Static<typeof NewProject>

export const ProjectPatch = patchOf(
  Project,
  { ...writable, metadata: MetadataPatch },
  {
    title: 'ProjectPatch',
    description: 'What to change: a JSON merge patch.',
    example: { health: 'off_track', health_note: 'The steel is late.' },
  },
)
export type ProjectPatch = Static<typeof ProjectPatch>

const count = (description: string, example: number) =>
  integer(0, 1_000_000, { description, example })

export const ProjectSummary = Type.Object(
  {
    live_risks: count('How many live risks it has.', 12),
    highest_score: nullable(
      integer(1, 25, { description: 'The highest score among them.', example: 20 }),
    ),
    risks_by_level: Type.Object(
      {
        low: count('Scores 1 to 5.', 3),
        medium: count('Scores 6 to 11.', 4),
        high: count('Scores 12 to 19.', 4),
        critical: count('Scores 20 to 25.', 1),
      },
      { description: 'How many live risks it has of each level.' },
    ),
    open_issues: count('How many open issues it has.', 5),
    highest_severity: nullable(
      integer(1, 5, { description: 'The highest severity among them.', example: 4 }),
    ),
  },
  { title: 'ProjectSummary', description: 'What a project is up against.' },
)
export type ProjectSummary = Static<typeof ProjectSummary>

export const ListedProject = Type.Object(
  { ...Project.properties, summary: Type.Optional(ProjectSummary) },
  {
    title: 'ListedProject',
    description: 'A project; with `include=summary`, what it is up against.',
  },
)
export type ListedProject = Static<typeof ListedProject>
