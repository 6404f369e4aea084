import { listAcceptances } from '#domain/projects/acceptances'
import type { Handlers } from '#http/operations/handlers'

export const acceptances: Handlers['acceptances'] = {
  list: (caller, { query }) => listAcceptances(caller, query),
}
