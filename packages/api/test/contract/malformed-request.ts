import type { Operation } from '@muster/contract'
import * as fc from 'fast-check'

import { oddBody, oddText, oddValue } from './odd.ts'
import { exampleFor, type Scene } from './scene.ts'

/** A request that could go over a wire, with something in it that is not as it should be. */
export interface OddRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** Every byte as it goes into a URL, also half of a character. */
const encoded = (text: string) =>
  Buffer.from(text).reduce((all, byte) => `${all}%${byte.toString(16).padStart(2, '0')}`, '')

const short = oddText.map((text) => text.slice(0, 200))

const oddId = (id: string) =>
  fc.oneof(
    fc.constantFrom('', ' ', '%00', '%ff', '%2e%2e', '..', '.', 'null', '0', '-1', '*', 'self'),
    fc.constantFrom(id.toUpperCase(), `${id}0`, id.slice(0, -1), `8${id.slice(1)}`, `${id}%0a`),
    fc.constantFrom('rsk_01ktrr9d3hen4v9q9t9m2g8x5c', 'usr_7zzzzzzzzzzzzzzzzzzzzzzzzz'),
    fc.constantFrom('__proto__', 'constructor', 'x'.repeat(65), "'; drop table people; --"),
    short.map((text) => encoded(text.slice(0, 30))),
  )

/** The path with one of its ids spoilt. */
function oddPath({ path }: Operation, scene: Scene): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return fc.constantFrom(path, `${path}/`, `${path}//`, `${path}%20`)
  return fc.constantFrom(...names).chain((name) => {
    const id = scene.ids[name] ?? ''
    return oddId(id).map((odd) => scene.fill(path.replace(`{${name}}`, encodeOnce(odd))))
  })
}

/** What node would not send, encoded; what is encoded already, as it is. */
const encodeOnce = (text: string) => text.replaceAll(/[^\x21-\x7e]/g, encoded)

const numbers = ['1e400', '-0', '9007199254740993', '1e2', '0x10', 'NaN', '1'.repeat(22), '1.0']

function oddQuery({ query }: Operation): fc.Arbitrary<string> {
  const known = Object.keys(query?.properties ?? {})
  const name = fc.oneof(
    fc.constantFrom(...known, 'limit', 'cursor', 'include', '__proto__', 'toString'),
    short.map(encoded),
  )
  const value = fc.oneof(
    short.map(encoded),
    fc.constantFrom(...numbers, '', ',', ',,', '%', '%zz', '%ff', '%00', '+', '&', '=', 'none'),
    fc.constantFrom('a,'.repeat(60), 'x'.repeat(513), 'true', '2024-02-30', '-name,name'),
  )
  const pair = fc.tuple(name, value).map(([left, right]) => `${left}=${right}`)
  return fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => pairs.join('&'))
}

/** What can stand in a header at all. */
const headerText = fc.oneof(
  fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{0,80}[\x21-\x7e]$/),
  fc.stringMatching(/^[\xa1-\xff]{1,20}$/),
  fc.constantFrom('', '*', '"', ',', ';', '=', 'W/', 'W/"', '"1"', '*/*;q=9', 'a/b;q=', 'null'),
)

const headerNames = (
  'accept accept-encoding accept-language content-type content-encoding if-match if-none-match idempotency-key authorization ' +
  'cookie origin sec-fetch-site muster-console range x-forwarded-for forwarded te prefer'
).split(' ')

const oddHeaders = fc
  .array(fc.tuple(fc.constantFrom(...headerNames), headerText), { minLength: 1, maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs))

const oddBytes = fc.oneof(
  oddValue.map((value) => Buffer.from(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('{', '[', '"', '{"a":1e999}', '\uFEFF{}', '{"__proto__":{}}')
    .map((text) => Buffer.from(text)),
)

/** One request to an operation, with its path, query, headers or body spoilt, or several. */
export function oddRequest(operation: Operation, scene: Scene): fc.Arbitrary<OddRequest> {
  const { method, path, body } = operation
  const good = body ? Buffer.from(JSON.stringify(exampleFor(operation, scene))) : null
  const bodies = body
    ? fc.oneof(
        oddBody(operation, scene).map((value) => Buffer.from(JSON.stringify(value))),
        oddBytes,
      )
    : fc.constant(null)
  const spoilt = fc.record({
    path: oddPath(operation, scene),
    query: oddQuery(operation),
    headers: oddHeaders,
    body: bodies,
  })
  const parts = fc.subarray(['path', 'query', 'headers', 'body'] as const, { minLength: 1 })
  return fc.tuple(spoilt, parts).map(([odd, chosen]) => {
    const isOdd = (part: (typeof chosen)[number]) => chosen.includes(part)
    const target = isOdd('path') ? odd.path : scene.fill(path)
    return {
      method,
      path: isOdd('query') ? `${target}?${odd.query}` : target,
      headers: {
        ...(good && { 'content-type': 'application/json' }),
        ...(isOdd('headers') && odd.headers),
      },
      body: isOdd('body') ? odd.body : good,
    }
  })
}
