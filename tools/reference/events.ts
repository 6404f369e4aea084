import { events, type EventType, eventTypes, everyOperation } from '@muster/contract'

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

/** The actors of events. `HistoryEntry` has the same types, which a test compares. */
export const actors: Readonly<Record<string, string>> = {
  key: 'An API key. For a personal key, `user_id` is its person; a service key has none.',
  person: 'A person who is signed in to the console. `id` and `user_id` are the same.',
  admin: 'An administrator of the service, in the shell. `id` is null.',
  system: 'The service itself, such as when a date passes. `id` is null.',
}

/** The history whose entries have the event; null if only the log has it. */
function historyOf(type: EventType): string | null {
  // A membership is part of the state of the person.
  const noun = type.startsWith('group.member_') ? 'person' : type.split('.')[0]
  const name = { person: 'personnel', project: 'projects', risk: 'risks', issue: 'issues' }[
    noun ?? ''
  ]
  if (name === undefined || type === 'person.identity_confirmed') return null
  const operation = everyOperation().find((each) => each.name === `${name}.history`)
  if (!operation) throw new Error(`no operation ${name}.history`)
  return code(operation.name)
}

export const eventsPage = () =>
  page(
    '# Events',
    'Each change of a resource appends an event to the log of its workspace, with the sequence number\n' +
      'of the change. One change can append several events, such as those of a departure.',
    '`GET /v1/events` returns the log in the order of the sequence numbers:\n' +
      '[Follow changes](../guides/follow-changes.md) says which types a key sees. The histories of people,\n' +
      'projects, risks and issues show the events that changed them, in the field `type` of each entry. The\n' +
      '[export](../guides/self-host.md#manage-workspaces) of a workspace contains the whole log. The\n' +
      '[audit log](../guides/follow-the-audit-log.md) is another one, with types of its own.',
    'Ignore types that you do not know: a later version can add some.',
    '## Actors',
    'The `actor` of an entry has a `type`, an `id` and a `user_id`:',
    table(
      ['type', 'actor'],
      Object.entries(actors).map(([type, meaning]) => [code(type), meaning]),
    ),
    'If `is_planned` is true, the actor planned the change earlier, and the service carried it out on its\n' +
      'day.',
    '## Event types',
    table(
      ['event', 'meaning', 'recorded by', 'also shown by'],
      eventTypes.map((type) => [code(type), events[type], originsOf(type), historyOf(type) ?? '–']),
    ),
  )
