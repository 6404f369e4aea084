import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { FastifyInstance } from 'fastify'

import { html, page } from './html.ts'

/**
 * The reference, drawn by Scalar from /openapi.json. Everything comes from this process: Scalar's
 * bundle is a development dependency that `npm run build` copies for installations without one.
 * An installation without either has a page that says so.
 */
export function addDocs(app: FastifyInstance): void {
  const location = findBundle()
  if (location === null) {
    app.get('/docs', async (_request, reply) =>
      reply
        .code(404)
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .send(notBuilt()),
    )
    return
  }
  let bundle: Promise<Buffer> | null = null
  app.get('/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(docs),
  )
  app.get('/assets/docs.js', async (_request, reply) => reply.type('text/javascript').send(script))
  app.get('/assets/scalar.js', async (_request, reply) => {
    bundle ??= readFile(location).then((bytes) => promisify(gzip)(bytes))
    bundle.catch(() => (bundle = null))
    return reply
      .headers({ 'content-encoding': 'gzip', 'cache-control': 'private, max-age=86400' })
      .type('text/javascript')
      .send(await bundle)
  })
}

const built = new URL('../../public/scalar.js', import.meta.url)

function findBundle(): URL | null {
  if (existsSync(built)) return built
  try {
    return new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'))
  } catch {
    return null
  }
}

const notBuilt = () =>
  page(
    'Reference · Muster',
    html`<h1>The reference is not installed</h1>
      <p>
        An administrator installs it with <code>npm run build</code> and a restart. The
        <a href="/openapi.json">OpenAPI document</a> describes the same operations.
      </p>`,
  )

/**
 * No inline script. Inline styles are allowed: Scalar makes several style elements, and gives a
 * nonce to the first of them only.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const docs = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Reference · Muster</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/assets/scalar.js"></script>
    <script src="/assets/docs.js"></script>
  </body>
</html>
`

/** Each of these settings turns something off that would otherwise ask a server elsewhere. */
const script = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'key' },
})
`
