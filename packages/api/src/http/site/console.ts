import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip, zstdCompress } from 'node:zlib'

import type { FastifyInstance } from 'fastify'

import { documentHeaders } from '#http/edge/headers'
import { chooseEncoding, type Encoding } from '#http/request/negotiate'

/** The output folder of `npm run build`. */
const folder = new URL('../../../public/console/', import.meta.url)

/** The first path segments of the console. The console itself routes within them. */
const segments = [
  'sign-in',
  'start',
  'risks',
  'issues',
  'tasks',
  'projects',
  'people',
  'groups',
  'keys',
  'workspace',
  'access',
  'audit',
  'account',
  'import',
  'print',
]

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Serves the console: one HTML page for every path, and its assets, from memory. If the console is
 * not built, `/` redirects to `/about`.
 */
export function addConsole(app: FastifyInstance): void {
  if (!existsSync(folder)) {
    app.get('/', async (_request, reply) => reply.redirect('/about'))
    return
  }
  const page = readFileSync(new URL('index.html', folder), 'utf8')
  for (const path of ['/', ...segments.flatMap((segment) => [`/${segment}`, `/${segment}/*`])]) {
    app.get(path, async (_request, reply) => {
      const nonce = randomBytes(16).toString('base64')
      return reply
        .headers({
          'content-security-policy': policyFor(nonce),
          ...documentHeaders,
          'cache-control': 'no-store',
        })
        .type('text/html; charset=utf-8')
        .send(page.replaceAll('__NONCE__', nonce))
    })
  }
  for (const name of readdirSync(new URL('console/', folder))) addFile(app, name)
}

const compressors = { gzip: promisify(gzip), zstd: promisify(zstdCompress) }

/**
 * File names contain a content hash, so responses are immutable. A file is compressed on its first
 * request: most processes never serve most pages.
 */
function addFile(app: FastifyInstance, name: string): void {
  const content = readFileSync(new URL(`console/${name}`, folder))
  const bodies: Partial<Record<Encoding, Promise<Buffer>>> = { identity: Promise.resolve(content) }
  app.get(`/console/${name}`, async ({ headers }, reply) => {
    const encoding = chooseEncoding(headers)
    if (encoding !== 'identity') {
      reply.header('content-encoding', encoding)
      bodies[encoding] ??= compressors[encoding](content)
    }
    return reply
      .headers({ vary: 'Accept-Encoding', 'cache-control': 'public, max-age=31536000, immutable' })
      .type(types[extname(name)] ?? 'application/octet-stream')
      .send(await bodies[encoding])
  })
}

/**
 * No external resources, no inline scripts, and Trusted Types: the console's default policy allows
 * only the style sheets that its UI library writes.
 */
const policyFor = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
