import { createReadStream } from 'node:fs'

import { Failure, invalid } from '#domain/engine/failure'
import type { ExportPart } from '#domain/workspace/export'
import type { Lines } from '#domain/workspace/import'
import { parseJson } from '#http/request/json'
import { checkBody, compile } from '#http/request/validate'

import type { Manifest } from './export-folder.ts'
import { lineSchemas, nounSchema, stateSchemas } from './export-schemas.ts'

/** More than the longest line that the API can lead to, which is a person in all groups. */
const lineBytesMax = 1024 * 1024

type Stated = Pick<Manifest, 'as_of' | 'workspace_id'>
type Check = (line: unknown) => void

/** Reads and checks the lines of a file. A failure names the file, the line and the field. */
export async function* readLines<P extends ExportPart>(
  part: P,
  path: string,
  stated: Stated,
): AsyncGenerator<Lines[P]> {
  const check = checkOf(part, stated)
  let number = 1
  try {
    for await (const bytes of splitLines(path)) {
      const line = parseJson(bytes)
      check(line)
      // The cast holds because the line has the schema of its part.
      yield line as Lines[P]
      number += 1
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason = error.message.replace('The body', 'The line')
    throw new Failure('unavailable', `${part}.ndjson, line ${number}: ${reason}`, { cause: error })
  }
}

const lineFeed = 0x0a

/** Holds at most one line and one chunk in memory. */
async function* splitLines(path: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path)) {
    const bytes = Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      yield refuseLong(bytes.subarray(start, end))
      start = end + 1
    }
    rest = refuseLong(bytes.subarray(start))
  }
  if (rest.length > 0) yield rest
}

function refuseLong(line: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  if (line.length <= lineBytesMax) return line
  throw new Failure('unavailable', `The line is longer than ${lineBytesMax} bytes.`)
}

function checkOf(part: ExportPart, stated: Stated): Check {
  const checkSchema = part === 'history' ? checkState() : schemaCheck(lineSchemas[part])
  return (line) => {
    checkSchema(line)
    // The cast holds because every schema is of an object.
    const fields = line as Fields
    refuseLaterNumber(fields, stated)
    if (part === 'workspace') refuseOtherWorkspace(fields, stated)
    if (part === 'access') refuseOtherSubjects(fields)
  }
}

/** A schema is compiled once. */
function schemaCheck(schema: object): Check {
  const validate = compile(schema)
  return (line) => checkBody(validate, line)
}

function checkState(): Check {
  const checks = new Map(
    Object.entries(stateSchemas).map(([noun, schema]) => [noun, schemaCheck(schema)]),
  )
  const checkNoun = schemaCheck(nounSchema)
  return (line) => {
    checkNoun(line)
    // The cast holds because the noun was checked.
    checks.get((line as { noun: string }).noun)?.(line)
  }
}

type Fields = Readonly<Record<string, unknown>>

const numbered = ['version', 'seq', 'from_seq'] as const

/** A later write would get the same sequence number. */
function refuseLaterNumber(line: Fields, { as_of }: Stated): void {
  const name = numbered.find((each) => Number(line[each] ?? 0) > as_of)
  if (name === undefined) return
  const detail = `must be at most ${as_of}, the as_of of the manifest`
  throw invalid({ pointer: `/${name}`, code: 'too_large', detail })
}

function refuseOtherWorkspace(line: Fields, { workspace_id }: Stated): void {
  if (line['id'] === workspace_id) return
  const detail = 'must be the workspace_id of the manifest'
  throw invalid({ pointer: '/id', code: 'not_allowed', detail })
}

function refuseOtherSubjects(line: Fields): void {
  if ((line['user_id'] === null) !== (line['group_id'] === null)) return
  const detail = 'must be null, or group_id must be, but not both'
  throw invalid({ pointer: '/user_id', code: 'not_allowed', detail })
}
