import { ProblemError } from '@muster/client'
import { useState } from 'react'

import { cache } from '#api/cache.ts'
import { peopleQuery } from '#ui/people.tsx'

const userIds = /usr_[0-7][0-9a-hjkmnp-tv-z]{25}/g

/** The service speaks of people by their ids; whoever reads a refusal knows them by name. */
export async function withNames<R>(doing: Promise<R>): Promise<R> {
  try {
    return await doing
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const names = await namesIn(error.problem.detail)
    const detail = error.problem.detail.replaceAll(userIds, (id) => names.get(id) ?? id)
    throw new ProblemError({ ...error.problem, detail })
  }
}

async function namesIn(text: string): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(text.match(userIds))].toSorted()
  if (ids.length === 0) return new Map()
  try {
    const { data } = await cache.fetchQuery(peopleQuery(ids))
    return new Map(data.map(({ id, name }) => [id, name]))
  } catch {
    // The refusal itself is what matters: it is told with the ids.
    return new Map()
  }
}

/** Whose email or external id it is, when that is why something was refused. */
export function useConflicting() {
  const [userId, setUserId] = useState<string | null>(null)
  const watch = async <R>(doing: Promise<R>): Promise<R> => {
    setUserId(null)
    try {
      return await doing
    } catch (error) {
      setUserId(conflictingIn(error))
      throw error
    }
  }
  return { userId, watch }
}

function conflictingIn(error: unknown): string | null {
  if (!(error instanceof ProblemError)) return null
  const { conflicting_id: id } = error.problem
  return typeof id === 'string' ? id : null
}
