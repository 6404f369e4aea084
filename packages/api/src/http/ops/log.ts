/**
 * How the service logs. What goes into a line is listed, never filtered: the words of an error may
 * hold a value of the caller's, and the URL of the database holds a password.
 */
export const logOptions = (level: string) => ({
  level,
  base: null,
  serializers: {
    err: (error: unknown) => tellError(error),
    // Fastify's own would tell the URL and the address of whoever asked.
    req: () => ({}),
    res: () => ({}),
  },
  hooks: {
    logMethod(this: unknown, args: unknown[], method: (...args: unknown[]) => void) {
      method.apply(this, withOwnWords(args))
    },
    streamWrite: redact,
  },
})

/** A line about an error that has no words of its own would be given those of the error. */
function withOwnWords([facts, message, ...rest]: unknown[]): unknown[] {
  if (typeof facts === 'string') return [withoutQuery(facts)]
  if (facts instanceof Error) return [{ err: facts }, 'an error']
  const words = typeof message === 'string' ? withoutQuery(message) : message
  const isError = typeof facts === 'object' && facts !== null && 'err' in facts
  return words === undefined && isError ? [facts, 'an error'] : [facts, words, ...rest]
}

/** Fastify names the URL in some warnings. */
const withoutQuery = (text: string) => text.replaceAll(/\?[^\s"]+/g, '')

/** The last wall, behind all others: what looks like a credential does not leave the process. */
export const redact = (line: string) =>
  line
    .replaceAll(/muster_(key|session)_\w+/g, 'muster_$1_…')
    .replaceAll(/(:\/\/[^\s:@/"]*):[^\s@/"]+@/g, '$1:…@')

/** Facts about an error that are names and numbers of ours, of node's or of the database's. */
const factNames = [
  'code',
  'syscall',
  'address',
  'port',
  'meaning',
  'problem',
  'severity',
  'table',
  'column',
  'constraint',
  'routine',
]

interface Told {
  readonly type: string
  /** Empty when the words are not ours. */
  readonly message: string
  readonly stack: string
  readonly causes: readonly Told[]
  readonly [fact: string]: unknown
}

const depthMax = 5

/**
 * An error for the log: its name, facts from the list, and where it was thrown. Its words only if
 * they are ours. PostgreSQL's name values ("Key (email)=(…)"), and so do those of `JSON.parse`.
 */
export function tellError(error: unknown, depth = 0): Told {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '', causes: [] }
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause]
  const causes = inner.filter((cause) => cause !== undefined).slice(0, depthMax)
  return {
    ...factsOf(error),
    type: /^\w{1,64}$/.test(error.name) ? error.name : 'Error',
    message: hasOurWords(error) ? error.message : '',
    stack: framesOf(error),
    causes: depth < depthMax ? causes.map((cause) => tellError(cause, depth + 1)) : [],
  }
}

/** An assertion has our words, unless node made them from the values that were compared. */
const hasOurWords = (error: Error) =>
  error.name === 'StorageError' ||
  (error.name === 'AssertionError' && 'generatedMessage' in error && !error.generatedMessage)

function factsOf(error: Error): Record<string, unknown> {
  const own = error as unknown as Record<string, unknown>
  const facts = factNames.map((name) => [name, own[name]] as const)
  return Object.fromEntries(facts.filter(([, value]) => isPlain(value)))
}

const isPlain = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^[\w.:/-]{1,64}$/.test(value))

/** The stack without its first lines, which repeat the words. */
function framesOf({ stack = '', message }: Error): string {
  const frames = message === '' ? stack : stack.replaceAll(message, '')
  const lines = frames.split('\n').filter((line) => /^ {4}at \S.{0,300}:\d+:\d+\)?$/.test(line))
  return lines.join('\n')
}
