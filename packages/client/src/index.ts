import type { Input, Item, ListOperation, Operation, Operations, Output } from '@muster/contract'
import routes from '@muster/contract/routes.json' with { type: 'json' }

import { type Request, send, type Transport } from './send.ts'

export { type FieldError, NoAnswerError, type Problem, ProblemError } from './problem.ts'

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
type Arguments<O extends Operation> =
  object extends CallInput<O>
    ? [input?: CallInput<O>, options?: CallOptions]
    : [input: CallInput<O>, options?: CallOptions]

type Call<O extends Operation> = (...args: Arguments<O>) => Promise<Output<O>>

/** `each` iterates over all items of a list and fetches pages on demand. */
type ListCall<O extends ListOperation> = Call<O> & {
  readonly each: (...args: Arguments<O>) => AsyncIterable<Item<O>>
}

type Verbs<N> = {
  readonly [V in keyof N]: N[V] extends ListOperation
    ? ListCall<N[V]>
    : N[V] extends Operation
      ? Call<N[V]>
      : never
}

/** Every operation of the contract, by noun and verb: `client.risks.list({ query: {…} })`. */
export type Client = { readonly [N in keyof Operations]: Verbs<Operations[N]> }

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly csv?: string
}

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

/** Creates a client with one method per operation of the contract. */
export function createClient({ base, key, headers, ...options }: ClientOptions): Client {
  const transport: Transport = {
    base,
    headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    fetch: (...args) => fetch(...args),
    retriesMax: 3,
    wait,
    ...options,
  }
  const nouns = Object.entries(routes).map(([noun, verbs]) => [
    noun,
    Object.fromEntries(
      Object.entries(verbs).map(([verb, route]) => [verb, createCall(transport, route)]),
    ),
  ])
  // The cast holds because routes.json is generated from the operations.
  return Object.fromEntries(nouns) as Client
}

function createCall(transport: Transport, [method = 'GET', path = '']: string[]) {
  const call = async (input: AnyInput = {}, options: CallOptions = {}) =>
    (await send(transport, buildRequest({ method, path }, input, options))).body
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
  return Object.assign(call, { each })
}

interface Page {
  readonly data: readonly unknown[]
  readonly next_cursor: string | null
}

function buildRequest(
  { method, path }: { readonly method: string; readonly path: string },
  { params = {}, query = {}, body, csv }: AnyInput,
  { ifMatch, idempotencyKey, signal }: CallOptions,
): Request {
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const isRead = method === 'GET'
  return {
    method,
    path: `${filledPath}${queryString(query)}`,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(csv !== undefined && { 'content-type': 'text/csv' }),
      ...(!isRead && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch === '*' ? '*' : `"${ifMatch}"` }),
    },
    body: csv ?? (body === undefined ? undefined : JSON.stringify(body)),
    signal,
  }
}

/** Joins several values of one parameter with commas. */
function queryString(query: Readonly<Record<string, unknown>>): string {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined)
  if (defined.length === 0) return ''
  const pairs = defined.map(([name, value]): [string, string] => [name, String(value)])
  return `?${new URLSearchParams(pairs).toString()}`
}
