import {
  type ListOperation,
  personStatuses,
  projectStatuses,
  type ValueFilter,
  valueFiltersOf,
} from '@muster/contract'

import type { AskedValues } from '#domain/engine/listing'

import type { ListRequest } from './list-request.ts'

interface OtherList {
  readonly operation: string
  readonly field: string
  readonly status: readonly string[]
}

const people = { operation: 'personnel.list', field: 'email', status: personStatuses }

/** The list of the records that a filter names, where it is not the list itself. */
const namedBy: Partial<Record<ValueFilter, OtherList>> = {
  project_code: { operation: 'projects.list', field: 'code', status: projectStatuses },
  owner_email: people,
  assignee_email: people,
}

/**
 * The values that `include=unmatched` looks for: all lists are those of the caller, and only
 * `status` narrows them. Undefined without it.
 */
export function askedValues(
  operation: ListOperation,
  { query, listingOf }: ListRequest,
): AskedValues[] | undefined {
  if (!query.include?.includes('unmatched')) return undefined
  // The cast holds because these filters have lists of texts, and the query is validated.
  const given = query as Partial<Record<ValueFilter | 'status', readonly string[]>>
  const status = given.status && { status: given.status }
  return valueFiltersOf(operation.query.properties).flatMap((parameter) => {
    const values = given[parameter]
    if (values === undefined) return []
    const other = namedBy[parameter]
    if (other === undefined) {
      const listing = () => listingOf({ ...status, [parameter]: values })
      return [{ parameter, field: parameter, values, listing }]
    }
    const { field } = other
    const listing = () => listingOf({ status: other.status, [field]: values }, other.operation)
    return [{ parameter, field, values, listing }]
  })
}
