/** One message of a stream of server-sent events. */
export interface StreamMessage {
  /** The position after it; null if the message has none. */
  readonly id: string | null
  /** The name of the event; empty if the message only has an id. */
  readonly event: string
  readonly data: string
}

type Fields = Record<string, string>

/**
 * Returns a function that takes the next part of a stream of server-sent events and returns the
 * messages that it completes. A part can end anywhere, also within a line. Comments and `retry` are
 * ignored.
 */
export function createStreamParser(): (part: string) => StreamMessage[] {
  let rest = ''
  let fields: Fields = {}
  const take = (line: string): StreamMessage[] => {
    if (line !== '') {
      addLine(fields, line)
      return []
    }
    const message = messageOf(fields)
    fields = {}
    return message === null ? [] : [message]
  }
  return (part) => {
    const text = rest + part
    // A carriage return at the end may be the first half of a line end.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    return lines.flatMap(take)
  }
}

/** Several lines of data are one text with line ends. */
function addLine(fields: Fields, line: string): void {
  const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  const before = fields[name]
  Object.assign(fields, {
    [name]: name === 'data' && before !== undefined ? `${before}\n${value}` : value,
  })
}

function messageOf({ id, event = '', data = '' }: Fields): StreamMessage | null {
  const isEmpty = id === undefined && event === '' && data === ''
  return isEmpty ? null : { id: id ?? null, event, data }
}
