import { type FastifyBaseLogger, LogController } from 'fastify'

import { openLogOutput } from './log-output.ts'

/**
 * Structured logging with an allow-list of fields. A deny-list is not enough: the message of an
 * error may contain a caller's value, and the URL of the database contains a password.
 */
export const logOptions = (level: string) => ({
  level,
  base: null,
  stream: openLogOutput(),
  serializers: {
    err: (error: unknown) => loggableError(error),
    // Fastify's serializers would log the URL and the client's address.
    req: () => ({}),
    res: () => ({}),
  },
  hooks: {
    logMethod(this: unknown, args: unknown[], method: (...args: unknown[]) => void) {
      method.apply(this, withSafeMessage(args))
    },
    streamWrite: redact,
  },
})

/** One logger serves all requests: creating one for each takes longer than its only line. */
export const requestLogging = {
  logController: new LogController({ disableRequestLogging: true }),
  childLoggerFactory: (logger: FastifyBaseLogger) => logger,
}

/** Sets a message, because pino would use the message of the error when there is none. */
function withSafeMessage([fields, message, ...rest]: unknown[]): unknown[] {
  if (typeof fields === 'string') return [withoutQuery(fields)]
  if (fields instanceof Error) return [{ err: fields }, 'an error']
  const safeMessage = typeof message === 'string' ? withoutQuery(message) : message
  const isError = typeof fields === 'object' && fields !== null && 'err' in fields
  return safeMessage === undefined && isError
    ? [fields, 'an error']
    : [fields, safeMessage, ...rest]
}

/** Some warnings of Fastify contain the URL. */
const withoutQuery = (text: string) => text.replaceAll(/\?[^\s"]+/g, '')

/** Defence in depth: redacts everything that looks like a credential. */
export function redact(line: string): string {
  if (!line.includes('muster_') && !line.includes('://')) return line
  return line
    .replaceAll(/muster_(key|session)_\w+/g, 'muster_$1_…')
    .replaceAll(/(:\/\/[^\s:@/"]*):[^\s@/"]+@/g, '$1:…@')
}

/** Fields of an error that hold only names and numbers of the service, node or PostgreSQL. */
const loggedFields = [
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

interface LoggableError {
  readonly type: string
  /** Empty unless the message is known to contain no values. */
  readonly message: string
  readonly stack: string
  readonly causes: readonly LoggableError[]
  readonly [field: string]: unknown
}

const depthMax = 5

/**
 * An error for the log: its name, the allowed fields and the stack. The message is logged only if
 * it is ours: messages of PostgreSQL ("Key (email)=(…)") and `JSON.parse` contain values.
 */
export function loggableError(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '', causes: [] }
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause]
  const causes = inner.filter((cause) => cause !== undefined).slice(0, depthMax)
  return {
    ...fieldsOf(error),
    type: /^\w{1,64}$/.test(error.name) ? error.name : 'Error',
    message: isMessageSafe(error) ? error.message : '',
    stack: framesOf(error),
    causes: depth < depthMax ? causes.map((cause) => loggableError(cause, depth + 1)) : [],
  }
}

/** The message of an assertion is safe, unless node generated it from the compared values. */
const isMessageSafe = (error: Error) =>
  error.name === 'StorageError' ||
  (error.name === 'AssertionError' && 'generatedMessage' in error && !error.generatedMessage)

function fieldsOf(error: Error): Record<string, unknown> {
  const own = error as unknown as Record<string, unknown>
  const fields = loggedFields.map((name) => [name, own[name]] as const)
  return Object.fromEntries(fields.filter(([, value]) => isLoggable(value)))
}

const isLoggable = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^[\w.:/-]{1,64}$/.test(value))

/** The frames of the stack, without the message. */
function framesOf({ stack = '', message }: Error): string {
  const frames = message === '' ? stack : stack.replaceAll(message, '')
  const lines = frames.split('\n').filter((line) => /^ {4}at \S.{0,300}:\d+:\d+\)?$/.test(line))
  return lines.join('\n')
}
