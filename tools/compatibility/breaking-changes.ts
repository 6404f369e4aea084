import { type Comparison, type Direction, type Schema, schemaChanges } from './schema-changes.ts'

interface Content {
  readonly schema?: Schema
  readonly examples?: Record<string, unknown>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly style?: string
  readonly explode?: boolean
  readonly schema: Schema
}

interface Response {
  readonly headers?: Record<string, unknown>
  readonly content?: Record<string, Content>
}

interface RequestBody {
  readonly required?: boolean
  readonly content: Record<string, Content>
}

interface Reference {
  readonly $ref: string
}

interface Operation {
  readonly operationId: string
  readonly security: Record<string, string[]>[]
  readonly parameters: (Parameter | Reference)[]
  readonly requestBody?: RequestBody
  readonly responses: Record<string, Response | Reference>
}

/** The parts of an OpenAPI document that a client depends on. */
export interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    readonly schemas: Record<string, Schema>
    readonly parameters: Record<string, Parameter>
    readonly responses: Record<string, Response>
  }
}

interface Versions<T> {
  readonly before: T
  readonly after: T
}

/**
 * The changes after which a client of the first document can fail with the second, one sentence
 * each. Added operations, optional parameters, fields of responses and problems are not breaking.
 */
export function findBreakingChanges(before: Document, after: Document): string[] {
  const comparison = { before: before.components, after: after.components, seen: new Set<string>() }
  const changes = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) => {
      const place = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      if (now === undefined) return [`${place} is removed`]
      const pair = { before: resolve(old, before), after: resolve(now, after) }
      return operationChanges(comparison, pair, place)
    }),
  )
  return [...new Set(changes)]
}

interface Resolved {
  readonly operation: Operation
  readonly parameters: Parameter[]
  readonly responses: Record<string, Response>
}

function resolve(operation: Operation, { components }: Document): Resolved {
  const nameOf = ({ $ref }: Reference) => $ref.split('/').at(-1) ?? ''
  const parameterOf = (each: Parameter | Reference) =>
    '$ref' in each ? components.parameters[nameOf(each)] : each
  const responseOf = (each: Response | Reference) =>
    '$ref' in each ? components.responses[nameOf(each)] : each
  return {
    operation,
    parameters: operation.parameters.flatMap((each) => parameterOf(each) ?? []),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, each]) => [status, responseOf(each) ?? {}]),
    ),
  }
}

function operationChanges(
  comparison: Comparison,
  { before, after }: Versions<Resolved>,
  place: string,
): string[] {
  const [old, now] = [before.operation, after.operation]
  const scopes = ({ security }: Operation) => JSON.stringify(security)
  const isRestricted = now.security.length > 0 && scopes(old) !== scopes(now)
  return [
    ...(old.operationId === now.operationId ? [] : [`${place}: the operationId is another`]),
    ...(isRestricted ? [`${place} requires ${scopes(now)} instead of ${scopes(old)}`] : []),
    ...parameterChanges(comparison, { before, after }, place),
    ...bodyChanges(comparison, { before: old.requestBody, after: now.requestBody }, place),
    ...responseChanges(comparison, { before, after }, place),
  ]
}

function parameterChanges(
  comparison: Comparison,
  { before, after }: Versions<Resolved>,
  place: string,
): string[] {
  const find = (all: Parameter[], wanted: Parameter) =>
    all.find((each) => each.in === wanted.in && each.name === wanted.name)
  const added = after.parameters.filter(
    (each) => each.required === true && find(before.parameters, each)?.required !== true,
  )
  const kept = before.parameters.flatMap((old) => {
    const here = `${place}, ${old.in} ${old.name}`
    const now = find(after.parameters, old)
    if (now === undefined) return [`${here} is removed`]
    const isRewritten = old.style !== now.style || old.explode !== now.explode
    const pair = {
      before: old.schema,
      after: now.schema,
      direction: 'request',
      place: here,
    } as const
    return [
      ...(isRewritten ? [`${here}: several values are written in another way`] : []),
      ...schemaChanges(comparison, pair),
    ]
  })
  return [...added.map((each) => `${place}, ${each.in} ${each.name} is required`), ...kept]
}

function bodyChanges(
  comparison: Comparison,
  { before, after }: Versions<RequestBody | undefined>,
  place: string,
): string[] {
  const isRequired = after?.required === true && before?.required !== true
  const contents = { before: before?.content ?? {}, after: after?.content ?? {} }
  return [
    ...(isRequired ? [`${place}: a body is required`] : []),
    ...contentChanges(comparison, contents, { direction: 'request', place: `${place}, body` }),
  ]
}

function responseChanges(
  comparison: Comparison,
  { before, after }: Versions<Resolved>,
  place: string,
): string[] {
  return Object.entries(before.responses).flatMap(([status, old]) => {
    const here = `${place}, response ${status}`
    const now = after.responses[status]
    if (now === undefined) return [`${here} is removed`]
    const headers = Object.keys(old.headers ?? {}).filter((name) => !now.headers?.[name])
    const contents = { before: old.content ?? {}, after: now.content ?? {} }
    return [
      ...headers.map((name) => `${here}: the header ${name} is removed`),
      ...contentChanges(comparison, contents, { direction: 'response', place: here }),
    ]
  })
}

/** Media types, their schemas, and the problems that the examples of an error name. */
function contentChanges(
  comparison: Comparison,
  { before, after }: Versions<Record<string, Content>>,
  { direction, place }: { direction: Direction; place: string },
): string[] {
  return Object.entries(before).flatMap(([type, old]) => {
    const here = `${place} ${type}`
    const now = after[type]
    if (now === undefined) return [`${here} is removed`]
    const isProblem = type === 'application/problem+json'
    const problems = isProblem ? Object.keys(old.examples ?? {}) : []
    const schemas = { before: old.schema ?? {}, after: now.schema ?? {} }
    return [
      ...problems
        .filter((code) => !now.examples?.[code])
        .map((code) => `${here}: the problem ${code} is removed`),
      ...schemaChanges(comparison, { ...schemas, direction, place: here }),
    ]
  })
}
