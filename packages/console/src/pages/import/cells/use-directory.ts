import { useQuery } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import type { Mapping } from '#pages/import/columns/match.ts'

import { directoryOf, type Directory } from './directory.ts'

/** More people than this are not offered; their cells must have a user id. */
const entriesMax = 20_000

async function firstOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) {
    found.push(item)
    if (found.length === entriesMax) break
  }
  return found
}

/** The people and projects that the columns can name, with those that are needed alone. */
export function useDirectory(mapping: Mapping) {
  const needs = (type: 'person' | 'project') => mapping.some((field) => field?.type === type)
  const needsPeople = needs('person')
  const mayReadPeople = useMissingScopeReason('personnel.read') === null
  return useQuery({
    queryKey: ['import', 'directory', needsPeople, mayReadPeople, needs('project')],
    // The cells of a file are converted with one directory, also while the import changes it.
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Directory> => {
      const [people, projects] = await Promise.all([
        needsPeople && mayReadPeople ? firstOf(client.personnel.list.each({}, { signal })) : [],
        needs('project') ? firstOf(client.projects.list.each({}, { signal })) : [],
      ])
      return directoryOf(people, projects)
    },
  })
}
