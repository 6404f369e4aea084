import { events, type EventType, everyOperation } from '@muster/contract'

import { code, page, table } from './markdown.ts'

/** The events that no operation records. */
const otherOrigins: Readonly<Partial<Record<EventType, string>>> = {
  'risk.flagged': 'the service, when a date passes or a risk appetite changes',
  'issue.flagged': 'the service, when a date passes',
  'key.expiring': 'the service, about a week before a key expires',
  'key.refused': 'the service, when a request with the key is refused',
  'workspace.suspended': 'an administrator: `npm run admin -- workspace suspend`',
  'workspace.resumed': 'an administrator: `npm run admin -- workspace resume`',
  'workspace.imported': 'an administrator: `npm run admin -- workspace import`',
}

/** The operations that record an event, or what else does. */
function originsOf(type: EventType): string {
  const operations = everyOperation().filter(({ operation }) => operation.events?.includes(type))
  const names = operations.map(({ name }) => code(name))
  const origins = [...names, ...(otherOrigins[type] ? [otherOrigins[type]] : [])]
  if (origins.length === 0) throw new Error(`tools/reference/events.ts has no origin of ${type}`)
  return origins.join(', ')
}

export const eventsPage = () =>
  page(
    '# Events',
    'Each change of a resource appends an event to the log of the workspace, with the sequence number\n' +
      'of the change. The history of people, projects, risks and issues shows these types. The\n' +
      '`actor` of an event is an API key, an administrator or the service.',
    table(
      ['event', 'meaning', 'recorded by'],
      // The cast holds because the event types are the keys of this object.
      (Object.keys(events) as EventType[]).map((type) => [
        code(type),
        events[type],
        originsOf(type),
      ]),
    ),
  )
