import { everyOperation } from '@muster/contract'
import type { FastifyInstance } from 'fastify'

import { pathOf } from '#http/request/query'

const readable = everyOperation()
  .filter(({ operation }) => operation.method === 'GET')
  .map(({ operation }) => new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}/$`))

/**
 * Redirects a read of `/v1/personnel/` to `/v1/personnel`, with its query. Other methods are
 * refused: many clients would repeat them without their body.
 */
export function addTrailingSlash(app: FastifyInstance): void {
  app.addHook('onRequest', ({ method, url }, reply, done) => {
    const path = pathOf(url)
    const isRead = method === 'GET' || method === 'HEAD'
    if (!path.endsWith('/') || !isRead || !readable.some((pattern) => pattern.test(path))) {
      done()
      return
    }
    reply.redirect(`${path.slice(0, -1)}${url.slice(path.length)}`, 308)
  })
}
