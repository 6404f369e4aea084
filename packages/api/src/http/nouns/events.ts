import { listEvents } from '#domain/events/events'
import type { Handlers } from '#http/operations/handlers'

export const events: Handlers['events'] = {
  list: (caller, { query }) => listEvents(caller, query),
}
