import type { FastifyReply } from 'fastify'

import { documentHeaders } from '#http/response/headers'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

/** The search is a script of this service. It needs no connections and writes no HTML. */
const searchPolicy = [
  ...policy,
  "script-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** Sends an HTML page without scripts. Everything on it comes from this service. */
export const sendPage = (reply: FastifyReply, text: string) => send(reply, text, policy)

/** Sends a page of the documentation, which has a search. */
export const sendDocsPage = (reply: FastifyReply, text: string) => send(reply, text, searchPolicy)

function send(reply: FastifyReply, text: string, directives: readonly string[]) {
  return reply
    .type('text/html; charset=utf-8')
    .headers({ ...documentHeaders, 'content-security-policy': directives.join('; ') })
    .send(text)
}
