/** `-name` is by name, the last first. Without a wish: in the order they were made. */
export function sortOrder(sort = 'created_at') {
  // The cast holds because the contract of each list allows some of these orders and no others.
  const by = sort.replace('-', '') as 'created_at' | 'name' | 'updated_at'
  return { by, isDescending: sort.startsWith('-') }
}
