import { createHash } from 'node:crypto'

import { limits, type Operation, type Prefix } from '@muster/contract'
import type { FastifyRequest } from 'fastify'

import { Failure } from '#domain/failure'
import { whyNot } from '#domain/id'

import { parseCsv } from './csv.ts'
import type { Visitor } from './door.ts'
import { parseJson } from './json.ts'
import { isCsv } from './media.ts'
import { queryOf, queryReader } from './query.ts'
import { checkBody, checkRows, compile } from './validate.ts'

/** What a request may hold, as an operation says it. */
type Taken = Pick<Operation, 'method' | 'params' | 'query' | 'body' | 'rows' | 'alsoColumns'>

interface RequestInput {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body: unknown
}

/** Reads what an operation takes from a request, in the order of D-44: query, headers, body. */
export function inputReader(operation: Taken): (request: FastifyRequest) => RequestInput {
  const readQuery = queryReader(operation)
  const readBody = bodyReader(operation)
  return (request) => {
    const query = readQuery(queryOf(request.url))
    refuseTwins(request)
    const body = readBody(request)
    return { params: readParams(operation, request), query, body }
  }
}

function bodyReader(operation: Taken): (request: FastifyRequest) => unknown {
  const { body: schema, rows } = operation
  if (schema === undefined) return () => undefined
  if (rows) return batchReader(operation, rows)
  const validate = compile(schema)
  const required: readonly string[] = schema.required ?? []
  const canBeLeftOut = required.length === 0 && operation.method === 'POST'
  return (request) => {
    const bytes = bytesOf(request)
    if (bytes.length === 0 && canBeLeftOut) return {}
    const body = parseJson(bytes)
    checkBody(validate, body)
    return body
  }
}

/** The envelope of a batch, before its rows are looked at one by one. */
const envelope = compile({
  type: 'object',
  required: ['data'],
  additionalProperties: false,
  properties: {
    data: { type: 'array', minItems: 1, maxItems: limits.itemsMax, items: { type: 'object' } },
  },
})

function batchReader(operation: Taken, rows: object) {
  const validate = compile(rows)
  return (request: FastifyRequest) => {
    const bytes = bytesOf(request)
    const body = isCsv(request) ? { data: parseCsv(bytes, operation) } : parseJson(bytes)
    checkBody(envelope, body)
    checkRows(validate, (body as { data: unknown[] }).data)
    return body
  }
}

/** The body as it came, before anyone has read it. */
const bytesOf = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

const singletons = new Set(['idempotency-key', 'content-type', 'if-match'])

function refuseTwins({ raw }: FastifyRequest): void {
  const seen = new Set<string>()
  for (const [index, header] of raw.rawHeaders.entries()) {
    const name = header.toLowerCase()
    if (index % 2 === 1 || !singletons.has(name)) continue
    if (seen.has(name)) throw new Failure('bad_header', `The header ${name} was sent twice.`)
    seen.add(name)
  }
}

function readParams({ params }: Taken, request: FastifyRequest): Record<string, string> {
  // The cast holds because Fastify fills the parameters of the route's own path, as text.
  const given = request.params as Record<string, string>
  for (const [name, schema] of Object.entries(params?.properties ?? {})) {
    const { pattern } = schema as { pattern: string }
    const flaw = whyNot(given[name] ?? '', pattern.slice(1, 4) as Prefix)
    if (flaw !== null) throw new Failure('not_found', flaw)
  }
  return given
}

/** `Idempotency-Key`, bare or in quotes: 1 to 255 visible characters, none of them a quote. */
const keyForm = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/

/**
 * What makes this request recognisable when it comes again: who asks (also after their key was
 * rotated), for what, and under which key; and beside it, with which body.
 */
export function repeatableOf(request: FastifyRequest, visitor: Visitor) {
  const header = request.headers['idempotency-key']
  if (header === undefined || request.method === 'GET' || request.method === 'HEAD') return null
  const match = keyForm.exec(String(header))
  const key = match?.[1] ?? match?.[2]
  if (key === undefined) {
    const form = `1 to ${limits.idempotencyKeyLengthMax} visible ASCII characters without quotes`
    throw new Failure('bad_header', `Idempotency-Key must be ${form}.`)
  }
  const path = request.url.split('?')[0]
  const identity = [visitor.lineage, request.method, path, key].join('\n')
  return {
    digest: createHash('sha256').update(identity).digest(),
    fingerprint: createHash('sha256').update(bytesOf(request)).digest(),
    isReplay: false,
  }
}
