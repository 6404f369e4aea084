import {
  closedEnum,
  date,
  id,
  integer,
  multiLine,
  nullable,
  openEnum,
  singleLine,
  timestamp,
  userIdOrNone,
} from '#contract/field-schemas'
import {
  auditedFields,
  externalIdField,
  filtered,
  metadataField,
  optional,
  permanent,
  projectCode,
  readOnly,
  required,
  withDefault,
} from '#contract/fields'
import { limits } from '#contract/limits'
import { enumFilter, valuesFilter } from '#contract/list-operation'

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

const healthAbout = { description: 'The health of the project.', example: 'at_risk' } as const

/** The fields of a project, in the order of responses. */
export const projectFields = {
  id: readOnly(id('prj', 'The id of this project.')),
  code: filtered(
    permanent(
      projectCode(
        'The prefix of the references of its risks, issues and tasks: 2 to 10 capital letters ' +
          'and digits. Unique and permanent.',
      ),
    ),
    valuesFilter(
      projectCode('A project code.'),
      'Only projects with one of these codes.',
      limits.idsMax,
    ),
  ),
  name: required(
    singleLine(200, { description: 'The name of the project.', example: 'Norrfors dam renewal' }),
  ),
  description: optional(
    multiLine(5000, {
      description: 'The purpose of the project.',
      example: 'New spillway gates for the dam.',
    }),
  ),
  health_note: optional(
    multiLine(500, { description: 'The reason for the health.', example: 'The steel is late.' }),
  ),
  owner_user_id: filtered(
    optional(id('usr', 'The user id of the owner.')),
    valuesFilter(userIdOrNone, 'Only projects of these owners; `none` for projects without one.'),
  ),
  starts_on: optional(
    date({ description: 'The first day of the project.', example: '2026-03-01' }),
  ),
  due_on: optional(
    date({ description: 'The due date, not before `starts_on`.', example: '2028-10-31' }),
  ),
  risk_appetite: optional(
    integer(1, 25, {
      description: 'The highest tolerated score. Risks above it are flagged.',
      example: 12,
    }),
  ),
  external_id: externalIdField('project', 'projects', 'P-4120'),
  metadata: metadataField,
  status: withDefault(
    'active',
    openEnum(projectStatuses, { description: 'The status of the project.', example: 'active' }),
    {
      create: closedEnum(currentProjectStatuses, {
        description: 'The status of the project. Use `archive` to archive it.',
        example: 'active',
      }),
      row: closedEnum(projectStatuses, {
        description: 'The status of the project. An archived project cannot be changed.',
        example: 'active',
      }),
    },
  ),
  health: filtered(
    withDefault(null, nullable(openEnum(projectHealths, healthAbout)), {
      create: nullable(closedEnum(projectHealths, healthAbout)),
    }),
    enumFilter(
      [...projectHealths, 'none'],
      'Only projects with one of these healths; `none` for projects without a report.',
      'off_track',
    ),
  ),
  health_set_at: readOnly(
    nullable(
      timestamp({
        description: 'When the health was last set.',
        example: '2026-10-15T13:00:00.000Z',
      }),
    ),
  ),
  ...auditedFields('the project'),
}
