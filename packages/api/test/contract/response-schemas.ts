import assert from 'node:assert/strict'

import { everyOperation, type Operation, problemsOf } from '@muster/contract'
import { ProblemDetails } from '@muster/contract/openapi'
import formats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, keywords: ['x-extensible-enum'] })
formats.default(ajv)

interface Promised {
  readonly name: string
  readonly operation: Operation
  readonly path: RegExp
  readonly isAsPromised: ValidateFunction
}

const promised: Promised[] = everyOperation().map(({ name, operation }) => ({
  name,
  operation,
  path: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  isAsPromised: ajv.compile(closed(operation.response) as object),
}))
const isProblem = ajv.compile(ProblemDetails)

/** The schema of an answer is open to what may come; what comes today must be in it. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  )
  const isObject = [inner['type']].flat().includes('object') && 'properties' in inner
  return isObject ? { ...inner, additionalProperties: false } : inner
}

/** Whatever a test asks for, the answer is what the contract promises: every field, and no other. */
export function assertPromised(
  { method, url }: { method: string; url: URL },
  { status, body }: { status: number; body: unknown },
): void {
  if (!url.pathname.startsWith('/v1/') || body === null) return
  const found = promised.find(
    ({ operation, path }) => operation.method === method && path.test(url.pathname),
  )
  if (status >= 400) {
    const shown = JSON.stringify(body).slice(0, 1000)
    assert.ok(isProblem(body), `${JSON.stringify(isProblem.errors)} ${shown}`)
    assertNamed(found, body)
    return
  }
  assert.ok(found, `${method} ${url.pathname} is answered, and is not in the contract`)
  assert.equal(status, found.operation.status)
  const { isAsPromised, name } = found
  assert.ok(isAsPromised(body), `${name}: ${JSON.stringify(isAsPromised.errors?.slice(0, 3))}`)
}

/** A refusal is one of those that the operation says it can give. */
function assertNamed(found: Promised | undefined, { code }: { code: string }): void {
  if (found === undefined) return
  const named: readonly string[] = problemsOf(found.operation)
  assert.ok(named.includes(code), `${found.name} does not name the problem ${code}`)
}
