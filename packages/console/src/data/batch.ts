/**
 * Joins requests for single items into one request. The cells of a list each ask for their own item
 * at the same time.
 */
export function batchById<T>(
  fetchMany: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | null> {
  let batch: { readonly ids: Set<string>; readonly found: Promise<ReadonlyMap<string, T>> } | null =
    null
  const start = () => {
    const ids = new Set<string>()
    const found = new Promise((resolve) => setTimeout(resolve, waitMs)).then(() => {
      if (batch?.ids === ids) batch = null
      return fetchMany([...ids])
    })
    return { ids, found }
  }
  return async (id) => {
    if (batch === null || batch.ids.size === batchMax) batch = start()
    batch.ids.add(id)
    return (await batch.found).get(id) ?? null
  }
}

/** The limit of the API for the values of a filter. */
const batchMax = 50
const waitMs = 10
