import { limits } from '@muster/contract'

import { Failure, invalid } from '#domain/engine/failure'
import { TimeSlice } from '#domain/engine/time-slice'

export const badJson = (detail: string) => new Failure('bad_json', detail)

/** Far more than any resource has. Reporting unknown members costs more than parsing them. */
const membersPerObjectMax = 1000

/**
 * The most brackets, commas and colons in a body, in a batch, and in one row of a batch. A body of
 * 64 KiB has fewer in any case. The largest valid batch has fewer too, by a test.
 */
export const tokensMax = { body: limits.bodyBytesMax, batch: 512 * 1024, row: 16 * 1024 } as const

/** The longest string. The longest valid text is shorter, even with every character escaped. */
export const stringLengthMax = limits.bodyBytesMax

/** Where the elements of the list of rows are: the first starts at `start`. */
interface RowList {
  readonly start: number
  /** The position after each element: of its comma, or of the end of the list. */
  readonly ends: readonly number[]
}

/** What a scan finds in JSON text, before anything is parsed. */
export interface JsonOutline {
  /** The members of all objects together. */
  readonly members: number
  /** The rows of a batch; null if there is no list named `data` in the outer object. */
  readonly rows: RowList | null
}

/**
 * Refuses JSON text that is nested too deep, has a string that is too long, or has too many values
 * in one object, in one row or in total. Parsing and validating it would take too long.
 */
export function outlineOf(text: string, max: number): JsonOutline {
  const scan = new Scan(text, { max, isBatch: false })
  scan.runTo(text.length)
  return scan.outline()
}

/**
 * Like `outlineOf`, in time slices, and finds the rows of a batch. Refuses more rows than a batch
 * may have.
 */
export async function outlineOfBatch(text: string): Promise<JsonOutline> {
  const scan = new Scan(text, { max: tokensMax.batch, isBatch: true })
  const slice = new TimeSlice()
  for (let end = sliceLength; end < text.length; end += sliceLength) {
    scan.runTo(end)
    await slice.step()
  }
  scan.runTo(text.length)
  return scan.outline()
}

const sliceLength = 64 * 1024

/** The characters that have a meaning outside of strings. */
const quote = '"'.charCodeAt(0)
const comma = ','.charCodeAt(0)
const colon = ':'.charCodeAt(0)
const openList = '['.charCodeAt(0)
const closeList = ']'.charCodeAt(0)
const openObject = '{'.charCodeAt(0)
const closeObject = '}'.charCodeAt(0)
const backslash = '\\'

const tooManyValues = () => badJson('The body has more values than any valid body.')

/** The failure of validation, but found before the rows are parsed. */
const tooManyRows = () =>
  invalid({
    pointer: '/data',
    code: 'too_many',
    detail: `must have at most ${limits.itemsMax} items`,
  })

class Scan {
  readonly #text: string
  readonly #max: number
  readonly #isBatch: boolean
  /** The number of members in each open object or list; the first stands for the text itself. */
  readonly #memberCounts: number[] = [0]
  #members = 0
  #tokens = 0
  /** The value of `#tokens` at the start of the row, or of the part before or after the rows. */
  #tokensBefore = 0
  /** Where the last string in the outer object starts and ends. Before a colon, it is a name. */
  #name: readonly [start: number, end: number] | null = null
  #rows: { start: number; ends: number[] } | null = null
  #isInRows = false
  #next = 0
  #isObject = false

  constructor(text: string, { max, isBatch }: { max: number; isBatch: boolean }) {
    this.#text = text
    this.#max = max
    this.#isBatch = isBatch
  }

  get #depth(): number {
    return this.#memberCounts.length - 1
  }

  /** Scans up to this position, or to the end of the string there. */
  runTo(end: number): void {
    const text = this.#text
    let index = this.#next
    for (; index < end; index++) {
      const char = text.charCodeAt(index)
      if (char === quote) index = this.#skipString(index)
      else if (char === comma) this.#onComma(index)
      else if (char === colon) this.#onColon()
      else if (char === openList || char === openObject) this.#onOpen(index, char)
      else if (char === closeList || char === closeObject) this.#onClose(index)
    }
    this.#next = index
  }

  outline(): JsonOutline {
    if (this.#isInRows) this.#endRows(this.#text.length)
    return { members: this.#members, rows: this.#rows }
  }

  /** Returns the position of the closing quote, or the end of the text. */
  #skipString(start: number): number {
    const text = this.#text
    let end = start
    do {
      end = text.indexOf('"', end + 1)
      if (end === -1) return text.length
    } while (isEscaped(text, end))
    if (end - start > stringLengthMax) {
      throw badJson(`A string is longer than ${stringLengthMax} characters.`)
    }
    if (this.#depth === 1) this.#name = [start, end + 1]
    return end
  }

  #onComma(index: number): void {
    this.#countToken()
    if (!this.#isInRows || this.#depth !== 2) return
    this.#endRow(index)
    if ((this.#rows?.ends.length ?? 0) >= limits.itemsMax) throw tooManyRows()
  }

  #onColon(): void {
    this.#countToken()
    this.#members += 1
    const members = (this.#memberCounts.pop() ?? 0) + 1
    this.#memberCounts.push(members)
    if (members <= membersPerObjectMax) return
    throw badJson(`An object has more than ${membersPerObjectMax} members.`)
  }

  #onOpen(index: number, char: number): void {
    this.#countToken()
    this.#memberCounts.push(0)
    if (this.#depth > limits.jsonDepthMax) {
      throw badJson(`The body is nested deeper than ${limits.jsonDepthMax} levels.`)
    }
    if (this.#depth === 1) this.#isObject = char === openObject
    if (!this.#isBatch || this.#depth !== 2 || char !== openList || !this.#isData()) return
    this.#rows = { start: index + 1, ends: [] }
    this.#isInRows = true
    this.#tokensBefore = this.#tokens
  }

  /** Whether the list that opens is the first member `data` of the outer object. */
  #isData(): boolean {
    if (this.#rows !== null || this.#name === null || !this.#isObject) return false
    const [start, end] = this.#name
    try {
      return JSON.parse(this.#text.slice(start, end)) === 'data'
    } catch {
      return false
    }
  }

  #onClose(index: number): void {
    this.#memberCounts.pop()
    if (this.#isInRows && this.#depth === 1) this.#endRows(index)
  }

  #endRow(index: number): void {
    this.#rows?.ends.push(index)
    this.#tokensBefore = this.#tokens
  }

  #endRows(index: number): void {
    this.#endRow(index)
    this.#isInRows = false
  }

  #countToken(): void {
    this.#tokens += 1
    if (this.#tokens > this.#max) throw tooManyValues()
    if (this.#isBatch && this.#tokens - this.#tokensBefore > tokensMax.row) {
      if (!this.#isInRows) throw tooManyValues()
      throw badJson(`/data/${this.#rows?.ends.length} has more values than any valid row.`)
    }
  }
}

function isEscaped(text: string, index: number): boolean {
  let start = index
  while (text[start - 1] === backslash) start -= 1
  return (index - start) % 2 === 1
}
