/** `-name` sorts by name, descending. The default is the order of creation. */
export function sortOrder(sort = 'created_at') {
  // The cast holds because the contract of each list allows only these fields.
  const by = sort.replace('-', '') as 'created_at' | 'name' | 'updated_at'
  return { by, isDescending: sort.startsWith('-') }
}
