import type { DirectoryOrder } from '#storage/keyset'

/** `-name` is by name, the last first. Without a wish: in the order they were made. */
export function sortOrder(sort = 'created_at'): DirectoryOrder {
  const isDescending = sort.startsWith('-')
  // The cast holds because the contract allows these orders and no others.
  return { by: sort.replace('-', '') as DirectoryOrder['by'], isDescending }
}
