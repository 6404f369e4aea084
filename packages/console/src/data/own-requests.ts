/** The ids of the last writes of this page. Events name the request that made them. */
const ownRequests = new Set<string>()
const keptMax = 500
let openWrites = 0

/** Sends a request, and remembers the id of a write. */
export async function fetchOwn(...args: Parameters<typeof fetch>): Promise<Response> {
  const [, { method = 'GET' } = {}] = args
  if (method === 'GET') return fetch(...args)
  openWrites++
  try {
    const response = await fetch(...args)
    remember(response.headers.get('request-id'))
    return response
  } finally {
    openWrites--
  }
}

function remember(id: string | null): void {
  if (id !== null) ownRequests.add(id)
  const [oldest] = ownRequests
  if (ownRequests.size > keptMax && oldest !== undefined) ownRequests.delete(oldest)
}

export const isOwnRequest = (id: string | null) => id !== null && ownRequests.has(id)

/** Whether a write has no response yet: an event may be its own. */
export const isWriting = () => openWrites > 0
