import type { QueryKey } from '@tanstack/react-query'

import type { Noun } from '#data/query-client.ts'

import type { LiveChange } from './read-stream.ts'

type Subject = LiveChange['subject']['type']

/** The nouns whose cached data a change of each noun can be in, as after a change of the user. */
const nounsOf: Readonly<Record<Subject, readonly Noun[]>> = {
  person: ['personnel', 'groups'],
  group: ['groups', 'personnel', 'keys'],
  project: ['projects', 'risks', 'issues', 'tasks', 'personnel'],
  risk: ['risks', 'projects', 'issues', 'personnel'],
  issue: ['issues', 'projects', 'personnel'],
  task: ['tasks', 'projects', 'personnel'],
  key: ['keys', 'audit'],
  access: ['access', 'personnel', 'audit', 'keys'],
  sign_in: ['access', 'workspace', 'audit'],
  workspace: ['workspace', 'keys', 'audit'],
}

/** The nouns whose single records a change of another noun can be in. */
const recordsOf: Readonly<Partial<Record<Subject, readonly Noun[]>>> = {
  person: ['groups'],
  group: ['personnel'],
  project: ['risks', 'issues', 'tasks'],
}

/** Queries with these names are about the ids in their key alone. */
const namesOfRecords: ReadonlySet<unknown> = new Set(['one', 'name', 'named', 'history', 'seen'])

/** Whether cached data can be older than the change. No data is about a noun of a later service. */
export function isAffected([noun, name, ...rest]: QueryKey, { subject }: LiveChange): boolean {
  const isOfNoun = (nouns: readonly unknown[] = []) => nouns.includes(noun)
  if (!isOfNoun(nounsOf[subject.type])) return false
  if (!namesOfRecords.has(name)) return true
  return rest.includes(subject.id) || isOfNoun(recordsOf[subject.type])
}
