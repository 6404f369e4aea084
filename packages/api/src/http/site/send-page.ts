import type { FastifyReply } from 'fastify'

import { documentHeaders } from '#http/edge/headers'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sends an HTML page without scripts. Everything on it comes from this service. */
export function sendPage(reply: FastifyReply, text: string) {
  return reply
    .type('text/html; charset=utf-8')
    .headers({ ...documentHeaders, 'content-security-policy': policy })
    .send(text)
}
