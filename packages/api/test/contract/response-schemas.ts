import assert from 'node:assert/strict'

import { everyOperation, type Operation, problemsOf } from '@muster/contract'
import { ProblemDetails } from '@muster/contract/openapi'
import formats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, keywords: ['x-extensible-enum'] })
formats.default(ajv)

interface OperationSchema {
  readonly name: string
  readonly operation: Operation
  readonly path: RegExp
}

const parametersOf = ({ path }: Operation) => path.split('{').length

/** Paths with fewer parameters first: `/v1/personnel/me` is not the id of a person. */
const schemas: OperationSchema[] = everyOperation()
  .map(({ name, operation }) => ({
    name,
    operation,
    path: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .toSorted((one, other) => parametersOf(one.operation) - parametersOf(other.operation))

/** Compiled on first use: every test file imports this module, and most call few operations. */
const compiled = new Map<unknown, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const validate = ajv.compile(schema === ProblemDetails ? schema : (closed(schema) as object))
  compiled.set(schema, validate)
  return validate
}

/** Closes a response schema, which is open to new fields: a test response must have no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  )
  const isObject = [inner['type']].flat().includes('object') && 'properties' in inner
  return isObject ? { ...inner, additionalProperties: false } : inner
}

/** Asserts that a response matches the contract: every field, and no other. */
export function assertPromised(
  { method, url }: { method: string; url: URL },
  { status, body }: { status: number; body: unknown },
): void {
  if (!url.pathname.startsWith('/v1/') || body === null) return
  const found = schemas.find(
    ({ operation, path }) => operation.method === method && path.test(url.pathname),
  )
  if (status >= 400) {
    const shown = JSON.stringify(body).slice(0, 1000)
    const isProblem = validatorOf(ProblemDetails)
    assert.ok(isProblem(body), `${JSON.stringify(isProblem.errors)} ${shown}`)
    assertDeclared(found, body as { code: string })
    return
  }
  assert.ok(found, `${method} ${url.pathname} succeeds, and is not in the contract`)
  assert.equal(status, found.operation.status)
  const isValid = validatorOf(found.operation.response)
  assert.ok(isValid(body), `${found.name}: ${JSON.stringify(isValid.errors?.slice(0, 3))}`)
}

/** Asserts that a problem is one the operation declares. */
function assertDeclared(found: OperationSchema | undefined, { code }: { code: string }): void {
  if (found === undefined) return
  const named: readonly string[] = problemsOf(found.operation)
  assert.ok(named.includes(code), `${found.name} does not declare the problem ${code}`)
}
