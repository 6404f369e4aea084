import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Failure } from '#domain/engine/failure'
import { prefersHtml } from '#http/request/negotiate'
import { pathOf } from '#http/request/query'
import { documentHeaders } from '#http/response/headers'

import { compressed } from './compressed.ts'

/** The output folder of `npm run build`. */
const folder = new URL('../../../public/console/', import.meta.url)

/** The first path segments of the console. The console itself routes within them. */
const segments = [
  'sign-in',
  'start',
  'overview',
  'my-work',
  'changes',
  'risks',
  'issues',
  'tasks',
  'projects',
  'people',
  'groups',
  'keys',
  'settings',
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

/** Sends the page of the console, which shows what belongs to its address. */
export type SendConsole = (reply: FastifyReply) => FastifyReply

/** Null if the console is not built. */
export function readConsole(): SendConsole | null {
  if (!existsSync(folder)) return null
  const page = readFileSync(new URL('index.html', folder), 'utf8')
  return (reply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers({
        'content-security-policy': policyFor(nonce),
        ...documentHeaders,
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__NONCE__', nonce))
  }
}

/**
 * Whether a browser asked for a page that does not exist. The console shows that. Clients of the
 * API get a problem.
 */
export function isMissingPage(thrown: unknown, { method, url, headers }: FastifyRequest): boolean {
  if (!(thrown instanceof Failure) || thrown.problem !== 'route_not_found') return false
  const isOfApi = /^\/v1(?:\/|$)/.test(pathOf(url))
  return (method === 'GET' || method === 'HEAD') && !isOfApi && prefersHtml(headers)
}

/**
 * Serves the console: one HTML page for every path, and its assets, from memory. If the console is
 * not built, `/` redirects to `/about`.
 */
export function addConsole(app: FastifyInstance, sendConsole: SendConsole | null): void {
  if (sendConsole === null) {
    app.get('/', async (_request, reply) => reply.redirect('/about'))
    return
  }
  for (const path of ['/', ...segments.flatMap((segment) => [`/${segment}`, `/${segment}/*`])]) {
    app.get(path, async (_request, reply) => sendConsole(reply))
  }
  for (const name of readdirSync(new URL('console/', folder))) addFile(app, name)
}

/** File names contain a content hash, so responses are immutable. */
function addFile(app: FastifyInstance, name: string): void {
  const content = readFileSync(new URL(`console/${name}`, folder))
  const send = compressed(() => content)
  app.get(`/console/${name}`, async (request, reply) => {
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type(types[extname(name)] ?? 'application/octet-stream')
    return send(request, reply)
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
