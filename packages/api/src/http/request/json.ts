import { limits } from '@muster/contract'

import { Failure } from '#domain/engine/failure'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A strict JSON parser that accepts only what it represents exactly. `JSON.parse` alone keeps the
 * last of two members with the same name, turns 1e999 into Infinity and 2^53+1 into 2^53, and
 * accepts unpaired surrogates.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const members = countMembers(text)
  const value = parse(text)
  const kept = inspect(value)
  if (kept !== members) throw badJson('An object has two members with the same name.')
  return value
}

const badJson = (detail: string) => new Failure('bad_json', detail)

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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : ''
    const position = /position (\d+)/.exec(reason)?.[1]
    throw badJson(`The body is not valid JSON${position ? ` at character ${position}` : ''}.`)
  }
}

/** Far more than any resource has. Reporting unknown members costs more than parsing them. */
const membersPerObjectMax = 1000

/**
 * Counts the members in the text: the number of colons outside of strings. Refuses a body that is
 * nested too deep, or an object with too many members, before it is parsed.
 */
function countMembers(text: string): number {
  const memberCounts: number[] = [0]
  let members = 0
  let isString = false
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (isString) {
      if (char === '\\') index += 1
      else if (char === '"') isString = false
    } else if (char === '"') isString = true
    else if (char === ':') {
      members += 1
      countMember(memberCounts)
    } else if (char === '{' || char === '[') openContainer(memberCounts)
    else if (char === '}' || char === ']') memberCounts.pop()
  }
  return members
}

function openContainer(memberCounts: number[]): void {
  memberCounts.push(0)
  if (memberCounts.length - 1 <= limits.jsonDepthMax) return
  throw badJson(`The body is nested deeper than ${limits.jsonDepthMax} levels.`)
}

function countMember(memberCounts: number[]): void {
  const members = (memberCounts.at(-1) ?? 0) + 1
  memberCounts[Math.max(memberCounts.length - 1, 0)] = members
  if (members <= membersPerObjectMax) return
  throw badJson(`An object has more than ${membersPerObjectMax} members.`)
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
