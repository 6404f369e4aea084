import { everyOperation, instead, limits, type Operation, type Rates } from '@muster/contract'
import { fastify, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Registry } from 'prom-client'

import type { Door } from '#domain/door'
import { Failure } from '#domain/failure'
import { newRequestId } from '#domain/id'
import type { Sessions } from '#domain/sessions'
import type { SweepTotals } from '#domain/sweep'

import { Admission, handlerMsMax } from './admission.ts'
import { bind } from './bind.ts'
import { CompleteLists } from './complete.ts'
import { ConnectionTable } from './connections.ts'
import { addCors } from './cors.ts'
import { CursorSeal } from './cursor.ts'
import { guard } from './door.ts'
import type { Drain } from './drain.ts'
import { extendKeepAlive, keepPlaces, openEntrance } from './entrance.ts'
import { refuseFraming } from './framing.ts'
import { groups } from './groups.ts'
import { alwaysSent } from './headers.ts'
import { issues } from './issues.ts'
import { keys } from './keys.ts'
import { logOptions } from './log.ts'
import { checkBodyType } from './media.ts'
import { addPages } from './pages.ts'
import { personnel } from './personnel.ts'
import { sendProblem } from './problem.ts'
import { projects } from './projects.ts'
import { answerOddities, onClientError } from './raw.ts'
import { RequestClassifier, routerOptions } from './request-classifier.ts'
import { risks } from './risks.ts'
import { addSecurityTxt } from './security-txt.ts'
import { addSession } from './session.ts'
import type { RedisOptions } from './shared-counts.ts'
import { addSweepMetrics } from './sweep-metrics.ts'
import { tasks } from './tasks.ts'
import { openCounts, Throttle } from './throttle.ts'
import { addVitals, type Connections } from './vitals.ts'
import { workspace } from './workspace.ts'

export interface ServerTools {
  readonly door: Door
  readonly sessions: Sessions
  readonly cursorSecret: () => Promise<Buffer>
  readonly connections: () => Connections
  readonly registry: Registry
  readonly sweeps: () => SweepTotals
  /** Why the schema of the database is too old for this release; null when it is not. */
  readonly schemaProblem: () => string | null
  /** How many requests are worked on at once. */
  readonly placesMax: number
  /** How many connections of clients are open at once. */
  readonly connectionsMax: number | undefined
  readonly drain: Drain
  readonly rates: Rates
  /** Where processes count together how often someone asks; null when each counts for itself. */
  readonly redis: RedisOptions | null
  /** Who is believed about whom a request comes from: addresses and CIDRs. */
  readonly trustedProxies: readonly string[]
  /** Null for a server that says nothing, as in most tests. */
  readonly logLevel: string | null
  /** The origins whose pages may call the API. */
  readonly corsOrigins: readonly string[]
  /** Where to report a weakness, as a URI; null for the page that says so. */
  readonly securityContact: string | null
}

/** Everything that listens, and nothing that knows what a person or a risk is. */
export async function buildServer(tools: ServerTools): Promise<FastifyInstance> {
  const admission = new Admission(tools.placesMax)
  const classifier = new RequestClassifier()
  const connections = new ConnectionTable(tools.connectionsMax)
  const app = fastify({
    logger: tools.logLevel === null ? false : logOptions(tools.logLevel),
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: tools.trustedProxies.length > 0 && [...tools.trustedProxies],
    bodyLimit: limits.bodyBytesMax,
    handlerTimeout: handlerMsMax.write,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions,
    serverFactory: (handle) =>
      openEntrance(handle, { ...tools, admission, classifier, connections }),
    frameworkErrors: (error, request, reply) => {
      reply.headers(always(request))
      sendProblem(error, request, reply)
    },
    clientErrorHandler: onClientError,
  })
  app.addHook('onRoute', (route) => classifier.add(route))
  answerOddities(app.server)
  keepHeadHeaders(app)
  app.setErrorHandler(sendProblem)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always(request))
  })
  addVitals(app, { ...tools, admission, clients: connections })
  addSweepMetrics(tools.registry, tools.sweeps)
  await addCors(app, tools.corsOrigins)
  app.addHook('onRequest', async (request) => {
    refuseFraming(request)
    if (request.url.length > limits.urlBytesMax) throw new Failure('uri_too_long')
    const isNowhere = request.is404 || request.method === 'OPTIONS'
    if (isNowhere || hasEmptyParameter(request)) refuseRoute(request)
  })
  keepPlaces(app, admission)
  const shared = await openCounts(tools.redis, app.log)
  const throttle = new Throttle(app, { ...tools, shared })
  guard(app, throttle)
  extendKeepAlive(app, connections)
  takeBytes(app)

  const cursorSeal = sealReader(tools.cursorSecret)
  const handlers = { personnel, groups, projects, risks, issues, tasks, keys, workspace }
  const lists = new CompleteLists(admission)
  bind(app, handlers, { door: tools.door, admission, lists, cursorSeal })
  addSession(app, { ...tools, throttle })
  addPages(app)
  addSecurityTxt(app, tools.securityContact)
  return app
}

/**
 * Fastify's hook for HEAD says `Content-Length: 0` where there is no body, as with 304. Node leaves
 * the body out by itself. No route has an onSend hook of its own.
 */
function keepHeadHeaders(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') delete route.onSend
  })
}

/** Reads the secret of cursors when it is first needed, and again if that failed. */
function sealReader(readSecret: () => Promise<Buffer>): () => Promise<CursorSeal> {
  let seal: Promise<CursorSeal> | null = null
  return () => {
    seal ??= readSecret().then((secret) => new CursorSeal(secret))
    seal.catch(() => (seal = null))
    return seal
  }
}

/** The body stays as it came until key, scope, type, size, query and headers have been checked. */
function takeBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('preParsing', async (request, reply) => {
    checkBodyType(request)
    const { headers, httpVersion } = request.raw
    if (headers.expect !== undefined && httpVersion === '1.1') reply.raw.writeContinue()
  })
}

const always = ({ id }: FastifyRequest) => ({ 'request-id': id, ...alwaysSent })

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
  const advice = known.map((each) => instead[`${request.method} ${each.path}`]).find(Boolean)
  const detail = [`${known[0]?.path} takes ${allow}.`, advice].filter(Boolean).join(' ')
  throw new Failure('method_not_allowed', detail, { allow })
}

/** `/v1/personnel/` is not the person without an id; it is nothing. */
const hasEmptyParameter = ({ params }: FastifyRequest) => Object.values(params ?? {}).includes('')

const methodsOf = ({ method }: Operation) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
