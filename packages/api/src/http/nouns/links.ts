import { createLink } from '#domain/auth/links'
import type { Handlers } from '#http/bind'

export const links: Handlers['links'] = {
  create: (caller, { params, body }) => createLink(caller, params.user_id, body),
}
