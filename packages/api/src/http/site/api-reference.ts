import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { FastifyInstance } from 'fastify'

import { html, page } from './html.ts'
import { findScalar } from './scalar.ts'

/**
 * Serves the API reference, which Scalar renders from /openapi.json. This process serves all its
 * assets: `npm run build` copies Scalar's bundle, a development dependency, for production. Without
 * the bundle, `/docs/api` explains how to install it.
 */
export function addApiReference(app: FastifyInstance): void {
  const readScalar = findScalar()
  if (readScalar === null) {
    app.get('/docs/api', async (_request, reply) =>
      reply
        .code(404)
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .send(missingBundlePage()),
    )
    return
  }
  let bundle: Promise<Buffer> | null = null
  app.get('/docs/api', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(docs),
  )
  app.get('/assets/docs.js', async (_request, reply) => reply.type('text/javascript').send(script))
  app.get('/assets/scalar.js', async (_request, reply) => {
    bundle ??= readScalar().then((bytes) => promisify(gzip)(bytes))
    bundle.catch(() => (bundle = null))
    return reply
      .headers({ 'content-encoding': 'gzip', 'cache-control': 'private, max-age=86400' })
      .type('text/javascript')
      .send(await bundle)
  })
}

const missingBundlePage = () =>
  page(
    'Reference · Muster',
    html`<h1>The API reference is not installed</h1>
      <p>
        An administrator installs it with <code>npm run build</code> and a restart. The
        <a href="/openapi.json">OpenAPI document</a> describes the same operations.
      </p>`,
  )

/**
 * No inline scripts. Inline styles are allowed: Scalar creates several style elements and sets a
 * nonce only on the first.
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

/** These settings disable every feature of Scalar that would contact another server. */
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
