import type { Operation } from '@muster/contract'
import * as fc from 'fast-check'

import { exampleFor, type Fixture } from '#test/support/fixture'

import { arbitraryBody, arbitraryText, arbitraryValue } from './arbitraries.ts'

/** A request that can be sent over HTTP, with at least one invalid part. */
export interface MalformedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** Percent-encodes every byte, also incomplete characters. */
const encoded = (text: string) =>
  Buffer.from(text).reduce((all, byte) => `${all}%${byte.toString(16).padStart(2, '0')}`, '')

const short = arbitraryText.map((text) => text.slice(0, 200))

const alteredId = (id: string) =>
  fc.oneof(
    fc.constantFrom('', ' ', '%00', '%ff', '%2e%2e', '..', '.', 'null', '0', '-1', '*', 'self'),
    fc.constantFrom(id.toUpperCase(), `${id}0`, id.slice(0, -1), `8${id.slice(1)}`, `${id}%0a`),
    fc.constantFrom('rsk_01ktrr9d3hen4v9q9t9m2g8x5c', 'usr_7zzzzzzzzzzzzzzzzzzzzzzzzz'),
    fc.constantFrom('__proto__', 'constructor', 'x'.repeat(65), "'; drop table people; --"),
    short.map((text) => encoded(text.slice(0, 30))),
  )

/** The path with one altered id. */
function alteredPath({ path }: Operation, fixture: Fixture): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return fc.constantFrom(path, `${path}/`, `${path}//`, `${path}%20`)
  return fc.constantFrom(...names).chain((name) => {
    const id = fixture.ids[name] ?? ''
    return alteredId(id).map((altered) =>
      fixture.fill(path.replace(`{${name}}`, encodeOnce(altered))),
    )
  })
}

/** Encodes what Node would refuse to send; keeps percent-encodings. */
const encodeOnce = (text: string) => text.replaceAll(/[^\x21-\x7e]/g, encoded)

const numbers = ['1e400', '-0', '9007199254740993', '1e2', '0x10', 'NaN', '1'.repeat(22), '1.0']

function arbitraryQuery({ query }: Operation): fc.Arbitrary<string> {
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

/** Text that is valid in a header. */
const headerText = fc.oneof(
  fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{0,80}[\x21-\x7e]$/),
  fc.stringMatching(/^[\xa1-\xff]{1,20}$/),
  fc.constantFrom('', '*', '"', ',', ';', '=', 'W/', 'W/"', '"1"', '*/*;q=9', 'a/b;q=', 'null'),
)

const headerNames = (
  'accept accept-encoding accept-language content-type content-encoding if-match if-none-match idempotency-key authorization ' +
  'cookie origin sec-fetch-site muster-console range x-forwarded-for forwarded te prefer'
).split(' ')

const arbitraryHeaders = fc
  .array(fc.tuple(fc.constantFrom(...headerNames), headerText), { minLength: 1, maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs))

const arbitraryBytes = fc.oneof(
  arbitraryValue.map((value) => Buffer.from(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('{', '[', '"', '{"a":1e999}', '\uFEFF{}', '{"__proto__":{}}')
    .map((text) => Buffer.from(text)),
)

/** A request to an operation with one or more invalid parts: path, query, headers, body. */
export function malformedRequest(
  operation: Operation,
  fixture: Fixture,
): fc.Arbitrary<MalformedRequest> {
  const { method, path, body } = operation
  const good = body ? Buffer.from(JSON.stringify(exampleFor(operation, fixture))) : null
  const bodies = body
    ? fc.oneof(
        arbitraryBody(operation, fixture).map((value) => Buffer.from(JSON.stringify(value))),
        arbitraryBytes,
      )
    : fc.constant(null)
  const alteredParts = fc.record({
    path: alteredPath(operation, fixture),
    query: arbitraryQuery(operation),
    headers: arbitraryHeaders,
    body: bodies,
  })
  const parts = fc.subarray(['path', 'query', 'headers', 'body'] as const, { minLength: 1 })
  return fc.tuple(alteredParts, parts).map(([altered, chosen]) => {
    const isAltered = (part: (typeof chosen)[number]) => chosen.includes(part)
    const target = isAltered('path') ? altered.path : fixture.fill(path)
    return {
      method,
      path: isAltered('query') ? `${target}?${altered.query}` : target,
      headers: {
        ...(good && { 'content-type': 'application/json' }),
        ...(isAltered('headers') && altered.headers),
      },
      body: isAltered('body') ? altered.body : good,
    }
  })
}
