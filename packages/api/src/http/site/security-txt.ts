import type { FastifyInstance } from 'fastify'

import { html, page } from './html.ts'
import { sendPage } from './pages.ts'

const dayMs = 86_400_000
const goodForDays = 180

/**
 * RFC 9116: whom to tell about a weakness, and what happens then. It must say until when it holds;
 * as long as the service runs, that is half a year from now.
 */
export function addSecurityTxt(app: FastifyInstance, contact: string | null): void {
  app.get('/.well-known/security.txt', async (request, reply) => {
    const policy = `${request.protocol}://${request.host}/security`
    const expires = new Date(Math.floor(Date.now() / dayMs + goodForDays) * dayMs)
    const lines = [
      `Contact: ${contact ?? policy}`,
      `Expires: ${expires.toISOString().slice(0, 19)}Z`,
      'Preferred-Languages: en',
      `Policy: ${policy}`,
    ]
    // The address is what the caller called us by, so the answer is for this caller alone.
    reply.header('cache-control', 'no-store')
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
  app.get('/security', async (_request, reply) => sendPage(reply, securityPage(contact)))
}

function securityPage(contact: string | null): string {
  const whom =
    contact === null
      ? html`<p>Tell whoever runs this service, in private. They gave no other address.</p>`
      : html`<p>Tell <code>${contact}</code>, in private.</p>`
  return page(
    'Security · Muster',
    html`<h1>Reporting a weakness</h1>
      ${whom}
      <p>
        Say what you did and what came of it, with the <code>request_id</code> of an answer if there
        is one. You hear from us within two working days, and we publish within ninety days, sooner
        when it is mended sooner. Whoever looks in good faith, takes no data that is not theirs and
        does not disturb others has nothing to fear from us.
      </p>
      <p>If it is a key that leaked, revoke it first.</p>`,
  )
}
