/** Points in time of a request. Everything after this has numbers in their place. */

import { pointEdges, type PointParameter } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { resolvePoints } from '#domain/engine/points'
import { pointsInCursor } from '#http/lists/cursor'
import type { RequestInput } from '#http/request/input'
import type { ResolvedPoints } from '#http/response/page-cache'

/** The input with numbers, and the address that has them. */
export interface ResolvedInput<Input> {
  readonly input: Input
  /** Undefined without points. */
  readonly points: ResolvedPoints | undefined
}

/** Now, without the parameter. */
const untilOf = ({ query }: RequestInput, seq: number) => query['until'] ?? String(seq)

const isNumber = (text: string) => /^\d{1,16}$/.test(text)

interface PointedRequest {
  /** The parameters of the operation that name a point. */
  readonly names: readonly PointParameter[]
  readonly path: string
  readonly input: RequestInput
  /** The sequence number of the workspace at authentication: now. */
  readonly seq: number
}

/**
 * Resolves the points of a request once. A time or a date of a later page means the number of the
 * first page, which is in its cursor.
 */
export async function resolveInput(
  caller: () => Caller<never>,
  { names, path, input, seq }: PointedRequest,
): Promise<ResolvedInput<RequestInput>> {
  const query = names.includes('until')
    ? { ...input.query, until: untilOf(input, seq) }
    : input.query
  const given = names.filter((name) => query[name] !== undefined)
  if (given.length === 0) return { input, points: undefined }
  const texts = given.map((name) => String(query[name]))
  const areGiven = texts.every(isNumber)
  const numbers = areGiven ? texts.map(Number) : await resolved(caller, given, query)
  const byName = Object.fromEntries(given.map((name, index) => [name, numbers[index] ?? 0]))
  const values = Object.fromEntries(given.map((name) => [name, String(byName[name])]))
  const numbered = { ...query, ...values }
  return {
    input: { ...input, query: numbered },
    points: { numbers: byName, address: addressOf(path, numbered), areGiven },
  }
}

async function resolved(
  caller: () => Caller<never>,
  names: readonly PointParameter[],
  query: RequestInput['query'],
): Promise<number[]> {
  const { cursor } = query
  const kept = typeof cursor === 'string' ? pointsInCursor(cursor, names.length) : null
  const asked = names.map((parameter) => ({
    parameter,
    text: String(query[parameter]),
    edge: pointEdges[parameter],
  }))
  return kept ?? resolvePoints(caller(), asked)
}

function addressOf(path: string, query: RequestInput['query']): string {
  const parameters = Object.entries(query).map(([name, value]) => [name, String(value)])
  return `${path}?${new URLSearchParams(parameters).toString()}`
}
