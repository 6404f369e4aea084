import type { TObject } from 'typebox'

import { everyOperation } from './index.ts'

interface TextSchema {
  readonly maxLength?: number
  readonly format?: string
  readonly pattern?: string
  readonly anyOf?: readonly TextSchema[]
}

/** Ids, dates and times have a fixed form; forms do not limit their length. */
const isFree = ({ maxLength, format = 'email', pattern = '' }: TextSchema) =>
  maxLength !== undefined && format === 'email' && !/^\^(?:[a-z]{3}_|\[12\]\\d)/.test(pattern)

/**
 * The lengths of the texts in bodies by noun and field, for the controls of forms. All bodies of a
 * noun have the same limit for a field.
 */
export function textLimits(): Record<string, Record<string, number>> {
  const limits: Record<string, Record<string, number>> = {}
  for (const { name, operation } of everyOperation()) {
    const [noun = ''] = name.split('.')
    for (const [field, schema] of Object.entries(propertiesOf(operation.body))) {
      const text = [schema, ...(schema.anyOf ?? [])].find(isFree)
      if (text?.maxLength === undefined) continue
      const known = ((limits[noun] ??= {})[field] ??= text.maxLength)
      if (known !== text.maxLength) throw new Error(`${name} has another limit for ${field}`)
    }
  }
  return limits
}

const propertiesOf = (body: TObject | undefined) =>
  // The cast holds because every schema of TypeBox is a JSON schema.
  (body?.properties ?? {}) as Readonly<Record<string, TextSchema>>
