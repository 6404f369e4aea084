/** Bytes that someone could send, and the answers that they must get. */
export interface Framing {
  readonly bytes: string | Buffer
  /** The status of every answer on the connection, in order. */
  readonly direct: readonly number[]
  /**
   * The same behind HAProxy, when it differs. It decides where a request ends and says so anew, so
   * that what we would refuse can reach us mended; what matters is that both count the same.
   */
  readonly proxied?: readonly number[]
}

export const crlf = (...lines: string[]) => lines.join('\r\n')

/** A request line and headers, with what every honest request has. */
export const get = (target: string, ...headers: string[]) =>
  crlf(`GET ${target} HTTP/1.1`, 'host: muster', ...headers, 'connection: close', '', '')

export const post = (headers: string[], body: string) =>
  crlf('POST /v1/personnel HTTP/1.1', 'host: muster', json, ...headers, '', body)

export const json = 'content-type: application/json'
export const chunked = 'transfer-encoding: chunked'
export const close = 'connection: close'
