import { cancelDeparture, listDepartures, viewDeparture } from '#domain/handover/departures'
import type { Handlers } from '#http/operations/handlers'

export const departures: Handlers['departures'] = {
  list: (caller) => listDepartures(caller),
  view: (caller, { params }) => viewDeparture(caller, params.user_id),
  cancel: (caller, { params }) => cancelDeparture(caller, params.user_id),
}
