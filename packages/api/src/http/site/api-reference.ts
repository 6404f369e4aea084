import type { FastifyInstance, FastifyReply } from 'fastify'

import { documentHeaders } from '#http/response/headers'

import { compressed } from './compressed.ts'
import { readIntroduction } from './docs.ts'
import { html, page } from './html.ts'
import { frameScript, pageScript, startScript } from './reference-scripts.ts'
import { findScalar } from './scalar.ts'
import { sendPage } from './send-page.ts'

/**
 * Serves the introduction to the API and below it the reference, which Scalar renders from
 * /openapi.json. This process serves all its assets: `npm run build` copies Scalar's bundle, a
 * development dependency, for production. Without the bundle, `/docs/api` explains how to install
 * it. Scalar runs in a frame that the policy sandboxes, also when it is opened by itself: it has no
 * access to the session of the console.
 */
export function addApiReference(app: FastifyInstance): void {
  const readScalar = findScalar()
  if (readScalar === null) {
    app.get('/docs/api', async (_request, reply) => sendPage(reply.code(404), missingBundlePage()))
    return
  }
  app.get('/docs/api', async ({ protocol, host }, reply) => {
    const text = (await readIntroduction()) ?? bareIntroduction()
    // The examples call the service that shows them.
    const base = html`${protocol}://${host}`.text
    return sendDocument(reply, {
      policy: pagePolicy,
      text: text.replaceAll(exampleBase, () => base).replace('</main>', `</main>${referenceBody}`),
    })
  })
  app.get('/docs/api/frame', async (_request, reply) =>
    sendDocument(reply, { policy: framePolicy, text: referenceFrame }),
  )
  const scripts = { 'docs-page': pageScript, 'docs-frame': frameScript, docs: startScript }
  for (const [name, script] of Object.entries(scripts)) {
    app.get(`/assets/${name}.js`, async (_request, reply) =>
      reply.headers(forFrame).type('text/javascript').send(script),
    )
  }
  const sendScalar = compressed(readScalar)
  app.get('/assets/scalar.js', async (request, reply) => {
    reply
      .headers({ ...forFrame, 'cache-control': 'private, max-age=86400' })
      .type('text/javascript')
    return sendScalar(request, reply)
  })
}

/** The address of the service in the examples of the documentation. */
const exampleBase = 'http://127.0.0.1:8080'

/** A sandboxed frame is of another origin, even for scripts of the same service. */
const forFrame = { 'cross-origin-resource-policy': 'cross-origin' }

interface Document {
  readonly policy: string
  readonly text: string
}

const sendDocument = (reply: FastifyReply, { policy, text }: Document) =>
  reply
    .type('text/html; charset=utf-8')
    .headers({ ...documentHeaders, 'content-security-policy': policy })
    .send(text)

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
  "img-src 'self' data:",
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

const bareIntroduction = () => page('API reference · Muster', html`<h1>API reference</h1>`)

const referenceBody = html`<iframe
    class="reference"
    title="API reference"
    sandbox="${sandbox}"
    allow="clipboard-write"
  ></iframe>
  <script src="/assets/docs-page.js"></script>`.text

const referenceFrame = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Reference · Muster</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/assets/docs-frame.js"></script>
    <script src="/assets/scalar.js"></script>
    <script src="/assets/docs.js"></script>
  </body>
</html>
`
