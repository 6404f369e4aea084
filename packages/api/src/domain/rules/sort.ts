/**
 * `-name` sorts by name, descending. The default is the order of creation, also for an order that
 * the list sorts without an index.
 */
export function sortOrder(sort = 'created_at') {
  const by = sort.replace('-', '')
  return isIndexed(by)
    ? { by, isDescending: sort.startsWith('-') }
    : { by: 'created_at' as const, isDescending: false }
}

const indexed = ['created_at', 'name', 'updated_at'] as const

const isIndexed = (by: string): by is (typeof indexed)[number] =>
  indexed.some((each) => each === by)
