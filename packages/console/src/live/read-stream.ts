import type { LoggedEvent } from '@muster/contract'

import { createStreamParser, type StreamMessage } from './event-stream.ts'

/** A change, as far as the console needs it. */
export type LiveChange = Pick<LoggedEvent, 'type' | 'subject' | 'request_id' | 'changed'>

/** Changes in the order of the service, and the position after them. */
export interface LiveChanges {
  readonly position: string
  readonly changes: readonly LiveChange[]
}

/**
 * Why a stream ended: `bye`, the process stops; `lost`, the position is not valid any more;
 * `refused`, the session has ended or may not read; `unsupported`, the service has no stream.
 */
export type Ending = 'bye' | 'lost' | 'refused' | 'unsupported' | 'failed'

interface Request {
  readonly after: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onChanges: (changes: LiveChanges) => void
}

/** The service sends something every 15 s. After a sleep of the machine nothing comes any more. */
const silenceMs = 45_000

/** Reads the stream of changes until it ends. Never throws. */
export async function readStream(request: Request): Promise<Ending> {
  const { after, headers, signal } = request
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  const onPart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  try {
    const response = await fetch(`/v1/events?${new URLSearchParams({ after }).toString()}`, {
      headers: { ...headers, accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!isStream(response)) return endingOf(response.status)
    return await readMessages(response.body, request.onChanges, onPart)
  } catch {
    return 'failed'
  } finally {
    clearTimeout(timer)
    // Closes the connection if the end was read before the service closed it.
    silence.abort()
  }
}

const isStream = (
  response: Response,
): response is Response & { readonly body: ReadableStream<Uint8Array<ArrayBuffer>> } =>
  response.ok &&
  response.body !== null &&
  (response.headers.get('content-type')?.startsWith('text/event-stream') ?? false)

/** What the status of a response without a stream means. */
function endingOf(status: number): Ending {
  if (status === 410) return 'lost'
  if (status === 401 || status === 403) return 'refused'
  return status === 429 || status >= 500 ? 'failed' : 'unsupported'
}

async function readMessages(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onChanges: Request['onChanges'],
  onPart: () => void,
): Promise<Ending> {
  const parse = createStreamParser()
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return 'failed'
    onPart()
    const messages = parse(value)
    const changes = changesIn(messages)
    if (changes) onChanges(changes)
    const last = messages.at(-1)
    if (last?.event === 'bye') return 'bye'
    if (last?.event === 'end') return endingOf(statusIn(last))
  }
}

/** The changes of one part of the stream; null if it has no new position. */
function changesIn(messages: readonly StreamMessage[]): LiveChanges | null {
  const placed = messages.filter(({ id }) => id !== null)
  const position = placed.at(-1)?.id
  if (position === undefined || position === null) return null
  const changes = placed
    .filter(({ data }) => data !== '')
    // The cast holds because the service sends an event with each of its positions.
    .map(({ data }) => JSON.parse(data) as LiveChange)
    .map(({ type, subject, request_id, changed }) => ({ type, subject, request_id, changed }))
  return { position, changes }
}

/** The cast holds because the data of `end` is a problem. */
const statusIn = ({ data }: StreamMessage) =>
  (JSON.parse(data) as { readonly status: number }).status
