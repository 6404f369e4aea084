import { limits } from '@muster/contract'

import { Failure } from '#domain/failure'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Strict JSON: what it accepts it has understood completely. `JSON.parse` alone takes the last of
 * two members of one name, turns 1e999 into Infinity and 2^53+1 into 2^53, and lets half characters
 * pass.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const members = countMembers(text)
  const value = parse(text)
  const seen = inspect(value)
  if (seen !== members) throw bad('A member is named twice in one object.')
  return value
}

const bad = (detail: string) => new Failure('bad_json', detail)

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw bad('The body is empty.')
  try {
    const text = utf8.decode(bytes)
    if (text.startsWith('\uFEFF')) throw bad('The body begins with a byte order mark.')
    return text
  } catch (error) {
    throw error instanceof Failure ? error : bad('The body is not valid UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : ''
    const place = /position (\d+)/.exec(reason)?.[1]
    throw bad(`The body is not JSON${place ? `: see character ${place}` : ''}.`)
  }
}

/** No resource comes near this. Checking what nobody knows costs more than reading it. */
const membersPerObjectMax = 1000

/**
 * How many members the text names, which is the number of colons outside of strings; and refuses
 * what is nested too deep or too wide before anything is built from it.
 */
function countMembers(text: string): number {
  const open: number[] = [0]
  let members = 0
  let isString = false
  for (let index = 0; index < text.length; index++) {
    const letter = text[index]
    if (isString) {
      if (letter === '\\') index += 1
      else if (letter === '"') isString = false
    } else if (letter === '"') isString = true
    else if (letter === ':') {
      members += 1
      countInto(open)
    } else if (letter === '{' || letter === '[') deepen(open)
    else if (letter === '}' || letter === ']') open.pop()
  }
  return members
}

function deepen(open: number[]): void {
  open.push(0)
  if (open.length - 1 <= limits.jsonDepthMax) return
  throw bad(`The body is nested deeper than ${limits.jsonDepthMax} levels.`)
}

function countInto(open: number[]): void {
  const members = (open.at(-1) ?? 0) + 1
  open[Math.max(open.length - 1, 0)] = members
  if (members <= membersPerObjectMax) return
  throw bad(`An object has more than ${membersPerObjectMax} members.`)
}

/** Checks every value, and counts the members that are left after `JSON.parse` merged twins. */
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
    if (name === '__proto__') throw bad('A member is named __proto__.')
    inspectText(name)
    members += 1 + inspect(member)
  }
  return members
}

function inspectText(text: string): void {
  if (!text.isWellFormed()) throw bad('A string holds half of a surrogate pair.')
  if (text.includes('\0')) throw bad('A string holds a NUL character.')
}

function inspectNumber(number: number): void {
  if (!Number.isFinite(number)) throw bad('A number is too large.')
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw bad('An integer is too large to be kept exactly.')
  }
}
