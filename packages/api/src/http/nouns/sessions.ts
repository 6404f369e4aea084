import {
  endSession,
  endSessionsOfPerson,
  listSessions,
  listSessionsOfPerson,
} from '#domain/auth/person-sessions'
import type { Handlers } from '#http/operations/handlers'

export const sessions: Handlers['sessions'] = {
  list: (caller) => listSessions(caller),
  end: (caller, { params }) => endSession(caller, params.session_id),
  list_of_person: (caller, { params }) => listSessionsOfPerson(caller, params.user_id),
  end_of_person: (caller, { params }) => endSessionsOfPerson(caller, params.user_id),
}
