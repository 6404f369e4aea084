import type { FastifyInstance } from 'fastify'

import { html, page } from './html.ts'
import { sendPage } from './send-page.ts'

const dayMs = 86_400_000
const validDays = 180

/**
 * Serves security.txt (RFC 9116) and the disclosure policy. `Expires` is mandatory and always 180
 * days ahead.
 */
export function addSecurityTxt(app: FastifyInstance, contact: string | null): void {
  app.get('/.well-known/security.txt', async (request, reply) => {
    const policy = `${request.protocol}://${request.host}/security`
    const expires = new Date(Math.floor(Date.now() / dayMs + validDays) * dayMs)
    const lines = [
      `Contact: ${contact ?? policy}`,
      `Expires: ${expires.toISOString().slice(0, 19)}Z`,
      'Preferred-Languages: en',
      `Policy: ${policy}`,
    ]
    // The URLs contain the Host of this request, so the response must not be cached.
    reply.header('cache-control', 'no-store')
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
  app.get('/security', async (_request, reply) => sendPage(reply, securityPage(contact)))
}

function securityPage(contact: string | null): string {
  const instruction =
    contact === null
      ? html`<p>Report it in private to the operator of this service. No contact is configured.</p>`
      : html`<p>Report it in private to <code>${contact}</code>.</p>`
  return page(
    'Security · Muster',
    html`<h1>Report a vulnerability</h1>
      ${instruction}
      <p>
        Describe the steps and the result, with the <code>request_id</code> of a response if there
        is one. We respond within two working days. We publish within ninety days, or earlier if the
        vulnerability is fixed earlier. We take no action against research in good faith that takes
        no data of others and does not disturb the service.
      </p>
      <p>If an API key leaked, revoke it first.</p>`,
  )
}
