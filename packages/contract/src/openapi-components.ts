type Json = Record<string, unknown>

export interface Described extends Json {
  readonly parameters: Json[]
  readonly responses: Record<string, Json>
}

interface Shared {
  readonly parameters: Json
  readonly responses: Json
}

/**
 * Moves the responses of problems and the parameters that operations share to the components of the
 * document, and replaces them with references: half the document would be repetitions.
 */
export function shareComponents(paths: Record<string, Record<string, Described>>): Shared {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return { parameters: shareParameters(operations), responses: shareResponses(operations) }
}

/** Of each parameter, the form that most operations have. The others stay where they are. */
function shareParameters(operations: readonly Described[]): Json {
  const uses = new Map<string, Map<string, number>>()
  for (const parameter of operations.flatMap(({ parameters }) => parameters)) {
    const forms = uses.get(parameterName(parameter)) ?? new Map<string, number>()
    uses.set(parameterName(parameter), forms)
    forms.set(JSON.stringify(parameter), (forms.get(JSON.stringify(parameter)) ?? 0) + 1)
  }
  const shared: Json = {}
  for (const { parameters } of operations) {
    for (const [index, parameter] of parameters.entries()) {
      const name = parameterName(parameter)
      const [form, count] = mostUsed(uses.get(name) ?? new Map())
      if (count === 1 || form !== JSON.stringify(parameter)) continue
      shared[name] = parameter
      parameters[index] = { $ref: `#/components/parameters/${name}` }
    }
  }
  return shared
}

const parameterName = (parameter: Json) => `${String(parameter['in'])}_${String(parameter['name'])}`

function mostUsed(forms: ReadonlyMap<string, number>): [form: string, count: number] {
  const [first = ['', 0]] = [...forms].toSorted(([, one], [, other]) => other - one)
  return first
}

/** Responses that several operations have are named after what not all of their status have. */
function shareResponses(operations: readonly Described[]): Json {
  const common = new Map<string, Set<string>>()
  const uses = new Map<string, number>()
  for (const [status, response] of operations.flatMap(({ responses }) => problemsIn(responses))) {
    const codes = codesOf(response)
    common.set(status, common.get(status)?.intersection(codes) ?? codes)
    uses.set(JSON.stringify(response), (uses.get(JSON.stringify(response)) ?? 0) + 1)
  }
  const shared: Json = {}
  for (const { responses } of operations) {
    for (const [status, response] of problemsIn(responses)) {
      if (uses.get(JSON.stringify(response)) === 1) continue
      const special = codesOf(response).difference(common.get(status) ?? new Set())
      const name = [status === '304' ? 'unchanged' : `problem_${status}`, ...special].join('_')
      shared[name] = response
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return shared
}

const problemsIn = (responses: Record<string, Json>) =>
  Object.entries(responses).filter(([status]) => Number(status) >= 300)

/** The codes of the problems with which a response is documented. A 304 has none. */
function codesOf(response: Json): Set<string> {
  const content = response['content'] as Record<string, { examples: Json }> | undefined
  return new Set(Object.keys(content?.['application/problem+json']?.examples ?? {}))
}

/**
 * The patterns that only the service can check: other languages know neither classes of Unicode
 * nor look-ahead. Each is replaced by one that accepts at least the same, or left out.
 */
const portablePatterns: Readonly<Record<string, string | null>> = {
  '^(?!\\p{Z}*$)[^\\p{Cc}]*$': '\\S',
  '^(?:[^\\p{Cc}]|[\\t\\n])*$': null,
  '^[^\\p{Z}\\p{C},]+$': '^[^\\s,]+$',
  '^(?!0000)': null,
}

/** The value with patterns that every implementation of JSON Schema can check. */
export function withPortablePatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPortablePatterns)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    if (name !== 'pattern' || typeof each !== 'string') return [[name, withPortablePatterns(each)]]
    const portable = portablePatterns[each] === undefined ? each : portablePatterns[each]
    return portable === null ? [] : [[name, portable]]
  })
  return Object.fromEntries(entries)
}
