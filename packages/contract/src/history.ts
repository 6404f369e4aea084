import { Type, type Static, type TObject } from 'typebox'

import type { Collection } from './collections.ts'
import { events, type EventType } from './events.ts'
import { id, instant, known, line, nullable, prose, sequence } from './fields.ts'
import { listOperation } from './list.ts'
import type { Scope } from './scopes.ts'

// The cast holds because the event types are the keys of this object.
const eventTypes = Object.keys(events) as EventType[]

const value = (description: string, example: unknown) =>
  Type.Unsafe<unknown>({ description, examples: [example] })

export const Actor = Type.Object(
  {
    type: known(['key', 'admin', 'system'], {
      description: 'A key, whoever runs the service, or the service itself.',
      example: 'key',
    }),
    id: nullable(id('key', 'The id of the key.')),
  },
  { description: 'By whom.' },
)

export const HistoryEntry = Type.Object(
  {
    seq: sequence({ description: 'The sequence number of the change.', example: 4711 }),
    type: known(eventTypes, { description: 'What happened.', example: 'risk.reviewed' }),
    occurred_at: instant({ description: 'When.', example: '2024-10-15T13:00:00.000Z' }),
    actor: Actor,
    request_id: nullable(id('req', 'The request that changed it.')),
    note: nullable(
      prose(5000, { description: 'What was said about it.', example: 'Drains inspected.' }),
    ),
    changes: Type.Array(
      Type.Object({
        field: line(50, { description: 'The name of the field.', example: 'likelihood' }),
        from: value('What it was; null when there was none.', 4),
        to: value('What it became.', 3),
      }),
      { description: 'What changed, from what to what.' },
    ),
  },
  { title: 'HistoryEntry', description: 'One change of one thing.' },
)
export type HistoryEntry = Static<typeof HistoryEntry>

interface HistoryDefinition<P extends TObject, S extends Scope> {
  readonly of: string
  readonly path: `/v1/${string}/history`
  readonly collection: Collection
  readonly scope: S
  readonly params: P
}

/** Declares the history of one thing: every change since it came into being, the first first. */
export const historyOperation = <const P extends TObject, const S extends Scope>(
  definition: HistoryDefinition<P, S>,
) => {
  const { of, ...rest } = definition
  return listOperation({
    ...rest,
    summary: `List what became of ${of}, change by change.`,
    description:
      'Every change since the beginning, the first first: what changed, from what to what, by ' +
      'whom and when.',
    item: HistoryEntry,
    title: 'History',
    filters: {},
    problems: ['not_found'],
  })
}
