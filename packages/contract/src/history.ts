import { Type, type Static, type TObject } from 'typebox'

import { exampleOf } from './examples.ts'
import {
  booleanField,
  id,
  timestamp,
  openEnum,
  singleLine,
  nullable,
  multiLine,
  sequenceNumber,
} from './field-schemas.ts'
import { listOperation, sortParameter } from './list-operation.ts'
import { type Collection, eventTypes } from './registry.ts'
import type { Scope } from './scopes.ts'

const value = (description: string, example: unknown) =>
  Type.Unsafe<unknown>({ description, examples: [example] })

/** A service key: it has no person. */
const exampleActor = { type: 'key', id: exampleOf(id('key', '')), user_id: null }

const actorId = '^(?:key|usr)_[0-7][0-9a-hjkmnp-tv-z]{25}$'

export const Actor = Type.Object(
  {
    type: openEnum(['key', 'person', 'admin', 'system'], {
      description: 'An API key, a person, an administrator of the service, or the service itself.',
      example: 'key',
    }),
    id: nullable(
      Type.String({
        maxLength: 30,
        pattern: actorId,
        description: 'The id of the API key, or the user id of the person.',
        examples: [exampleOf(id('key', ''))],
      }),
    ),
    user_id: nullable(
      id('usr', 'The user id of the person, also for a personal key. Null for a service key.'),
    ),
  },
  { description: 'Who made the change.', examples: [{ ...exampleActor }] },
)

const HistoryActor = Type.Object(
  {
    ...Actor.properties,
    name: nullable(
      singleLine(200, {
        description:
          'The name of the person with `include=people`, which requires `personnel.read`. The ' +
          'name of the API key with `include=keys`, which requires `keys.read`. Otherwise null.',
        example: 'Risk office',
      }),
    ),
  },
  { description: 'Who made the change.', examples: [{ ...exampleActor, name: 'Risk office' }] },
)

export const HistoryEntry = Type.Object(
  {
    seq: sequenceNumber({ description: 'The sequence number of the change.', example: 4711 }),
    type: openEnum(eventTypes, { description: 'The event type.', example: 'risk.reviewed' }),
    occurred_at: timestamp({
      description: 'When the change was made.',
      example: '2026-10-15T13:00:00.000Z',
    }),
    actor: HistoryActor,
    request_id: nullable(id('req', 'The id of the request that made the change.')),
    is_planned: booleanField({
      description:
        'Whether the actor planned the change earlier, and the service carried it out on its day.',
      example: false,
    }),
    note: nullable(
      multiLine(5000, { description: 'The note on the change.', example: 'Drains inspected.' }),
    ),
    changes: Type.Array(
      Type.Object({
        field: singleLine(50, { description: 'The name of the field.', example: 'likelihood' }),
        from: value('The previous value, or null.', 4),
        to: value('The new value.', 3),
      }),
      { description: 'The changed fields with their previous and new values.' },
    ),
  },
  { title: 'HistoryEntry', description: 'One change of one resource.' },
)
export type HistoryEntry = Static<typeof HistoryEntry>

interface HistoryDefinition<P extends TObject, S extends Scope> {
  readonly resource: string
  readonly path: `/v1/${string}/history`
  readonly collection: Collection
  readonly scope: S
  readonly params: P
  /** How the example entry differs from that of the schema. */
  readonly entry: Readonly<Record<string, unknown>>
}

/** Declares the history of one resource: every change since its creation, oldest first. */
export const historyOperation = <const P extends TObject, const S extends Scope>(
  definition: HistoryDefinition<P, S>,
) => {
  const { resource, entry, ...rest } = definition
  return listOperation({
    ...rest,
    summary: `List the history of ${resource}.`,
    description:
      'Returns every change since creation, oldest first: the fields with their previous and new ' +
      'values, the actor and the time. `sort=-seq&limit=1` returns the last change.',
    item: HistoryEntry,
    title: 'History',
    filters: {
      sort: Type.Optional(
        sortParameter(['seq'], 'The order: oldest first (default), or newest first.'),
      ),
    },
    includes: {
      people: { collections: ['personnel'], scope: 'personnel.read' },
      keys: { collections: ['keys'], scope: 'keys.read' },
    },
    example: { data: [{ ...(exampleOf(HistoryEntry) as object), ...entry }] },
    problems: ['not_found'],
  })
}
