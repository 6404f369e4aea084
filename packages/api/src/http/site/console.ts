import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip, zstdCompress } from 'node:zlib'

import type { FastifyInstance } from 'fastify'

import { chooseEncoding, type Encoding } from './negotiate.ts'

/** Where `npm run build` puts the console. */
const folder = new URL('../../public/console/', import.meta.url)

/** The pages of the console. What is shown on each is decided there, not here. */
const areas = [
  'sign-in',
  'start',
  'risks',
  'issues',
  'projects',
  'people',
  'groups',
  'keys',
  'workspace',
  'import',
]

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/**
 * The console: one page for every address, and its files, all from memory. Where it was not built
 * there is the page about the service instead.
 */
export function addConsole(app: FastifyInstance): void {
  if (!existsSync(folder)) {
    app.get('/', async (_request, reply) => reply.redirect('/about'))
    return
  }
  const page = readFileSync(new URL('index.html', folder), 'utf8')
  for (const path of ['/', ...areas.flatMap((area) => [`/${area}`, `/${area}/*`])]) {
    app.get(path, async (_request, reply) => {
      const nonce = randomBytes(16).toString('base64')
      return reply
        .headers({
          'content-security-policy': policyFor(nonce),
          'cross-origin-opener-policy': 'same-origin',
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
 * A file's name holds a hash of its content, so it can be kept for ever. It is compressed when it
 * is first asked for: most processes never show most pages.
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
 * Nothing from elsewhere, no inline script, and no text that becomes markup: the console's default
 * policy lets pass only the style sheets that its kit writes.
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
