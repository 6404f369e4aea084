/** Bytes of a client, and the expected responses. */
export interface SmugglingCase {
  readonly bytes: string | Buffer
  /** The status of every response on the connection, in order. */
  readonly direct: readonly number[]
  /**
   * The same behind HAProxy, when it differs. HAProxy parses and rewrites requests, so it can
   * repair what the service would refuse. Both must agree on the number of requests.
   */
  readonly proxied?: readonly number[]
}

export const crlf = (...lines: string[]) => lines.join('\r\n')

/** A well-formed request line and headers, with additional headers. */
export const get = (target: string, ...headers: string[]) =>
  crlf(`GET ${target} HTTP/1.1`, 'host: muster', ...headers, 'connection: close', '', '')

export const post = (headers: string[], body: string) =>
  crlf('POST /v1/personnel HTTP/1.1', 'host: muster', json, ...headers, '', body)

export const json = 'content-type: application/json'
export const chunked = 'transfer-encoding: chunked'
export const close = 'connection: close'
