/** Filters of states: whether an item is on a list, as the filters of the list decide in SQL. */

/** By query parameter: an item has one of the values. `none` is the value of a field without one. */
export type StateFilter = Readonly<Record<string, readonly (string | number)[] | undefined>>

/** Parameters that do not have the name of their field. */
const fields: Readonly<Record<string, string>> = { tag: 'tags', flag: 'flags' }

/** The state is in the form of a response. */
export const matches = (filter: StateFilter, state: object): boolean =>
  Object.entries(filter).every(([name, wanted]) => wanted === undefined || has(state, name, wanted))

function has(state: object, name: string, wanted: readonly unknown[]): boolean {
  // The cast holds because the names of filters and of fields are those of the contract.
  const value = (state as Readonly<Record<string, unknown>>)[fields[name] ?? name] ?? 'none'
  return Array.isArray(value) ? value.some((each) => wanted.includes(each)) : wanted.includes(value)
}
