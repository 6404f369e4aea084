import {
  everyOperation,
  isList,
  type ListOperation,
  type Operation,
  operations,
} from '@muster/contract'

import type { ExportPart } from '#domain/workspace/export'
import { keyOperations } from '#test/support/operations'

import type { FieldSchema } from './field-values.ts'

/** A noun whose records a client creates or changes. */
export interface WrittenNoun {
  readonly name: ExportPart
  readonly create: Operation | null
  readonly view: Operation
  readonly update: Operation
  readonly batch: Operation | null
  readonly history: Operation | null
  /** The operation that moves a record to another list. */
  readonly close: Operation | null
  readonly lists: readonly ListOperation[]
}

type Verbs = Readonly<Record<string, Operation | undefined>>

/** Every noun with a merge patch. */
export const writtenNouns: readonly WrittenNoun[] = Object.entries(operations).flatMap(
  // The cast holds because every member of a noun is an operation.
  ([name, verbs]) => nounOf(name, verbs as unknown as Verbs),
)

function nounOf(name: string, verbs: Verbs): WrittenNoun[] {
  const { create = null, view, update, batch = null, history = null, close = null } = verbs
  if (!update?.isMergePatch || view === undefined) return []
  const idPattern = schemasOf(view.response)['id']?.pattern
  const lists = keyOperations()
    .map(({ operation }) => operation)
    .filter(isList)
    .filter(({ item }) => schemasOf(item)['id']?.pattern === idPattern)
  // The cast holds because an export has a part for each of these nouns; the test compares them.
  return [{ name: name as ExportPart, create, view, update, batch, history, close, lists }]
}

/** Operations that write fields in another way, and the tests of these fields. */
export const otherWrites: Readonly<Record<string, string>> = {
  'groups.change_members': 'test/nouns/members.test.ts',
  'keys.rotate': 'test/nouns/keys.test.ts',
  'personal_keys.create': 'test/auth/keys/personal-keys.test.ts',
  'access.replace': 'test/auth/rights/access.test.ts',
  'links.create': 'test/auth/sign-in/links.test.ts',
  'passkeys.rename': 'test/auth/passkeys/passkeys.test.ts',
  'sign_in.replace': 'test/nouns/sign-in.test.ts',
}

const isWrite = ({ status, method, body }: Operation) =>
  body !== undefined && (status === 201 || method === 'PUT' || method === 'PATCH')

/** The operations that create a record or replace its fields. */
export const writes = everyOperation().filter(({ operation }) => isWrite(operation))

/** The fields of an object. */
export function schemasOf(schema: object | null | undefined) {
  const properties = schema && 'properties' in schema ? schema.properties : {}
  // The cast holds because the contract is made of JSON Schemas.
  return properties as Readonly<Record<string, FieldSchema>>
}

const before = 'only a new record can state what was before'
const closing = 'the operation `close` sets it, or a new record that is closed'

/** Fields that only a new record can set, and why. A row of a batch with an id cannot either. */
const initial: Readonly<Record<string, string>> = {
  'projects.code': 'the references of its risks, issues and tasks contain it',
  'risks.identified_at': before,
  'risks.last_reviewed_at': before,
  'risks.closed_at': closing,
  'risks.close_reason': closing,
  'risks.close_note': closing,
  'issues.opened_at': before,
  'issues.closed_at': closing,
  'issues.close_reason': closing,
  'issues.close_note': closing,
  'tasks.completed_at': before,
}

/** Fields of a new record that PATCH refuses, and why. */
const permanent: Readonly<Record<string, string>> = {
  ...initial,
  'risks.likelihood': 'a review sets it, and a batch, which counts as a review',
  'risks.impact': 'a review sets it, and a batch, which counts as a review',
  'groups.member_user_ids': 'the operations of members change it',
  'keys.scopes': 'another key is created for other scopes',
  'keys.expires_in_days': 'a rotation sets the expiry',
}

/** Fields that PATCH changes and a new record does not take, and why. */
const later: Readonly<Record<string, string>> = {
  'personnel.status_reason': 'a new person has no change of status',
  'workspace.name': 'an administrator creates a workspace',
  'workspace.time_zone': 'an administrator creates a workspace',
  'workspace.slug': 'an administrator creates a workspace',
  'workspace.policies': 'an administrator creates a workspace',
}

/** Fields that exclude another one. A record of its own has them. */
export const excluded: Readonly<Record<string, string>> = { 'tasks.issue_id': 'risk_id' }

/** Fields that a new record has only with these values. A record of its own has them. */
export const dependent: Readonly<Record<string, object>> = {
  'risks.closed_at': { status: 'closed', close_reason: 'other' },
  'risks.close_reason': { status: 'closed' },
  'risks.close_note': { status: 'closed', close_reason: 'other' },
  'issues.closed_at': { status: 'closed', close_reason: 'resolved' },
  'issues.close_reason': { status: 'closed' },
  'issues.close_note': { status: 'closed', close_reason: 'resolved' },
  'tasks.completed_at': { status: 'done' },
}

type Fields = readonly (readonly [string, FieldSchema])[]

const isListed = (list: Readonly<Record<string, string>>, { name }: WrittenNoun, field: string) =>
  `${name}.${field}` in list

/** The fields that a new record takes. */
export const createdFields = (noun: WrittenNoun): Fields =>
  Object.entries(schemasOf(noun.create?.body))

/** The fields that PATCH changes, with the values of a new record. */
export function patchedFields(noun: WrittenNoun): Fields {
  const others = Object.entries(schemasOf(noun.update.body))
  return [
    ...createdFields(noun).filter(([field]) => !isListed(permanent, noun, field)),
    ...others.filter(([field]) => isListed(later, noun, field)),
  ]
}

/** The fields that PATCH accepts only with their present value. */
export function readOnlyFields(noun: WrittenNoun): Fields {
  const patched = new Set(patchedFields(noun).map(([field]) => field))
  return Object.entries(schemasOf(noun.update.body)).filter(([field]) => !patched.has(field))
}

/** The fields that a row of a batch changes in an existing record. */
export function batchFields(noun: WrittenNoun): Fields {
  const rows = schemasOf(noun.batch?.rows)
  const all = new Map([...createdFields(noun), ...patchedFields(noun)])
  return [...all]
    .filter(([field]) => field in rows && !isListed(initial, noun, field))
    .filter(([field]) => !isListed(excluded, noun, field))
}

/** Entries of the lists above that no field of the contract needs. */
export function needlessEntries(): string[] {
  const names = (fields: (noun: WrittenNoun) => Fields) =>
    new Set(writtenNouns.flatMap((noun) => fields(noun).map(([field]) => `${noun.name}.${field}`)))
  const [created, patchable] = [
    names(createdFields),
    names(({ update }) => Object.entries(schemasOf(update.body))),
  ]
  return [
    ...Object.keys(permanent).filter((entry) => !created.has(entry)),
    ...Object.keys(later).filter((entry) => created.has(entry) || !patchable.has(entry)),
    ...Object.keys({ ...excluded, ...dependent }).filter((entry) => !created.has(entry)),
  ]
}
