import { type Problem, ProblemError } from '@muster/client'

import { consoleHeader } from './browser-routes.ts'
import type { Search } from './search.ts'

/** Everything of a list that matches the query, as CSV. */
export async function fetchCsv(path: string, query: Search): Promise<string> {
  const response = await fetch(`${path}?${new URLSearchParams(query).toString()}`, {
    headers: { ...consoleHeader, accept: 'text/csv' },
  })
  if (!response.ok) throw new ProblemError((await response.json()) as Problem)
  return response.text()
}
