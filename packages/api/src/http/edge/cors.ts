import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** What a page of another origin may read of an answer, beside its body. */
const exposedHeaders = [
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Request-Id',
  'Retry-After',
  'Sunset',
]

const allowedHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
]

/**
 * Lets the pages of these origins call the API with a key of their own. Never with a cookie, and
 * never anything but `/v1`: the session is for the console, which has the origin of the service. To
 * all other origins the answer is the same as if this were off.
 */
export async function addCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  await app.register(cors, {
    delegator: (request, done) => {
      const { origin, 'access-control-request-method': wanted } = request.headers
      const isOurs = request.url.startsWith('/v1/') && allowed.has(origin ?? '')
      const isPreflight = wanted !== undefined
      done(null, {
        origin: isOurs && (request.method !== 'OPTIONS' || isPreflight) ? [...allowed] : false,
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        allowedHeaders,
        exposedHeaders,
        credentials: false,
        maxAge: 600,
      })
    },
  })
}
