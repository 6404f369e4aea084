import { Failure } from '#domain/engine/failure'
import { TimeSlice } from '#domain/engine/time-slice'

import { badJson, type JsonOutline, outlineOf, outlineOfBatch, tokensMax } from './json-outline.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A strict JSON parser that accepts only what it represents exactly. `JSON.parse` alone keeps the
 * last of two members with the same name, turns 1e999 into Infinity and 2^53+1 into 2^53, and
 * accepts unpaired surrogates.
 */
export const parseJson = (bytes: Uint8Array): unknown => parseText(decode(bytes), tokensMax.body)

/** Like `parseJson`, for text in a row of a batch. */
export const parseCell = (text: string): unknown => parseText(text, tokensMax.row)

function parseText(text: string, max: number): unknown {
  const { members } = outlineOf(text, max)
  const value = parse(text)
  refuseDuplicates(members, inspect(value))
  return value
}

/** Like `parseJson`, for the body of a batch: parses row by row, in time slices. */
export async function parseBatch(bytes: Uint8Array): Promise<unknown> {
  const text = decode(bytes)
  const outline = await outlineOfBatch(text)
  const { body, kept } = parseAround(text, outline)
  const data: unknown[] = []
  let keptInRows = 0
  const slice = new TimeSlice()
  for (const [start, end] of rowsIn(text, outline)) {
    const row = parse(text.slice(start, end), (position) => start + position)
    keptInRows += inspect(row)
    data.push(row)
    await slice.step()
  }
  refuseDuplicates(outline.members, kept + keptInRows)
  return outline.rows === null ? body : { ...(body as object), data }
}

/** Parses the body with an empty list of rows. */
function parseAround(text: string, { rows }: JsonOutline): { body: unknown; kept: number } {
  const start = rows?.start ?? text.length
  const end = rows?.ends.at(-1) ?? text.length
  const body = parse(text.slice(0, start) + text.slice(end), (position) =>
    position < start ? position : position + end - start,
  )
  return { body, kept: inspect(body) }
}

/** Where each row starts and ends. */
function rowsIn(text: string, { rows }: JsonOutline): (readonly [start: number, end: number])[] {
  if (rows === null) return []
  const [first = 0] = rows.ends
  const isEmpty = rows.ends.length === 1 && /^[ \t\r\n]*$/.test(text.slice(rows.start, first))
  if (isEmpty) return []
  return rows.ends.map((end, index) => [(rows.ends[index - 1] ?? rows.start - 1) + 1, end])
}

function refuseDuplicates(members: number, kept: number): void {
  if (kept !== members) throw badJson('An object has two members with the same name.')
}

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw badJson('The body is empty.')
  try {
    const text = utf8.decode(bytes)
    if (text.startsWith('\uFEFF')) throw badJson('The body begins with a byte order mark.')
    return text
  } catch (error) {
    throw error instanceof Failure ? error : badJson('The body is not valid UTF-8.')
  }
}

/** `at` converts a position in the text to a position in the body. */
function parse(text: string, at = (position: number) => position): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : ''
    const position = /position (\d+)/.exec(reason)?.[1]
    const place = position ? ` at character ${at(Number(position))}` : ''
    throw badJson(`The body is not valid JSON${place}.`)
  }
}

/** Checks every value, and counts the members after `JSON.parse` has merged duplicates. */
function inspect(value: unknown): number {
  if (typeof value === 'string') inspectText(value)
  else if (typeof value === 'number') inspectNumber(value)
  else if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + inspect(item), 0)
  else if (typeof value === 'object' && value !== null) return inspectObject(value)
  return 0
}

function inspectObject(value: object): number {
  let members = 0
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw badJson('A member is named __proto__.')
    inspectText(name)
    members += 1 + inspect(member)
  }
  return members
}

function inspectText(text: string): void {
  if (!text.isWellFormed()) throw badJson('A string contains an unpaired surrogate.')
  if (text.includes('\0')) throw badJson('A string contains a NUL character.')
}

function inspectNumber(number: number): void {
  if (!Number.isFinite(number)) throw badJson('A number is too large.')
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw badJson('An integer is beyond ±(2^53 − 1).')
  }
}
