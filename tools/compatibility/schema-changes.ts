/** Requests break when fewer values are accepted, responses when more can be returned. */
export type Direction = 'request' | 'response'

type Json = Record<string, unknown>

export interface Schema extends Json {
  readonly $ref?: string
  readonly type?: string | string[]
  readonly properties?: Record<string, Schema>
  readonly required?: string[]
  readonly items?: Schema
  readonly propertyNames?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: Schema[]
  readonly enum?: unknown[]
  readonly 'x-extensible-enum'?: unknown[]
}

interface Components {
  readonly schemas: Record<string, Schema>
}

/** One comparison of two documents. `seen` has the shared schemas that were compared. */
export interface Comparison {
  readonly before: Components
  readonly after: Components
  readonly seen: Set<string>
}

/** A schema before and after, its direction and its place in the document. */
interface Pair {
  readonly before: Schema
  readonly after: Schema
  readonly direction: Direction
  readonly place: string
}

const annotations = new Set(['description', 'title', 'example', 'examples', 'default'])
const compared = new Set(
  `$ref type properties required items propertyNames additionalProperties anyOf enum
  x-extensible-enum pattern format uniqueItems minimum maximum minLength maxLength minItems maxItems
  maxProperties`.split(/\s+/),
)

/** Breaking changes of a schema. Throws for a keyword that it cannot compare. */
export function schemaChanges(comparison: Comparison, pair: Pair): string[] {
  const { before, after } = pair
  if (before.$ref === undefined || before.$ref !== after.$ref) {
    return directChanges(comparison, resolved(comparison, pair))
  }
  const name = before.$ref.split('/').at(-1) ?? ''
  const key = `${pair.direction} ${name}`
  if (comparison.seen.has(key)) return []
  comparison.seen.add(key)
  return directChanges(comparison, resolved(comparison, { ...pair, place: key }))
}

function resolved(comparison: Comparison, pair: Pair): Pair {
  const look = (schema: Schema, { schemas }: Components): Schema => {
    if (schema.$ref === undefined) return schema
    const target = schemas[schema.$ref.split('/').at(-1) ?? '']
    if (target === undefined) throw new Error(`${pair.place}: ${schema.$ref} is not there`)
    return look(target, { schemas })
  }
  const before = look(pair.before, comparison.before)
  const after = look(pair.after, comparison.after)
  for (const keyword of [...Object.keys(before), ...Object.keys(after)]) {
    if (compared.has(keyword) || annotations.has(keyword)) continue
    throw new Error(`${pair.place}: the keyword ${keyword} cannot be compared`)
  }
  return { ...pair, before, after }
}

const directChanges = (comparison: Comparison, pair: Pair): string[] => [
  ...typeChanges(pair),
  ...valueChanges(pair),
  ...boundChanges(pair),
  ...textChanges(pair),
  ...requiredChanges(pair),
  ...propertyChanges(comparison, pair),
  ...elementChanges(comparison, pair),
  ...branchChanges(comparison, pair),
]

/** The types of a schema. Each integer is a number too. */
function typesOf({ type }: Schema): Set<string> | null {
  if (type === undefined) return null
  const types = new Set([type].flat())
  return types.has('number') ? types.add('integer') : types
}

/** What the second set lacks of the first. A set that is null has everything. */
function missing<T>(wanted: Set<T> | null, given: Set<T> | null): T[] | 'all' {
  if (given === null) return []
  return wanted === null ? 'all' : [...wanted].filter((each) => !given.has(each))
}

function typeChanges({ before, after, direction, place }: Pair): string[] {
  const [old, now] = [typesOf(before), typesOf(after)]
  const lost = direction === 'request' ? missing(old, now) : missing(now, old)
  if (lost.length === 0) return []
  const named = (types: Set<string> | null) => [...(types ?? ['any'])].join(' or ')
  return [`${place}: the type is ${named(now)} instead of ${named(old)}`]
}

const valuesOf = (values: unknown[] | undefined) =>
  values ? new Set(values.map((each) => JSON.stringify(each))) : null

/** A value never disappears. A closed list in a response does not grow either. */
function valueChanges({ before, after, direction, place }: Pair): string[] {
  const closed = [valuesOf(before.enum), valuesOf(after.enum)] as const
  const open = [
    valuesOf(before['x-extensible-enum']),
    valuesOf(after['x-extensible-enum']),
  ] as const
  const known = [closed[0] ?? open[0], closed[1] ?? open[1]] as const
  const lost = known[0] === null ? [] : missing(known[0], known[1])
  const isClosing = direction === 'request' && closed[0] === null && closed[1] !== null
  const gained = direction === 'response' ? missing(closed[1], closed[0]) : []
  return [
    ...(lost === 'all' ? [] : lost.map((each) => `${place}: the value ${each} is removed`)),
    ...(isClosing ? [`${place}: only listed values are accepted`] : []),
    ...(gained === 'all' ? [`${place}: values that are not listed can be returned`] : []),
    ...(gained === 'all'
      ? []
      : gained.map((each) => `${place}: the value ${each} can be returned`)),
  ]
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')

const bounds = {
  minimum: -1,
  minLength: -1,
  minItems: -1,
  maximum: 1,
  maxLength: 1,
  maxItems: 1,
  maxProperties: 1,
} as const

/**
 * Requests accept no less. Responses return no numbers outside the range; longer texts and lists
 * are not breaking, because otherwise no limit could be raised.
 */
function boundChanges({ before, after, direction, place }: Pair): string[] {
  return Object.entries(bounds).flatMap(([name, sign]) => {
    const isNumber = name === 'minimum' || name === 'maximum'
    if (direction === 'response' && !isNumber) return []
    const least = name.startsWith('min') && !isNumber ? 0 : Number.POSITIVE_INFINITY
    const roomOf = (schema: Schema) => {
      const value = schema[name]
      return typeof value === 'number' ? value * sign : least
    }
    const growth = roomOf(after) - roomOf(before)
    const isBreaking = direction === 'request' ? growth < 0 : growth > 0
    return isBreaking
      ? [`${place}: ${name} is ${textOf(after[name])} instead of ${textOf(before[name])}`]
      : []
  })
}

/** Two patterns cannot be compared, so that each other pattern or format is breaking. */
function textChanges({ before, after, direction, place }: Pair): string[] {
  const stricter = direction === 'request' ? after : before
  return ['pattern', 'format', 'uniqueItems'].flatMap((name) => {
    const isDropped = stricter[name] === undefined || stricter[name] === false
    if (before[name] === after[name] || isDropped) return []
    return [`${place}: ${name} is ${textOf(after[name])} instead of ${textOf(before[name])}`]
  })
}

function requiredChanges({ before, after, direction, place }: Pair): string[] {
  const [old, now] = [new Set(before.required), new Set(after.required)]
  if (direction === 'request') {
    const added = [...now].filter((name) => !old.has(name))
    return added.map((name) => `${place}/${name} is required`)
  }
  const dropped = [...old].filter((name) => !now.has(name) && after.properties?.[name])
  return dropped.map((name) => `${place}/${name} can be missing`)
}

/** The service refuses unknown fields and clients read known ones, so a field never disappears. */
function propertyChanges(comparison: Comparison, pair: Pair): string[] {
  const { before, after, direction, place } = pair
  return Object.entries(before.properties ?? {}).flatMap(([name, old]) => {
    const now = after.properties?.[name]
    if (now === undefined) return [`${place}/${name} is removed`]
    return schemaChanges(comparison, {
      before: old,
      after: now,
      direction,
      place: `${place}/${name}`,
    })
  })
}

/** Elements of lists, and the names and values of fields that the schema does not list. */
function elementChanges(comparison: Comparison, pair: Pair): string[] {
  const { before, after, direction, place } = pair
  const asSchema = (value: boolean | Schema | undefined): Schema | false =>
    value === false ? false : value === true || value === undefined ? {} : value
  return (['items', 'propertyNames', 'additionalProperties'] as const).flatMap((keyword) => {
    if (before[keyword] === undefined && after[keyword] === undefined) return []
    const [old, now] = [asSchema(before[keyword]), asSchema(after[keyword])]
    const here = `${place}/${keyword}`
    if (old !== false && now !== false) {
      return schemaChanges(comparison, { before: old, after: now, direction, place: here })
    }
    const isRefusing = direction === 'request' && old !== false
    return isRefusing ? [`${here}: fields that are not listed are refused`] : []
  })
}

/** Each alternative of the narrower side must fit into one of the wider side. */
function branchChanges(comparison: Comparison, pair: Pair): string[] {
  const { direction, place } = pair
  if (pair.before.anyOf === undefined && pair.after.anyOf === undefined) return []
  const before = pair.before.anyOf ?? [{}]
  const after = pair.after.anyOf ?? [{}]
  const fits = (old: Schema, now: Schema) => {
    const trial = { ...comparison, seen: new Set(comparison.seen) }
    return schemaChanges(trial, { before: old, after: now, direction, place }).length === 0
  }
  const lost =
    direction === 'request'
      ? before.filter((old) => !after.some((now) => fits(old, now)))
      : after.filter((now) => !before.some((old) => fits(old, now)))
  return lost.map((each) => `${place}: no alternative matches ${JSON.stringify(each)}`)
}
