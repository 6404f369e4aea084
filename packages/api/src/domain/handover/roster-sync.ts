/** A batch that brings the roster to the state of another system, with its departures. */

import type { Person } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { viewPerson } from '#domain/people/personnel'
import { batchPersonnel, type PeopleBatch } from '#domain/people/personnel-batch'

import { departPerson } from './departures.ts'

type Manager = Caller<'personnel.manage'>

interface Parameters {
  readonly match?: string
  readonly rejoin?: boolean
  readonly missing?: 'keep' | 'report' | 'depart'
  readonly missing_prefix?: string
  readonly missing_max?: number
}

/**
 * Saves the rows in one write, then offboards who is missing, each in a write of their own. A
 * replay of the request carries out the departures that it did not reach.
 */
export async function syncPersonnel(
  caller: Manager,
  batch: Pick<PeopleBatch, 'data' | 'lookups'>,
  parameters: Parameters,
) {
  refuseParameters(parameters)
  const { match, rejoin, missing: wanted = 'keep', missing_prefix: prefix = '' } = parameters
  const isDeparting = wanted === 'depart'
  const max = isDeparting ? (parameters.missing_max ?? 0) : null
  const result = await batchPersonnel(caller, {
    ...batch,
    match,
    rejoin,
    missing: wanted === 'keep' ? undefined : { prefix, max },
  })
  const missing: Missing[] = []
  const { rejoined = 0, missing: found = [] } = result
  for (const person of found) {
    missing.push(isDeparting ? await departMissing(caller, person) : { outcome: 'kept', person })
  }
  const departed = missing.filter(({ outcome }) => outcome === 'departed').length
  return { ...result, rejoined, departed, missing }
}

interface Missing {
  readonly outcome: 'kept' | 'departed' | 'refused'
  readonly person: Person
}

/** Departs a person who is as the batch found them. */
async function departMissing(caller: Manager, found: Person): Promise<Missing> {
  const once = { ...caller, idempotentRequest: null, onlyIf: [found.version] }
  try {
    const { person } = await departPerson(once, found.id, {})
    return { outcome: 'departed', person }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.problem !== 'version_mismatch') return { outcome: 'refused', person: found }
    const person = await viewPerson(caller, found.id)
    return { outcome: person.status === 'departed' ? 'departed' : 'kept', person }
  }
}

function refuseParameters({ match, rejoin, missing, ...others }: Parameters): void {
  const { missing_prefix, missing_max } = others
  const isMatching = match === 'external_id'
  const refuse = (parameter: string, detail: string) => {
    throw new Failure('invalid_parameter', `The parameter ${parameter} ${detail}.`, { parameter })
  }
  if (rejoin && !isMatching) refuse('rejoin', 'needs match=external_id')
  if (missing !== undefined && !isMatching) refuse('missing', 'needs match=external_id')
  if (missing === 'depart' && missing_max === undefined) {
    refuse('missing_max', 'is required for missing=depart')
  }
  if (missing_max !== undefined && missing !== 'depart') {
    refuse('missing_max', 'needs missing=depart')
  }
  if (missing_prefix !== undefined && (missing ?? 'keep') === 'keep') {
    refuse('missing_prefix', 'needs missing=report or missing=depart')
  }
}
