import { limits, type Rates } from '@muster/contract'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'

import type { Authenticator } from '#domain/auth/authenticate'
import type { LinkEnrolment } from '#domain/auth/link-enrolment'
import type { ProviderSignIn } from '#domain/auth/provider/provider-sign-in'
import type { RefusalLog } from '#domain/auth/refusal-log'
import type { SessionManager } from '#domain/auth/sessions'
import type { SignInAttempts } from '#domain/auth/sign-in-attempts'
import type { OldTerms } from '#domain/engine/listing'
import type { RowTexts } from '#domain/engine/row-texts'
import type { WorkspaceMemory } from '#domain/engine/workspace-memory'
import type { WorkspaceChanges } from '#domain/events/changes'
import { newRequestId } from '#domain/rules/id'
import { addAuthentication } from '#http/auth/authenticate'
import { outcomeOf } from '#http/auth/outcome'
import { addPasskeys } from '#http/auth/passkeys'
import { addPersonSignIn } from '#http/auth/person-sign-in'
import { addProviderSignIn } from '#http/auth/provider-sign-in'
import { openSharedCounts, RateLimiter } from '#http/auth/rate-limits'
import { RecentCredentials } from '#http/auth/recent-credentials'
import { recordRefusal } from '#http/auth/refusals'
import { addSession } from '#http/auth/session'
import type { RedisOptions } from '#http/auth/shared-counts'
import { SignInCounter } from '#http/auth/sign-in-metrics'
import { addStepUp } from '#http/auth/step-up'
import { Admission, type HttpExchange, type RequestTimeouts } from '#http/edge/admission'
import { Arrivals } from '#http/edge/arrivals'
import { BodyMemory } from '#http/edge/body-memory'
import { refuseUnsupported, onClientError } from '#http/edge/client-errors'
import { ConnectionTable } from '#http/edge/connections'
import { addCors } from '#http/edge/cors'
import { Deadlines } from '#http/edge/deadlines'
import type { Drain } from '#http/edge/drain'
import { FastPath, type RecordRequest } from '#http/edge/fast-path'
import { extendKeepAlive, addAdmissionHooks, createHttpServer } from '#http/edge/http-server'
import { RequestClassifier, routerOptions } from '#http/edge/request-classifier'
import { RowSizes } from '#http/edge/row-sizes'
import { addTrailingSlash } from '#http/edge/trailing-slash'
import { Followers } from '#http/follow/followers'
import { CompleteLists } from '#http/lists/complete'
import { SpoolSpace } from '#http/lists/spool'
import { acceptances } from '#http/nouns/acceptances'
import { access } from '#http/nouns/access'
import { audit } from '#http/nouns/audit'
import { changes } from '#http/nouns/changes'
import { departures } from '#http/nouns/departures'
import { events } from '#http/nouns/events'
import { groups } from '#http/nouns/groups'
import { issues } from '#http/nouns/issues'
import { keys } from '#http/nouns/keys'
import { links } from '#http/nouns/links'
import { passkeys } from '#http/nouns/passkeys'
import { person_sign_in } from '#http/nouns/person-sign-in'
import { personal_keys } from '#http/nouns/personal-keys'
import { personnel } from '#http/nouns/personnel'
import { projects } from '#http/nouns/projects'
import { risks } from '#http/nouns/risks'
import { search } from '#http/nouns/search'
import { sessions } from '#http/nouns/sessions'
import { sign_in } from '#http/nouns/sign-in'
import { tasks } from '#http/nouns/tasks'
import { trend } from '#http/nouns/trend'
import { workspace } from '#http/nouns/workspace'
import { bind } from '#http/operations/bind'
import type { Handlers } from '#http/operations/handlers'
import { AccessLog } from '#http/ops/access-log'
import { addBuildInfo } from '#http/ops/build-info'
import { addDatabaseMetrics, type DatabaseState } from '#http/ops/database-metrics'
import { addHealth } from '#http/ops/health'
import { addJobMetrics, type JobSource } from '#http/ops/job-metrics'
import { logOptions, requestLogging } from '#http/ops/log'
import { checkBodyType } from '#http/request/media'
import { readRawBody } from '#http/request/raw-body'
import { ETags } from '#http/response/etag'
import { commonHeaders } from '#http/response/headers'
import { PageCache } from '#http/response/page-cache'
import { sendProblem } from '#http/response/problem'
import { traceparentFor } from '#http/response/trace-context'
import { isMissingPage, readConsole } from '#http/site/console'
import { addPages } from '#http/site/pages'
import { addSecurityTxt } from '#http/site/security-txt'

/** The handlers of every operation of the contract. */
export const handlers: Handlers = {
  personnel,
  departures,
  groups,
  projects,
  risks,
  acceptances,
  issues,
  changes,
  search,
  events,
  tasks,
  trend,
  keys,
  personal_keys,
  access,
  sessions,
  links,
  passkeys,
  sign_in,
  person_sign_in,
  audit,
  workspace,
}

export interface ServerOptions {
  readonly oldTerms: OldTerms
  readonly changes: WorkspaceChanges
  readonly authenticator: Authenticator
  readonly sessions: SessionManager
  readonly providerSignIn: ProviderSignIn
  readonly signInAttempts: SignInAttempts
  readonly refusals: RefusalLog
  readonly linkEnrolment: LinkEnrolment
  readonly databaseState: DatabaseState
  readonly registry: Registry
  readonly jobs: JobSource
  /** Why the database schema is too old for this release; null when it is not. */
  readonly schemaProblem: () => string | null
  /** The concurrency limit of admission control. */
  readonly concurrencyMax: number
  readonly timeouts: RequestTimeouts
  /** The maximum number of open client connections. */
  readonly connectionsMax: number | undefined
  readonly drain: Drain
  readonly rates: Rates
  /** The Redis for rate limiting; null when each process counts separately. */
  readonly redis: RedisOptions | null
  /** Addresses and CIDRs of the proxies whose X-Forwarded headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** Null for no logs, as in most tests. */
  readonly logLevel: string | null
  /** The memory for pages that were read before, and for the texts of their rows. */
  readonly memory: WorkspaceMemory
  readonly rowTexts: RowTexts
  /** The memory for complete lists that are being sent. */
  readonly spoolBytes: number
  /** The origins whose pages may call the API (CORS). */
  readonly corsOrigins: readonly string[]
  /** The URI for vulnerability reports in security.txt; null for the default page. */
  readonly securityContact: string | null
  /** The origin at which browsers reach the service. */
  readonly publicUrl: string
}

/** Builds the HTTP server: connection limits, authentication, routes, error handling. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const admission: Admission = new Admission({
    ...options,
    onShed: (shed) => app.log.warn(shed, 'requests were refused'),
  })
  const rowSizes = new RowSizes()
  const classifier = new RequestClassifier(rowSizes)
  const recentCredentials = new RecentCredentials()
  const connections = new ConnectionTable(options.connectionsMax)
  const bodies = new BodyMemory(admission)
  const pages = new PageCache(options.memory)
  const sendConsole = readConsole()
  const admit = (exchange: HttpExchange, handle: () => void) => arrivals.admit(exchange, handle)
  const app = fastify({
    logger: options.logLevel === null ? false : logOptions(options.logLevel),
    ...requestLogging,
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 && [...options.trustedProxies],
    bodyLimit: limits.bodyBytesMax,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions,
    serverFactory: (handle) => createHttpServer(handle, { ...options, admit, connections }),
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply)
      sendProblem(error, request, reply)
    },
    clientErrorHandler: onClientError,
  })
  app.addHook('onRoute', (route) => classifier.add(route))
  refuseUnsupported(app.server)
  keepHeadHeaders(app)
  addErrorHandler(app, options.refusals, sendConsole)
  addCommonHeaders(app)
  const record = addObservation(app, options)
  addHealth(app, { ...options, admission, pages, bodies, clients: connections })
  addServiceMetrics(options)
  await addCors(app, options.corsOrigins)
  addTrailingSlash(app)
  addAdmissionHooks(app, admission)
  const shared = await openSharedCounts(options.redis, app.log)
  const rateLimiter = new RateLimiter(app, { ...options, shared, recentCredentials })
  const edge = { ...options, admission, classifier, recentCredentials, rateLimiter }
  const fastPath = new FastPath({ ...edge, pages, connections, record })
  const arrivals = new Arrivals({ ...edge, fastPath })
  addAuthentication(app)
  extendKeepAlive(app, connections)
  keepRawBody(app, bodies)

  const lists = new CompleteLists(admission, new SpoolSpace(options.spoolBytes))
  const tags = new ETags(options.oldTerms)
  const followers = new Followers({ ...options, ending: options.drain.signal })
  bind(app, handlers, { ...options, admission, tags, lists, pages, rowSizes, followers })
  addSignIns(app, { ...options, rateLimiter })
  addPages(app, sendConsole)
  addSecurityTxt(app, options.securityContact)
  return app
}

function addErrorHandler(
  app: FastifyInstance,
  refusals: RefusalLog,
  sendConsole: ReturnType<typeof readConsole>,
): void {
  app.setErrorHandler((thrown, request, reply) => {
    recordRefusal(refusals, request, thrown)
    if (sendConsole !== null && isMissingPage(thrown, request)) {
      return sendConsole(reply.code(404).header('vary', 'Accept'))
    }
    return sendProblem(thrown, request, reply)
  })
}

function addServiceMetrics({ registry, databaseState, jobs }: ServerOptions): void {
  addBuildInfo(registry)
  addDatabaseMetrics(registry, databaseState)
  addJobMetrics(registry, jobs)
}

type SignInOptions = ServerOptions & { readonly rateLimiter: RateLimiter }

function addSignIns(app: FastifyInstance, options: SignInOptions): void {
  const dependencies = { ...options, signIns: new SignInCounter(options.registry) }
  addSession(app, dependencies)
  addProviderSignIn(app, dependencies)
  addPersonSignIn(app, dependencies)
  addPasskeys(app, dependencies)
  addStepUp(app, dependencies)
}

/**
 * Removes the onSend hook that Fastify adds to HEAD routes: it sends `Content-Length: 0` for a
 * response without a body, such as 304. Node omits the body of HEAD anyway. No route has an onSend
 * hook of its own.
 */
function keepHeadHeaders(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') delete route.onSend
  })
}

/** Keeps the body unparsed until key, scope, type, size, query and headers have been checked. */
function keepRawBody(app: FastifyInstance, bodies: BodyMemory): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', readRawBody)
  bodies.addHook(app)
  app.addHook('preParsing', (...[request, reply, , done]) => {
    checkBodyType(request)
    bodies.take(request, reply)
    const { headers, httpVersion } = request.raw
    if (headers.expect !== undefined && httpVersion === '1.1') reply.raw.writeContinue()
    done()
  })
}

function addCommonHeaders(app: FastifyInstance): void {
  app.decorateRequest('traceparent', '')
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    done()
  })
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  request.traceparent = traceparentFor(request.headers['traceparent'])
  const { id, traceparent } = request
  reply.headers(commonHeaders(id, traceparent))
}

/**
 * Limits the time of each request, and logs it. Returns the function that logs a request that
 * Fastify does not handle.
 */
function addObservation(
  app: FastifyInstance,
  { registry, logLevel, timeouts }: ServerOptions,
): RecordRequest {
  const deadlines = new Deadlines(timeouts.handlerMs.write)
  const accessLog = new AccessLog(registry, logLevel)
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, routeOptions } = request
    const { config, url: route } = routeOptions
    const { startedAt } = outcomeOf(raw)
    const endDeadline = deadlines.begin({ request, reply }, config.handlerMs)
    // `close` also fires when the client disconnected, and when a list hijacked the reply.
    reply.raw.once('close', () => {
      endDeadline()
      const { id, traceparent, method, principal } = request
      accessLog.record({ id, traceparent, method, principal, config, route, startedAt }, reply.raw)
    })
    done()
  })
  return (request, response) => accessLog.record(request, response)
}
