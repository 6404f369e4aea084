import { close, crlf, type SmugglingCase, get, post } from './request-smuggling-bytes.ts'
import { chunks, framing, pipelines } from './request-smuggling-framing.ts'

/** Malformed lines. */
const lines: Record<string, SmugglingCase> = {
  'LF instead of CRLF': {
    bytes: 'GET /livez HTTP/1.1\nhost: muster\n\n',
    direct: [400],
    proxied: [200],
  },
  'CR alone between headers': {
    bytes: 'GET /livez HTTP/1.1\r\nhost: muster\rx: y\r\n\r\n',
    direct: [400],
  },
  'a folded header': { bytes: get('/livez', 'x-a: b', ' c'), direct: [400], proxied: [200] },
  'a folded first header': {
    bytes: 'GET /livez HTTP/1.1\r\n host: muster\r\n\r\n',
    direct: [400],
  },
  'a header without a colon': { bytes: get('/livez', 'nonsense'), direct: [400] },
  'a header without a name': { bytes: get('/livez', ': x'), direct: [400] },
  'a header name with a space': { bytes: get('/livez', 'x y: z'), direct: [400] },
  'a header name with a NUL': { bytes: get('/livez', 'x\0y: z'), direct: [400] },
  'a header value with a NUL': { bytes: get('/livez', 'x: y\0z'), direct: [400] },
  'a header value with BEL': { bytes: get('/livez', 'x: y\x07z'), direct: [400] },
  'a non-ASCII header name': { bytes: get('/livez', 'xé: z'), direct: [400] },
  'a non-ASCII header value': {
    bytes: Buffer.from(get('/livez', 'x: \xff'), 'latin1'),
    direct: [200],
  },
  'empty lines before the request': { bytes: `\r\n\r\n${get('/livez')}`, direct: [200] },
  'no HTTP': { bytes: 'hello\r\n\r\n', direct: [400] },
  'a TLS ClientHello': {
    bytes: Buffer.from('16030100c8010000c40303', 'hex'),
    direct: [400],
  },
  'the HTTP/2 preface': {
    bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    direct: [400],
    proxied: [],
  },
}

/** Malformed request lines. */
const requestLines: Record<string, SmugglingCase> = {
  'HTTP/0.9': { bytes: 'GET /livez\r\n\r\n', direct: [400] },
  'HTTP/0.9 with a version': { bytes: 'GET /livez HTTP/0.9\r\n\r\n', direct: [400] },
  'HTTP/2.0': { bytes: 'GET /livez HTTP/2.0\r\nhost: x\r\n\r\n', direct: [400], proxied: [200] },
  'HTTP/1.2': { bytes: 'GET /livez HTTP/1.2\r\nhost: x\r\n\r\n', direct: [400], proxied: [200] },
  'HTTP/1.1 in lower case': {
    bytes: 'GET /livez http/1.1\r\nhost: x\r\n\r\n',
    direct: [400],
  },
  'two spaces': {
    bytes: 'GET  /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    direct: [200],
  },
  'a tab instead of a space': {
    bytes: 'GET\t/livez HTTP/1.1\r\nhost: x\r\n\r\n',
    direct: [400],
    proxied: [200],
  },
  'no path': { bytes: 'GET HTTP/1.1\r\nhost: x\r\n\r\n', direct: [400] },
  'a path without a slash': { bytes: get('livez'), direct: [400] },
  'an absolute URL': { bytes: get('http://muster/livez'), direct: [200] },
  'an absolute URL of another host': {
    bytes: get('http://evil/livez'),
    direct: [200],
    proxied: [400],
  },
  'OPTIONS *': { bytes: crlf('OPTIONS * HTTP/1.1', 'host: x', close, '', ''), direct: [404] },
  CONNECT: { bytes: crlf('CONNECT muster:80 HTTP/1.1', 'host: muster', '', ''), direct: [400] },
  TRACE: { bytes: crlf('TRACE /livez HTTP/1.1', 'host: x', close, '', ''), direct: [404] },
  'TRACE of the API': {
    bytes: crlf('TRACE /v1/risks HTTP/1.1', 'host: x', close, '', ''),
    direct: [405],
  },
  'an unknown method': {
    bytes: crlf('BREW /livez HTTP/1.1', 'host: x', close, '', ''),
    direct: [400],
  },
  'a method in lower case': {
    bytes: crlf('get /livez HTTP/1.1', 'host: x', close, '', ''),
    direct: [400],
  },
  'a NUL in the path': { bytes: get('/livez\0'), direct: [400] },
  'a control character in the path': { bytes: get('/li\x01vez'), direct: [400] },
  'non-ASCII characters in the path': { bytes: Buffer.from(get('/livéz')), direct: [400] },
  'a fragment': { bytes: get('/livez#x'), direct: [200], proxied: [400] },
  'an incomplete percent-encoding': { bytes: get('/v1/%4'), direct: [400] },
  'a percent-encoding that is not UTF-8': { bytes: get('/v1/%ff'), direct: [400] },
  'an encoded NUL': { bytes: get('/v1/personnel/%00'), direct: [401] },
  'dot segments': { bytes: get('/v1/../livez'), direct: [404] },
  'encoded dot segments': { bytes: get('/v1/%2e%2e/livez'), direct: [404] },
  'an encoded slash': { bytes: get('/v1%2Fwhoami'), direct: [404] },
  'a double slash': { bytes: get('//livez'), direct: [404] },
  'a backslash': { bytes: get('/v1\\whoami'), direct: [404] },
  'path traversal': { bytes: get('/assets/../../../../etc/passwd'), direct: [404] },
  'encoded path traversal': {
    bytes: get('/console/..%2f..%2fpackage.json'),
    direct: [404],
  },
}

/** Oversized requests. */
const sizes: Record<string, SmugglingCase> = {
  'a URL of 9 KiB': { bytes: get(`/livez?${'x'.repeat(9216)}`), direct: [414] },
  'a URL of 20 KiB': { bytes: get(`/livez?${'x'.repeat(20_480)}`), direct: [431], proxied: [400] },
  'headers of 20 KiB': {
    bytes: get('/livez', `x: ${'x'.repeat(20_480)}`),
    direct: [431],
    proxied: [400],
  },
  '1500 headers': {
    bytes: get('/livez', ...Array.from({ length: 1500 }, (_, index) => `x-${index}: y`)),
    direct: [431],
    proxied: [400],
  },
  'a header name of 20 KiB': {
    bytes: get('/livez', `${'x'.repeat(20_480)}: y`),
    direct: [431],
    proxied: [400],
  },
}

/** Headers with a meaning to HTTP. */
const headers: Record<string, SmugglingCase> = {
  'no host': { bytes: 'GET /livez HTTP/1.1\r\n\r\n', direct: [400] },
  'two hosts': { bytes: get('/livez', 'host: evil'), direct: [400] },
  'an empty host': {
    bytes: 'GET /livez HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n',
    direct: [200],
  },
  'an invalid host': {
    bytes: 'GET /about HTTP/1.1\r\nhost: <script>\r\nconnection: close\r\n\r\n',
    direct: [400],
  },
  'an upgrade to WebSocket': {
    bytes: crlf(
      'GET /livez HTTP/1.1',
      'host: x',
      'connection: upgrade, close',
      'upgrade: websocket',
      'sec-websocket-key: x',
      'sec-websocket-version: 13',
      '',
      '',
    ),
    direct: [200],
    proxied: [400],
  },
  'an upgrade to h2c': {
    bytes: crlf(
      'GET /livez HTTP/1.1',
      'host: x',
      'connection: upgrade, close, http2-settings',
      'upgrade: h2c',
      'http2-settings: AAMAAABkAAQAAP__',
      '',
      '',
    ),
    direct: [200],
  },
  'a known expectation': {
    bytes: post(['expect: 100-continue', 'content-length: 2', close], '{}'),
    direct: [401],
  },
  'an unknown expectation': {
    bytes: get('/livez', 'expect: 200-maybe'),
    direct: [417],
  },
  'an unknown expectation and an invalid body': {
    bytes: get('/livez', 'expect: 200-maybe', 'transfer-encoding: identity'),
    direct: [417],
    proxied: [400],
  },
  'a header named like a prototype': {
    bytes: get('/livez', '__proto__: x', 'constructor: y'),
    direct: [200],
  },
  'a method override header': {
    bytes: get('/v1/risks', 'x-http-method-override: POST'),
    direct: [401],
  },
  'a path override header': { bytes: get('/v1/whoami', 'x-original-url: /livez'), direct: [401] },
}

export const cases: Readonly<Record<string, SmugglingCase>> = {
  ...framing,
  ...chunks,
  ...lines,
  ...requestLines,
  ...sizes,
  ...headers,
  ...pipelines,
}
