import {
  acceptanceProperties,
  AccessList,
  AuditEntry,
  type Collection,
  Group,
  HistoryEntry,
  IdentityChange,
  idPattern,
  Issue,
  Member,
  operations,
  Person,
  PlannedHandover,
  type Prefix,
  Project,
  Risk,
  Task,
  Workspace,
} from '@muster/contract'
import { type TProperties, type TSchema, Type } from 'typebox'

import { everyRight } from '#domain/auth/rights'
import { type ExportPart, exportParts } from '#domain/workspace/export'
import { termsMax } from '#storage/numbers/terms'
import { collectionNames, nouns, quotaNames } from '#storage/schema/nouns'
import { rowTables } from '#storage/schema/row-tables'

/**
 * The schemas of the files of an export. A line has the schema of the contract wherever the
 * contract has one. Objects have no other members, and enums no other values.
 */

const idOf = (prefix: Prefix) => Type.String({ maxLength: 30, pattern: idPattern(prefix) })
const subjectPrefixes = [...new Set(Object.values(nouns).map(({ prefix }) => prefix))]
const subjectId = Type.String({
  maxLength: 30,
  pattern: `^(?:${subjectPrefixes.join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
})
const sequenceNumber = HistoryEntry.properties.seq
const time = HistoryEntry.properties.occurred_at
const termName = Type.String({ pattern: '^[0-9a-f]{12}$', examples: ['7f2bd003b109'] })
/** The columns of reference numbers are integers of PostgreSQL. */
const referenceNumber = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** The details of an event: a note, a member, the refusal or expiry of a key, or that of a plan. */
const eventData = Type.Partial(
  Type.Object({
    note: HistoryEntry.properties.note,
    user_id: Member.properties.user_id,
    code: Type.String({ maxLength: 50, pattern: '^[a-z_]+$' }),
    from: AuditEntry.properties.network,
    expires_at: time,
    is_planned: Type.Literal(true),
  }),
)

const { is_imported: _mark, ...auditEntry } = AuditEntry.properties
const { identity_change: _change, ...accessEntry } = AccessList.properties.entries.items.properties

type LinePart = Exclude<ExportPart, 'history'>

/** A collection is exported as its operation `view` returns each resource. */
// The cast holds because these are the names of the collections.
const resourceProperties = Object.fromEntries(
  collectionNames.map((name): [string, TProperties] => [
    name,
    operations[name].view.response.properties,
  ]),
) as Record<Collection, TProperties>

const lineProperties: Readonly<Record<LinePart, TProperties>> = {
  ...resourceProperties,
  workspace: Workspace.properties,
  members: { group_id: Group.properties.id, ...Member.properties },
  binding_holds: {
    user_id: Person.properties.id,
    fields: IdentityChange.properties.fields,
    rights: Type.Array(Type.Unsafe({ type: 'string', enum: everyRight }), {
      maxItems: everyRight.length,
    }),
    is_bound: Type.Boolean(),
    actor: IdentityChange.properties.changed_by,
    created_at: time,
  },
  departures: PlannedHandover.properties,
  reference_numbers: {
    project_id: Project.properties.id,
    risk_number: referenceNumber,
    issue_number: referenceNumber,
    task_number: referenceNumber,
  },
  acceptances: acceptanceProperties,
  terms: { first_seq: sequenceNumber, term: termName, started_at: time },
  access: {
    ...accessEntry,
    version: sequenceNumber,
    created_at: time,
  },
  events: {
    seq: sequenceNumber,
    id: idOf('evt'),
    type: HistoryEntry.properties.type,
    subject_id: subjectId,
    project_id: Type.Unsafe({ ...Project.properties.id, type: ['string', 'null'] }),
    actor: AuditEntry.properties.actor,
    request_id: HistoryEntry.properties.request_id,
    changed: Type.Array(Type.String({ maxLength: 50, pattern: '^[a-z_]+$' }), { maxItems: 100 }),
    data: eventData,
    occurred_at: time,
  },
  audit: auditEntry,
}

/** Earlier states have no score and no appetite. No state has the level, which is derived. */
const acceptanceState = Type.Unsafe({
  ...Risk.properties.acceptance,
  required: ['accepted_by_user_id', 'accepted_at', 'expires_on', 'rationale'],
})

/** The nouns whose states are in the history: those whose rows a write collects. */
const stated = Object.entries(nouns).flatMap(([noun, { table, collection }]) =>
  collection !== null && Object.hasOwn(rowTables, table)
    ? [{ noun, properties: resourceProperties[collection] }]
    : [],
)
const items: Readonly<Record<string, TProperties>> = {
  ...Object.fromEntries(stated.map(({ noun, properties }) => [noun, properties])),
  risk: { ...Risk.properties, acceptance: acceptanceState },
  task: { ...Task.properties, metadata: Issue.properties.metadata },
}

/** A state of an item. States of an earlier release can lack fields that were added since. */
const stateOf = (noun: string, item: TProperties) =>
  Type.Object({
    noun: Type.Literal(noun),
    id: item['id'] ?? Type.Never(),
    from_seq: sequenceNumber,
    to_seq: Type.Unsafe({ ...sequenceNumber, type: ['integer', 'null'] }),
    data: Type.Partial(Type.Object(item)),
  })

const fieldsOf = <T extends TSchema>(names: readonly string[], schema: T) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, schema])))

/** `manifest.json`. Its quotas are not used: a workspace gets those of the server. */
export const manifestSchema = closed(
  Type.Object({
    format: Type.Integer(),
    workspace_id: Workspace.properties.id,
    as_of: sequenceNumber,
    exported_at: time,
    counts: Type.Object({
      ...fieldsOf(exportParts, sequenceNumber).properties,
      workspace: Type.Literal(1),
    }),
    counters: Type.Object({
      numbers: fieldsOf(collectionNames, sequenceNumber),
      quota: fieldsOf(quotaNames, sequenceNumber),
      terms: Type.Array(Type.Object({ name: termName, first: sequenceNumber }), {
        maxItems: termsMax,
      }),
    }),
    checksums: fieldsOf(exportParts, Type.String({ pattern: '^[0-9a-f]{64}$' })),
  }),
)

/** The schemas of the lines of each file, except of the history. */
export const lineSchemas = mapValues(lineProperties, (fields) => closed(Type.Object(fields)))

/** Decides the schema of a line of the history. */
export const nounSchema = Type.Object({
  noun: Type.Unsafe({ type: 'string', enum: Object.keys(items) }),
})

/** The schemas of the lines of the history, by `noun`. */
export const stateSchemas = mapValues(items, (item, noun) => closed(stateOf(noun, item)))

/** A response may have members and values that its client does not know. A line may not. */
function closed(schema: object): object {
  // The cast holds because the names of members are strings.
  const members = mapValues(schema as Record<string, unknown>, closedValue)
  const { 'x-extensible-enum': values, ...copy } = members
  const isNullable = [copy['type']].flat().includes('null')
  return {
    ...copy,
    ...(Array.isArray(values) && { enum: isNullable ? [...values, null] : values }),
    ...('properties' in copy && { additionalProperties: false }),
  }
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue)
  return typeof value === 'object' && value !== null ? closed(value) : value
}

function mapValues<K extends string, V, T>(
  object: Readonly<Record<K, V>>,
  map: (value: V, name: K) => T,
): Record<K, T> {
  // The casts hold because the entries are those of the object.
  const entries = Object.entries(object) as [K, V][]
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)])) as Record<
    K,
    T
  >
}
