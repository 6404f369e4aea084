/** Kept states of resources, in the form of today. */

import { Group, Issue, Person, Project, Risk, type StateNoun, Task } from '@muster/contract'

import { type States, statesAt, type StatesQuery } from '#storage/nouns/states-at'
import type { Read } from '#storage/statements/access'

import { inContractOrder } from './contract-order.ts'

export type State = Readonly<Record<string, unknown>>

interface Schema {
  readonly properties: Readonly<Record<string, object>>
}

const schemas: Readonly<Record<StateNoun, Schema>> = {
  person: Person,
  group: Group,
  project: Project,
  risk: Risk,
  issue: Issue,
  task: Task,
}

/** What is computed on each read: no state has it. */
const computed = new Set(['level'])

/** What a state lacks, because an earlier release wrote it: nothing, in the form of the field. */
function emptyOf(schema: object): unknown {
  const type = 'type' in schema ? schema.type : null
  if (type === 'array') return []
  return type === 'object' ? {} : null
}

/** The state with all fields, in the order of the contract, which jsonb does not keep. */
export function completeState(noun: StateNoun, state: State): State {
  const schema = schemas[noun]
  const missing = Object.entries(schema.properties).filter(
    ([name]) => !(name in state) && !computed.has(name) && !isOptional(schema, name),
  )
  const empty = Object.fromEntries(missing.map(([name, field]) => [name, emptyOf(field)]))
  // The cast holds because an object stays one.
  return inContractOrder(schema, { ...empty, ...state }) as State
}

const isOptional = (schema: Schema, name: string) =>
  'required' in schema && Array.isArray(schema.required) && !schema.required.includes(name)

/** As `statesAt`, with all fields of today. */
export const completeStatesAt = <N extends keyof States>(read: Read, query: StatesQuery<N>) =>
  statesAt(read, { ...query, complete: (state) => completeState(query.noun, state) })
