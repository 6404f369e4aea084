import { limits, linkUrlLengthMax } from '@muster/contract'
import formats from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

import { type InvalidField, invalidFields } from '#domain/engine/failure'
import { TimeSlice } from '#domain/engine/time-slice'

import { expected } from './expected.ts'
import { printable } from './nearest.ts'

/**
 * Validation never changes a value. `allErrors` reports all errors at once. It is safe, because the
 * contract limits every string and array, and the size of the body.
 */
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  // An error then has the schema that the value does not match.
  verbose: true,
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
  if (count > 0) throw invalidFields(withKnownFields(listed, validate), { count, isExact: true })
}

/** The message about the first unknown field of a body lists the known ones. */
function withKnownFields(errors: InvalidField[], { schema }: ValidateFunction): InvalidField[] {
  const first = errors.findIndex(
    ({ pointer, code }) => /^\/[^/]*$/.test(pointer) && code === 'unknown_field',
  )
  const known = Object.keys((schema as { properties?: object }).properties ?? {})
  if (first === -1 || known.length === 0) return errors
  return errors.map((error, index) => {
    if (index !== first) return error
    const detail = `${error.detail}. Known fields: ${known.join(', ')}`.replace('?.', '?')
    return { ...error, detail }
  })
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

/** With `anyOf`, one of several fields is required. */
function requiredDetail({ schemaPath, params }: ErrorObject, schema: unknown): string {
  if (!schemaPath.startsWith('#/anyOf/')) return 'is required'
  // The cast holds because the alternatives of the contract only name required fields.
  const { anyOf } = schema as { anyOf: readonly { required: readonly string[] }[] }
  const others = anyOf.flatMap(({ required }) => required)
  const names = others.filter((name) => name !== params['missingProperty'])
  return `is required, unless ${names.join(' or ')} is sent`
}

const detailOf = (error: ErrorObject, schema: unknown) =>
  error.keyword === 'required' ? requiredDetail(error, schema) : expected(error)

const escape = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Why a query parameter is invalid; null when it is valid. */
export function parameterError(validate: ValidateFunction, value: unknown): string | null {
  if (validate(value)) return null
  const [error] = validate.errors ?? []
  return error ? detailOf(error, {}) : 'is not allowed'
}
