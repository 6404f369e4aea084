import { everyOperation, limits, type Operation } from '@muster/contract'
import { fastify, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'

import type { Door } from '#domain/door'
import { Failure } from '#domain/failure'
import { newRequestId } from '#domain/id'

import { bind } from './bind.ts'
import { CompleteLists } from './complete.ts'
import { CursorSeal } from './cursor.ts'
import { guard } from './door.ts'
import { groups } from './groups.ts'
import { issues } from './issues.ts'
import { keys } from './keys.ts'
import { checkBodyType } from './media.ts'
import { addPages } from './pages.ts'
import { personnel } from './personnel.ts'
import { sendProblem } from './problem.ts'
import { projects } from './projects.ts'
import { answerExpectations, onClientError } from './raw.ts'
import { risks } from './risks.ts'
import { tasks } from './tasks.ts'
import { addVitals, type Connections } from './vitals.ts'

export interface ServerTools {
  readonly door: Door
  readonly cursorSecret: () => Promise<Buffer>
  readonly connections: () => Connections
  /** Null for a server that says nothing, as in most tests. */
  readonly logLevel: string | null
}

/** Everything that listens, and nothing that knows what a person or a risk is. */
export function buildServer(tools: ServerTools): FastifyInstance {
  const app = fastify({
    logger: tools.logLevel === null ? false : { level: tools.logLevel, base: null },
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: limits.bodyBytesMax,
    requestTimeout: 10_000,
    handlerTimeout: 8000,
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: 1000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 64, querystringParser: () => ({}) },
    http: {
      headersTimeout: 5000,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: limits.headerBytesMax,
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers(always(request))
      sendProblem(error, request, reply)
    },
    clientErrorHandler: onClientError,
  })
  answerExpectations(app.server)
  app.setErrorHandler(sendProblem)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always(request))
    if (request.url.length > limits.urlBytesMax) throw new Failure('uri_too_long')
    if (request.is404 || hasEmptyParameter(request)) refuseRoute(request)
  })
  addVitals(app, tools.connections)
  guard(app, tools.door)
  takeBytes(app)

  let seal: Promise<CursorSeal> | null = null
  const cursorSeal = () => {
    seal ??= tools.cursorSecret().then((secret) => new CursorSeal(secret))
    seal.catch(() => (seal = null))
    return seal
  }
  const handlers = { personnel, groups, projects, risks, issues, tasks, keys }
  bind(app, handlers, { door: tools.door, lists: new CompleteLists(), cursorSeal })
  addPages(app)
  return app
}

/** The body stays as it came until key, scope, type, size, query and headers have been checked. */
function takeBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('preParsing', async (request) => {
    checkBodyType(request)
  })
}

const always = ({ id }: FastifyRequest) => ({
  'request-id': id,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
})

const patterns = everyOperation().map(({ operation }) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** A path that we know under another method is 405; any other is 404. */
function refuseRoute(request: FastifyRequest): never {
  const path = request.url.split('?')[0] ?? ''
  const known = patterns.filter(({ pattern }) => pattern.test(path)).map((each) => each.operation)
  const allowed = known.flatMap(methodsOf)
  if (allowed.length === 0) throw new Failure('route_not_found')
  const allow = allowed.join(', ')
  throw new Failure('method_not_allowed', `${path} takes ${allow}.`, { allow })
}

/** `/v1/personnel/` is not the person without an id; it is nothing. */
const hasEmptyParameter = ({ params }: FastifyRequest) => Object.values(params ?? {}).includes('')

const methodsOf = ({ method }: Operation) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
