import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { FastifyInstance } from 'fastify'

import { documentHeaders } from '#http/edge/headers'

import { html, page } from './html.ts'
import { frameScript, pageScript, pageStyle, startScript } from './reference-scripts.ts'
import { findScalar } from './scalar.ts'
import { sendPage } from './send-page.ts'

/**
 * Serves the API reference, which Scalar renders from /openapi.json. This process serves all its
 * assets: `npm run build` copies Scalar's bundle, a development dependency, for production. Without
 * the bundle, `/docs/api` explains how to install it. Scalar runs in a frame that the policy
 * sandboxes, also when it is opened by itself: it has no access to the session of the console.
 */
export function addApiReference(app: FastifyInstance): void {
  const readScalar = findScalar()
  if (readScalar === null) {
    app.get('/docs/api', async (_request, reply) => sendPage(reply.code(404), missingBundlePage()))
    return
  }
  addDocument(app, '/docs/api', { policy: pagePolicy, text: referencePage })
  addDocument(app, '/docs/api/frame', { policy: framePolicy, text: referenceFrame })
  const scripts = { 'docs-page': pageScript, 'docs-frame': frameScript, docs: startScript }
  for (const [name, script] of Object.entries(scripts)) {
    app.get(`/assets/${name}.js`, async (_request, reply) =>
      reply.headers(forFrame).type('text/javascript').send(script),
    )
  }
  app.get('/assets/docs-page.css', async (_request, reply) =>
    reply.type('text/css').send(pageStyle),
  )
  let bundle: Promise<Buffer> | null = null
  app.get('/assets/scalar.js', async (_request, reply) => {
    bundle ??= readScalar().then((bytes) => promisify(gzip)(bytes))
    bundle.catch(() => (bundle = null))
    return reply
      .headers({
        ...forFrame,
        'content-encoding': 'gzip',
        'cache-control': 'private, max-age=86400',
      })
      .type('text/javascript')
      .send(await bundle)
  })
}

/** A sandboxed frame is of another origin, even for scripts of the same service. */
const forFrame = { 'cross-origin-resource-policy': 'cross-origin' }

interface Document {
  readonly policy: string
  readonly text: string
}

function addDocument(app: FastifyInstance, path: string, { policy, text }: Document): void {
  app.get(path, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ ...documentHeaders, 'content-security-policy': policy })
      .send(text),
  )
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

const common = ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "form-action 'none'"]

const pagePolicy = [
  ...common,
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const sandbox = 'allow-scripts allow-forms allow-downloads'

/**
 * No inline scripts, and no requests: the page sends them. Inline styles are allowed: Scalar
 * creates several style elements and sets a nonce only on the first.
 */
const framePolicy = [
  ...common,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "frame-ancestors 'self'",
  `sandbox ${sandbox}`,
].join('; ')

const documentOf = (head: string, body: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Reference · Muster</title>
    <link rel="icon" href="data:," />${head}
  </head>
  <body>
    ${body}
  </body>
</html>
`

const referencePage = documentOf(
  '\n    <link rel="stylesheet" href="/assets/docs-page.css" />',
  `<iframe title="API reference" sandbox="${sandbox}" allow="clipboard-write"></iframe>
    <script src="/assets/docs-page.js"></script>`,
)

const referenceFrame = documentOf(
  '',
  `<div id="reference"></div>
    <script src="/assets/docs-frame.js"></script>
    <script src="/assets/scalar.js"></script>
    <script src="/assets/docs.js"></script>`,
)
