import { limits, linkUrlLengthMax, linkUrlPattern } from '@muster/contract'
import formats from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

import { type InvalidField, invalidFields } from '#domain/engine/failure'
import { TimeSlice } from '#domain/engine/time-slice'

import { printable, suggest } from './nearest.ts'

/**
 * Validation never changes a value. `allErrors` reports all errors at once. It is safe, because the
 * contract limits every string and array, and the size of the body.
 */
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  // An alternative of `anyOf` requires a field that the schema around it defines.
  strictRequired: false,
  allowUnionTypes: true,
  unicodeRegExp: true,
  validateFormats: true,
  keywords: ['x-extensible-enum'],
})
formats.default(ajv, ['email', 'date', 'date-time'])
ajv.addFormat('uri', isUri)

/**
 * RFC 3986, and a browser must be able to open it: the grammar allows a port of 99999. The limit of
 * the length refuses longer texts.
 */
function isUri(text: string): boolean {
  if (text.length > linkUrlLengthMax) return true
  const { uri } = fullFormats
  return typeof uri === 'function' && uri(text) && URL.canParse(text)
}

export const compile = (schema: object): ValidateFunction => ajv.compile(schema)

/** Throws `validation_failed` with all field errors, up to the limit. */
export function checkBody(validate: ValidateFunction, body: unknown): void {
  const { listed, count } = fieldErrorsIn(validate, body, '')
  if (count > 0) throw invalidFields(listed, { count, isExact: true })
}

/** Like `checkBody`, row by row in time slices. It stops at the maximum number of errors. */
export async function checkRows(
  validate: ValidateFunction,
  rows: readonly unknown[],
): Promise<void> {
  const listed: InvalidField[] = []
  let [checked, count] = [0, 0]
  const slice = new TimeSlice()
  for (const row of rows) {
    const inRow = fieldErrorsIn(validate, row, `/data/${checked}`)
    listed.push(...inRow.listed)
    count += inRow.count
    checked += 1
    if (count >= limits.errorsMax) break
    await slice.step()
  }
  if (count > 0) throw invalidFields(listed, { count, isExact: checked === rows.length })
}

interface FieldErrors {
  /** The first errors, up to the limit. */
  readonly listed: InvalidField[]
  /** The number of all errors. */
  readonly count: number
}

function fieldErrorsIn(validate: ValidateFunction, value: unknown, path: string): FieldErrors {
  if (validate(value)) return { listed: [], count: 0 }
  // The errors of its alternatives say what is wrong.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf')
  // A large body can have ten thousand errors, and formatting each takes time.
  const listed = errors.slice(0, limits.errorsMax).map((error) => {
    const fieldError = fieldErrorOf(error, validate)
    return { ...fieldError, pointer: `${path}${fieldError.pointer}` }
  })
  // The errors would stay in memory until the next call.
  validate.errors = null
  return { listed, count: errors.length }
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

/** States the field and what is expected, never the value, which may be private. */
function fieldErrorOf(error: ErrorObject, { schema }: ValidateFunction): InvalidField {
  const { keyword, instancePath, params } = error
  const { missingProperty: missing, additionalProperty: unknown } = params
  const member = missing ?? (unknown === undefined ? null : printable(String(unknown)))
  const path = instancePath.slice(0, 200).replaceAll(/\p{Cc}/gu, '?')
  const pointer = member === null ? path : `${path}/${escape(String(member))}`
  return { pointer, code: codes[keyword] ?? 'not_allowed', detail: detailOf(error, schema) }
}

const formatDetails: Record<string, string> = {
  email: 'must be an email address',
  date: 'must be a valid date, as YYYY-MM-DD',
  uri: 'must be a valid URL; percent-encode spaces and other special characters',
}

const patternDetails: Record<string, string> = {
  [linkUrlPattern]: 'must start with https:// and a host, without a user name or password',
}

const typeName = (type: string) => (type === 'boolean' ? 'true or false' : type)

/** With `anyOf`, one of several fields is required. */
function requiredDetail({ schemaPath, params }: ErrorObject, schema: unknown): string {
  if (!schemaPath.startsWith('#/anyOf/')) return 'is required'
  // The cast holds because the alternatives of the contract only name required fields.
  const { anyOf } = schema as { anyOf: readonly { required: readonly string[] }[] }
  const others = anyOf.flatMap(({ required }) => required)
  const names = others.filter((name) => name !== params['missingProperty'])
  return `is required, unless ${names.join(' or ')} is sent`
}

function detailOf(error: ErrorObject, schema: unknown): string {
  const { keyword, message, params } = error
  if (keyword === 'required') return requiredDetail(error, schema)
  if (keyword === 'additionalProperties') {
    const known = Object.keys((schema as { properties?: object }).properties ?? {})
    return `is not a known field${suggest(String(params['additionalProperty']), known)}`
  }
  if (keyword === 'type') return `must be ${[params['type']].flat().map(typeName).join(' or ')}`
  if (keyword === 'format') return formatDetails[String(params['format'])] ?? 'has the wrong format'
  if (keyword === 'pattern') {
    return patternDetails[String(params['pattern'])] ?? 'must match the documented pattern'
  }
  if (keyword === 'enum')
    return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
  return message ?? 'is not allowed'
}

const escape = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Why a query parameter is invalid; null when it is valid. */
export function parameterError(validate: ValidateFunction, value: unknown): string | null {
  if (validate(value)) return null
  const [error] = validate.errors ?? []
  return error ? detailOf(error, {}) : 'is not allowed'
}
