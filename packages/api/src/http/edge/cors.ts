import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Response headers that a page of another origin may read. */
const exposedHeaders = [
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Request-Id',
  'Retry-After',
  'Sunset',
  'traceparent',
]

const allowedHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'traceparent',
]

/**
 * CORS: pages of these origins may call `/v1` with an API key of their own. Credentials are off:
 * the session cookie is for the console, which has the origin of the service. Any other origin gets
 * the same response as without CORS.
 */
export async function addCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const allowedOrigins = new Set(origins)
  await app.register(cors, {
    delegator: (request, done) => {
      const { origin, 'access-control-request-method': requestedMethod } = request.headers
      const isAllowed = request.url.startsWith('/v1/') && allowedOrigins.has(origin ?? '')
      const isPreflight = requestedMethod !== undefined
      done(null, {
        origin:
          isAllowed && (request.method !== 'OPTIONS' || isPreflight) ? [...allowedOrigins] : false,
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        allowedHeaders,
        exposedHeaders,
        credentials: false,
        maxAge: 600,
      })
    },
  })
}
