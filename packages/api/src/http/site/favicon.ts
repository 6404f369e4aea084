import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

import type { FastifyInstance } from 'fastify'

import { compressed } from './compressed.ts'

/** The logo of docs/images, where `npm run build` copies it. */
const file = new URL('../../../public/docs/images/logo.svg', import.meta.url)

/**
 * Serves the logo as the favicon of every page. Browsers request `/favicon.ico` for responses that
 * name no icon, such as JSON, so it is the same picture. Without a build there is none.
 */
export function addFavicon(app: FastifyInstance): void {
  if (!existsSync(file)) return
  const send = compressed(() => readFile(file))
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, async (request, reply) => {
      reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml')
      return send(request, reply)
    })
  }
}
