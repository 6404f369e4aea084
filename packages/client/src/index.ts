import type { Input, Item, ListOperation, Operation, Operations, Output } from '@muster/contract'
import routes from '@muster/contract/routes.json' with { type: 'json' }

import { type Follow, followEvents, type FollowOptions } from './follow.ts'
import { NoAnswerError } from './problem.ts'
import { queryString } from './query.ts'
import { open, type Request, send, type Transport } from './send.ts'

export type { ChangeEvent, FollowOptions } from './follow.ts'
export {
  type FieldError,
  NoAnswerError,
  PositionLostError,
  type Problem,
  ProblemError,
} from './problem.ts'

export interface ClientOptions extends Partial<Omit<Transport, 'headers'>> {
  readonly base: string
  /** An API key. Omit it where a session cookie authenticates the request. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Options of one call, besides the input of the operation. */
export interface CallOptions {
  /** Sent as If-Match: the expected version of the resource, or `*` for any existing one. */
  readonly ifMatch?: number | '*'
  /** Generated if omitted. Pass the same key to repeat a call safely. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

export interface RawOptions extends CallOptions {
  /** The ETag of your copy. If nothing changed, the status is 304 and there is no data. */
  readonly ifNoneMatch?: string
}

/** The status and the headers of a response, with its data. */
export type RawResponse<T> = { readonly headers: Headers } & (
  | { readonly status: 200 | 201; readonly data: T }
  | { readonly status: 304; readonly data: null }
)

/** The parts of a request that the operation declares. */
type Parts<O extends Operation> = {
  [P in 'params' | 'query' | 'body' as Input<O>[P] extends undefined ? never : P]: Input<O>[P]
}

/** The input of a call. The query is optional, because no query parameter is required. */
type CallInput<O extends Operation> = Omit<Parts<O>, 'query' | 'body'> &
  Partial<Pick<Parts<O>, 'query' & keyof Parts<O>>> &
  BodyInput<O>

/** A batch accepts its rows as JSON or as CSV. */
type BodyInput<O extends Operation> =
  | Pick<Parts<O>, 'body' & keyof Parts<O>>
  | (O extends { readonly rows: object } ? { readonly csv: string } : never)

/** The input is optional if none of its parts is required. */
type Arguments<O extends Operation, Options> =
  object extends CallInput<O>
    ? [input?: CallInput<O>, options?: Options]
    : [input: CallInput<O>, options?: Options]

type Call<O extends Operation> = ((...args: Arguments<O, CallOptions>) => Promise<Output<O>>) & {
  /** Resolves to the status and the headers too, such as the ETag. */
  readonly raw: (...args: Arguments<O, RawOptions>) => Promise<RawResponse<Output<O>>>
}

type ListCall<O extends ListOperation> = Call<O> & {
  /** Iterates over all items and fetches pages on demand. */
  readonly each: (...args: Arguments<O, CallOptions>) => AsyncIterable<Item<O>>
  /** The complete list as CSV. */
  readonly csv: (...args: Arguments<O, CallOptions>) => Promise<string>
  /** Iterates over the complete list from one snapshot, while it arrives. */
  readonly ndjson: (...args: Arguments<O, CallOptions>) => AsyncIterable<Item<O>>
}

type Verbs<N> = {
  readonly [V in keyof N]: N[V] extends ListOperation
    ? ListCall<N[V]>
    : N[V] extends Operation
      ? Call<N[V]>
      : never
}

/** Every operation of the contract, by noun and verb: `client.risks.list({ query: {…} })`. */
export type Client = { readonly [N in keyof Operations]: Verbs<Operations[N]> } & {
  readonly events: { readonly follow: Follow }
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly csv?: string
}

const wait = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

/** Creates a client with one method per operation of the contract. */
export function createClient({ base, key, headers, ...options }: ClientOptions): Client {
  const transport: Transport = {
    base,
    headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    fetch: (...args) => fetch(...args),
    retriesMax: 3,
    timeoutMs: 30_000,
    wait,
    ...options,
  }
  const follow = (followed: FollowOptions = {}) => followEvents(transport, followed)
  const nouns = Object.entries(routes).map(([noun, verbs]) => {
    const calls = Object.entries(verbs).map(([verb, route]) => [verb, createCall(transport, route)])
    return [noun, { ...Object.fromEntries(calls), ...(noun === 'events' && { follow }) }]
  })
  // The cast holds because routes.json is generated from the operations.
  return Object.fromEntries(nouns) as Client
}

function createCall(transport: Transport, [method = 'GET', path = '']: string[]) {
  const build = (input: AnyInput, options: RawOptions) =>
    buildRequest({ method, path }, input, options)
  const call = async (input: AnyInput = {}, options: CallOptions = {}) =>
    (await send(transport, build(input, options))).body
  const raw = async (input: AnyInput = {}, options: RawOptions = {}) => {
    const { status, headers, body } = await send(transport, build(input, options))
    return { status, headers, data: status === 304 ? null : body }
  }
  const each = async function* (input: AnyInput = {}, options: CallOptions = {}) {
    let cursor: string | null = null
    do {
      const query: AnyInput['query'] = { limit: 1000, ...input.query, ...(cursor && { cursor }) }
      // The cast holds because `each` is typed for lists only, and every list returns a page.
      const page = (await call({ ...input, query }, options)) as Page
      yield* page.data
      cursor = page.next_cursor
    } while (cursor !== null)
  }
  const csv = async (input: AnyInput = {}, options: CallOptions = {}) =>
    (await send(transport, { ...build(input, options), accepts: 'text/csv' })).body
  const ndjson = async function* (input: AnyInput = {}, options: CallOptions = {}) {
    const request: Request = { ...build(input, options), accepts: 'application/x-ndjson' }
    yield* itemsOf((await open(transport, request)).parts)
  }
  return Object.assign(call, { raw, each, csv, ndjson })
}

/** The items of an NDJSON list, whose last line proves that it is complete. */
async function* itemsOf(parts: AsyncIterable<string>) {
  let rest = ''
  for await (const part of parts) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const item = JSON.parse(line) as object
      if ('_end' in item) return
      yield item
    }
  }
  throw new NoAnswerError('The list ended before its last line.')
}

interface Page {
  readonly data: readonly unknown[]
  readonly next_cursor: string | null
}

function buildRequest(
  { method, path }: { readonly method: string; readonly path: string },
  { params = {}, query = {}, body, csv }: AnyInput,
  { ifMatch, ifNoneMatch, idempotencyKey, signal }: RawOptions,
): Request {
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (!value) throw new TypeError(`The parameter ${name} of ${method} ${path} is missing.`)
    return encodeURIComponent(value)
  })
  const isRead = method === 'GET'
  return {
    method,
    path: `${filledPath}${queryString(query)}`,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(csv !== undefined && { 'content-type': 'text/csv' }),
      ...(!isRead && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
      ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch === '*' ? '*' : `"${ifMatch}"` }),
    },
    body: csv ?? (body === undefined ? undefined : JSON.stringify(body)),
    signal,
    accepts: 'application/json',
  }
}
