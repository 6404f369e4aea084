import { Type } from 'typebox'

import { email, id, singleLine, userIdOrNone } from '#contract/field-schemas'
import { externalIdFilter } from '#contract/fields'
import { limits } from '#contract/limits'
import { enumFilter, searchFilter, sortParameter, valuesFilter } from '#contract/list-operation'

import { personStatuses } from './fields.ts'

const exactTextFilter = (field: string, example: string) =>
  singleLine(200, {
    description:
      `Only people with exactly this ${field}. Letter case and accents do not matter. ` +
      `\`none\` for people without one.`,
    example,
  })

/** The parameters of the roster. */
export const filters = {
  user_id: Type.Optional(
    valuesFilter(
      id('usr', 'A user id.'),
      'Only these people. Combines with `status`: send all statuses to resolve any user id.',
      limits.idsMax,
    ),
  ),
  status: Type.Optional(
    enumFilter(
      personStatuses,
      'Only people with one of these statuses. Default: active and suspended.',
      'active',
    ),
  ),
  email: Type.Optional(
    valuesFilter(
      email({
        description: 'An email. Letter case does not matter.',
        example: 'mara.lindqvist@northwater.example',
      }),
      'Only people with one of these emails.',
      limits.idsMax,
    ),
  ),
  external_id: Type.Optional(externalIdFilter('people', 'nw-1005')),
  group_id: Type.Optional(
    valuesFilter(id('grp', 'The id of a group.'), 'Only members of one of these groups.'),
  ),
  manager_user_id: Type.Optional(
    valuesFilter(
      userIdOrNone,
      'Only people with one of these managers; `none` for people without a manager.',
    ),
  ),
  title: Type.Optional(exactTextFilter('title', 'Site engineer')),
  department: Type.Optional(exactTextFilter('department', 'Civil works')),
  q: Type.Optional(searchFilter('the name or the email', 'lind')),
  sort: Type.Optional(
    sortParameter(
      ['created_at', 'name', 'updated_at', 'title', 'department'],
      'The sort order: creation time (default), name, last change, job title, or department. ' +
        'People without a title or department come last.',
    ),
  ),
}
