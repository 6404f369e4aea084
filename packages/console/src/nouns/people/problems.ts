import { ProblemError } from '@muster/client'

import { queryClient } from '#data/query-client.ts'
import { peopleQuery } from '#kit/references/people.tsx'

const userIds = /usr_[0-7][0-9a-hjkmnp-tv-z]{25}/g

/** Replaces user ids in the texts of a problem by names. */
export async function withPersonNames<R>(request: Promise<R>): Promise<R> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { detail, errors } = error.problem
    const names = await namesIn([detail, ...(errors ?? []).map((each) => each.detail)].join(' '))
    const named = (text: string) => text.replaceAll(userIds, (id) => names.get(id) ?? id)
    throw new ProblemError({
      ...error.problem,
      detail: named(detail),
      ...(errors && { errors: errors.map((each) => ({ ...each, detail: named(each.detail) })) }),
    })
  }
}

async function namesIn(text: string): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(text.match(userIds))].toSorted()
  if (ids.length === 0) return new Map()
  try {
    const { data } = await queryClient.fetchQuery(peopleQuery(ids))
    return new Map(data.map(({ id, name }) => [id, name]))
  } catch {
    // Show the original error even if the names cannot be loaded.
    return new Map()
  }
}
