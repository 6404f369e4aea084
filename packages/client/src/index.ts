import type { Input, Item, ListOperation, Operation, Operations, Output } from '@muster/contract'
import routes from '@muster/contract/routes.json' with { type: 'json' }

import { type Request, send, type Way } from './send.ts'

export { type Flaw, NoAnswerError, type Problem, ProblemError } from './problem.ts'

export interface ClientOptions extends Partial<Omit<Way, 'headers'>> {
  readonly base: string
  /** An API key; none where a session says who is asking. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What can be said about a call beside what the operation takes. */
export interface CallOptions {
  /** Done only to this version: of the resource, or `*` for any that is there. */
  readonly ifMatch?: number | '*'
  /** Made up when it is left out; the same one makes a call the same call. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** The parts of a request that an operation declares. */
type Parts<O extends Operation> = {
  [P in 'params' | 'query' | 'body' as Input<O>[P] extends undefined ? never : P]: Input<O>[P]
}

/** What a call is given; the query may be left out, for nothing in it is ever required. */
type Given<O extends Operation> = Omit<Parts<O>, 'query' | 'body'> &
  Partial<Pick<Parts<O>, 'query' & keyof Parts<O>>> &
  Sent<O>

/** The rows of a batch may also be sent as they stand in a spreadsheet. */
type Sent<O extends Operation> =
  | Pick<Parts<O>, 'body' & keyof Parts<O>>
  | (O extends { readonly rows: object } ? { readonly csv: string } : never)

/** A call with nothing to say takes nothing. */
type Arguments<O extends Operation> =
  object extends Given<O>
    ? [given?: Given<O>, options?: CallOptions]
    : [given: Given<O>, options?: CallOptions]

type Call<O extends Operation> = (...given: Arguments<O>) => Promise<Output<O>>

/** A list can also be gone through, item by item: pages are asked for as they are needed. */
type ListCall<O extends ListOperation> = Call<O> & {
  readonly each: (...given: Arguments<O>) => AsyncIterable<Item<O>>
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

interface AnyGiven {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly csv?: string
}

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

/** A client that knows the contract, and nothing that is not in it. */
export function createClient({ base, key, headers, ...options }: ClientOptions): Client {
  const way: Way = {
    base,
    headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    fetch: (...given) => fetch(...given),
    retriesMax: 3,
    wait,
    ...options,
  }
  const nouns = Object.entries(routes).map(([noun, verbs]) => [
    noun,
    Object.fromEntries(Object.entries(verbs).map(([verb, route]) => [verb, callOf(way, route)])),
  ])
  // The cast holds because the routes are written from the operations.
  return Object.fromEntries(nouns) as Client
}

function callOf(way: Way, [method = 'GET', path = '']: string[]) {
  const call = async (given: AnyGiven = {}, options: CallOptions = {}) =>
    (await send(way, requestOf({ method, path }, given, options))).body
  const each = async function* (given: AnyGiven = {}, options: CallOptions = {}) {
    let cursor: string | null = null
    do {
      const query: AnyGiven['query'] = { limit: 1000, ...given.query, ...(cursor && { cursor }) }
      // The cast holds because only lists are gone through, and this is how a list answers.
      const page = (await call({ ...given, query }, options)) as Page
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

function requestOf(
  { method, path }: { readonly method: string; readonly path: string },
  { params = {}, query = {}, body, csv }: AnyGiven,
  { ifMatch, idempotencyKey, signal }: CallOptions,
): Request {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const isRead = method === 'GET'
  return {
    method,
    path: `${filled}${queryText(query)}`,
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

/** Several values of one parameter are written with commas between them. */
function queryText(query: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined)
  if (said.length === 0) return ''
  const texts = said.map(([name, value]): [string, string] => [name, String(value)])
  return `?${new URLSearchParams(texts).toString()}`
}
