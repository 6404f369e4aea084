import { createLink } from '#domain/auth/links'
import type { Handlers } from '#http/operations/handlers'

export const links: Handlers['links'] = {
  create: (caller, { params, body }) => createLink(caller, params.user_id, body),
}
