import {
  grantedLookups,
  hasRequiredField,
  limits,
  lookupColumnsOf,
  type Operation,
  type Prefix,
} from '@muster/contract'
import type { FastifyRequest } from 'fastify'

import { Failure } from '#domain/engine/failure'
import type { LookupCells } from '#domain/engine/lookups'
import { idError } from '#domain/rules/id'

import { parseCsv } from './csv.ts'
import { parseBatch, parseJson } from './json.ts'
import { isCsv } from './media.ts'
import { queryOf, queryReader } from './query.ts'
import { checkBody, checkRows, compile } from './validate.ts'

/** The parts of an operation that describe its request. */
type InputSchemas = Pick<Operation, 'method' | 'params' | 'query' | 'body' | 'rows' | 'alsoColumns'>

export interface RequestInput {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body: unknown
  /** The lookup columns of a CSV body. */
  readonly lookups?: LookupCells
}

/** Parses and validates a request. The first error decides, in the order query, headers, body. */
export function inputReader(
  operation: InputSchemas,
): (request: FastifyRequest) => Promise<RequestInput> {
  const readQuery = queryReader(operation)
  const readBody = bodyReader(operation)
  return async (request) => {
    const query = readQuery(queryOf(request.url))
    refuseDuplicateHeaders(request)
    const body = await readBody(request, query)
    return { params: readParams(operation, request), query, ...body }
  }
}

type Query = Readonly<Record<string, unknown>>
type ReadBody = Pick<RequestInput, 'body' | 'lookups'>

function bodyReader(
  operation: InputSchemas,
): (request: FastifyRequest, query: Query) => ReadBody | Promise<ReadBody> {
  const { body: schema, rows } = operation
  if (schema === undefined) return () => ({ body: undefined })
  if (rows) return batchReader(operation, rows)
  const validate = compile(schema)
  const canBeLeftOut = operation.method === 'POST' && !hasRequiredField(schema)
  return (request) => {
    const bytes = bodyBytesOf(request)
    if (bytes.length === 0 && canBeLeftOut) return { body: {} }
    const body = parseJson(bytes)
    checkBody(validate, body)
    return { body }
  }
}

/** The envelope of a batch; its rows are validated one by one. */
const envelope = compile({
  type: 'object',
  required: ['data'],
  additionalProperties: false,
  properties: {
    data: { type: 'array', minItems: 1, maxItems: limits.itemsMax, items: { type: 'object' } },
  },
})

function batchReader(operation: InputSchemas, rows: object) {
  const validate = compile(rows)
  const columns = lookupColumnsOf(rows)
  return async (request: FastifyRequest, query: Query): Promise<ReadBody> => {
    const bytes = bodyBytesOf(request)
    const check = async (body: unknown) => {
      checkBody(envelope, body)
      await checkRows(validate, (body as { data: unknown[] }).data)
      return body
    }
    // The cast holds because the query is validated.
    const names = query['columns'] as string | undefined
    if (!isCsv(request)) {
      refuseColumnNames(names)
      return { body: await check(await parseBatch(bytes)) }
    }
    const granted = grantedLookups(columns, request.principal?.scopes ?? [])
    const { data, lookups } = await parseCsv(bytes, operation, { lookups: granted, names })
    return { body: await check({ data }), lookups }
  }
}

function refuseColumnNames(names: string | undefined): void {
  if (names === undefined) return
  const detail = 'The parameter columns needs a CSV body.'
  throw new Failure('invalid_parameter', detail, { parameter: 'columns' })
}

/** The unparsed body. */
export const bodyBytesOf = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

const singletons = new Set(['idempotency-key', 'content-type', 'if-match'])

function refuseDuplicateHeaders({ raw }: FastifyRequest): void {
  const seen = new Set<string>()
  for (const [index, header] of raw.rawHeaders.entries()) {
    const name = header.toLowerCase()
    if (index % 2 === 1 || !singletons.has(name)) continue
    if (seen.has(name)) throw new Failure('bad_header', `The header ${name} was sent twice.`)
    seen.add(name)
  }
}

function readParams({ params }: InputSchemas, request: FastifyRequest): Record<string, string> {
  // The cast holds because Fastify fills the parameters of the route's own path, as text.
  const given = request.params as Record<string, string>
  for (const [name, schema] of Object.entries(params?.properties ?? {})) {
    const { pattern } = schema as { pattern: string }
    const detail = idError(given[name] ?? '', pattern.slice(1, 4) as Prefix)
    if (detail !== null) throw new Failure('not_found', detail)
  }
  return given
}
