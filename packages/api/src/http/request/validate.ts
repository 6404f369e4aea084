import { limits } from '@muster/contract'
import formats from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

import { type Flaw, invalid } from '#domain/failure'

import { shown, suggest } from './nearest.ts'

/**
 * Values are checked and never changed. All errors are told at once; that is safe because every
 * string and array of the contract has a maximum and the body is small.
 */
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  unicodeRegExp: true,
  validateFormats: true,
  keywords: ['x-extensible-enum'],
})
formats.default(ajv, ['email', 'date', 'date-time'])

export const compile = (schema: object): ValidateFunction => ajv.compile(schema)

/** Throws `validation_failed` with every place that is wrong. */
export function checkBody(validate: ValidateFunction, body: unknown): void {
  const flaws = flawsIn(validate, body, '')
  if (flaws.length > 0) throw invalid(...flaws.slice(0, limits.errorsMax))
}

/** As `checkBody`, a row at a time: no more is looked for than is told. */
export function checkRows(validate: ValidateFunction, rows: readonly unknown[]): void {
  const flaws: Flaw[] = []
  for (const [index, row] of rows.entries()) {
    flaws.push(...flawsIn(validate, row, `/data/${index}`))
    if (flaws.length >= limits.errorsMax) break
  }
  if (flaws.length > 0) throw invalid(...flaws.slice(0, limits.errorsMax))
}

function flawsIn(validate: ValidateFunction, value: unknown, place: string): Flaw[] {
  if (validate(value)) return []
  // A large body can be wrong in ten thousand places, and each takes a while to put into words.
  return (validate.errors ?? []).slice(0, limits.errorsMax).map((error) => {
    const flaw = flawOf(error, validate)
    return { ...flaw, pointer: `${place}${flaw.pointer}` }
  })
}

const codes: Record<string, string> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  type: 'wrong_type',
  enum: 'not_allowed',
  minLength: 'too_short',
  maxLength: 'too_long',
  pattern: 'wrong_form',
  format: 'wrong_form',
  minimum: 'too_small',
  maximum: 'too_large',
  maxItems: 'too_many',
  minItems: 'too_few',
  uniqueItems: 'repeated',
  maxProperties: 'too_many',
  propertyNames: 'wrong_name',
}

/** Says where and what is expected; never what was sent, which may be private. */
function flawOf(error: ErrorObject, { schema }: ValidateFunction): Flaw {
  const { keyword, instancePath, params } = error
  const { missingProperty: missing, additionalProperty: unknown } = params
  const member = missing ?? (unknown === undefined ? null : shown(String(unknown)))
  const place = instancePath.slice(0, 200).replaceAll(/\p{Cc}/gu, '?')
  const pointer = member === null ? place : `${place}/${escape(String(member))}`
  return { pointer, code: codes[keyword] ?? 'not_allowed', detail: detailOf(error, schema) }
}

const formsOf: Record<string, string> = {
  email: 'must be an email address',
  date: 'must be a day that exists, as YYYY-MM-DD',
}

const typeName = (type: string) => (type === 'boolean' ? 'true or false' : type)

function detailOf({ keyword, message, params }: ErrorObject, schema: unknown): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') {
    const known = Object.keys((schema as { properties?: object }).properties ?? {})
    return `is not a known field${suggest(String(params['additionalProperty']), known)}`
  }
  if (keyword === 'type') return `must be ${[params['type']].flat().map(typeName).join(' or ')}`
  if (keyword === 'format') return formsOf[String(params['format'])] ?? 'has the wrong form'
  if (keyword === 'pattern') return 'must have the form that the contract gives for it'
  if (keyword === 'enum')
    return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
  return message ?? 'is not allowed'
}

const escape = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** What is wrong with one query parameter, in words; null when nothing is. */
export function parameterFlaw(validate: ValidateFunction, value: unknown): string | null {
  if (validate(value)) return null
  const [error] = validate.errors ?? []
  return error ? detailOf(error, {}) : 'is not allowed'
}
