import { Type } from 'typebox'

import { limits } from './limits.ts'
import type { Include } from './operation.ts'
import type { Scope } from './scopes.ts'

/** Filters by values that people know. */
const valueFilters = [
  'external_id',
  'email',
  'ref',
  'code',
  'name',
  'project_code',
  'owner_email',
  'assignee_email',
] as const

export type ValueFilter = (typeof valueFilters)[number]

/** Those of these parameters that are filters by values that people know. */
export const valueFiltersOf = (parameters: object): ValueFilter[] =>
  valueFilters.filter((name) => name in parameters)

/** The value of `include` for lists with such filters. */
export function unmatchedInclude(filters: object, scope: Scope): Readonly<Record<string, Include>> {
  const names = valueFiltersOf(filters)
  if (names.length === 0) return {}
  return { unmatched: { collections: names.includes('project_code') ? ['projects'] : [], scope } }
}

/** The field that it adds to the response. */
export function unmatchedFields(filters: object) {
  const names = valueFiltersOf(filters)
  const valuesOf = (name: ValueFilter) => ({
    type: 'array',
    items: { type: 'string' },
    maxItems: limits.idsMax,
    description: `The values of \`${name}\` that nothing has.`,
  })
  const field = Type.Unsafe<Partial<Record<ValueFilter, string[]>>>({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, valuesOf(name)])),
    description:
      'Only with `include=unmatched`: by filter, the given values that nothing in the list has. ' +
      '`status` applies, and no other filter. A code of `project_code` is unmatched if the caller ' +
      'sees no project with it, and an email of an owner or assignee if no person has it.',
    examples: [{ [names[0] ?? '']: ['unknown'] }],
  })
  const fields = { unmatched: Type.Optional(field) }
  // The cast holds because the field is optional.
  return names.length > 0 ? fields : ({} as typeof fields)
}
