import {
  chunked,
  close,
  crlf,
  type SmugglingCase,
  get,
  json,
  post,
} from './request-smuggling-bytes.ts'

const smuggled = crlf('GET /livez HTTP/1.1', 'host: muster', '', '')

/** Ambiguous message framing. Two parsers must not read different requests. */
export const framing: Record<string, SmugglingCase> = {
  'Content-Length and Transfer-Encoding': {
    bytes: post(['content-length: 6', chunked], `0\r\n\r\n${smuggled}`),
    direct: [400],
    proxied: [401],
  },
  'Transfer-Encoding and Content-Length': {
    bytes: post([chunked, 'content-length: 6'], `0\r\n\r\n${smuggled}`),
    direct: [400],
    proxied: [401],
  },
  'two different Content-Length headers': {
    bytes: post(['content-length: 0', 'content-length: 40'], smuggled),
    direct: [400],
  },
  'the same Content-Length twice': {
    bytes: post(['content-length: 2', 'content-length: 2'], '{}'),
    direct: [400],
    proxied: [401],
  },
  'two lengths in one Content-Length': {
    bytes: post(['content-length: 2, 2'], '{}'),
    direct: [400],
    proxied: [401],
  },
  'a signed Content-Length': { bytes: post(['content-length: +2'], '{}'), direct: [400] },
  'a negative Content-Length': { bytes: post(['content-length: -1'], '{}'), direct: [400] },
  'a hexadecimal Content-Length': { bytes: post(['content-length: 0x2'], '{}'), direct: [400] },
  'a fractional Content-Length': { bytes: post(['content-length: 2.0'], '{}'), direct: [400] },
  'an empty Content-Length': { bytes: post(['content-length:'], '{}'), direct: [400] },
  'a Content-Length of 30 digits': {
    bytes: post([`content-length: ${'9'.repeat(30)}`], '{}'),
    direct: [400],
  },
  'Content-Length with a space before the colon': {
    bytes: post(['content-length : 2'], '{}'),
    direct: [400],
  },
  'Transfer-Encoding with a space before the colon': {
    bytes: post(['transfer-encoding : chunked', 'content-length: 2'], '{}'),
    direct: [400],
  },
  'Transfer-Encoding after a vertical tab': {
    bytes: post(['transfer-encoding:\x0bchunked'], '0\r\n\r\n'),
    direct: [400],
  },
  'an unknown transfer coding': {
    bytes: post(['transfer-encoding: xchunked'], '0\r\n\r\n'),
    direct: [400],
  },
  'chunked, then another coding': {
    bytes: post(['transfer-encoding: chunked, identity'], '0\r\n\r\n'),
    direct: [400],
  },
  'chunked twice': {
    bytes: post(['transfer-encoding: chunked, chunked'], '0\r\n\r\n'),
    direct: [400],
  },
  'gzip and chunked': {
    bytes: post(['transfer-encoding: gzip, chunked'], '0\r\n\r\n'),
    direct: [400],
    proxied: [422],
  },
  'chunked in two headers': { bytes: post([chunked, chunked], '0\r\n\r\n'), direct: [400] },
  'chunked in quotes': {
    bytes: post(['transfer-encoding: "chunked"'], '0\r\n\r\n'),
    direct: [400],
  },
  'chunked in HTTP/1.0': {
    bytes: crlf('POST /v1/personnel HTTP/1.0', json, chunked, '', '0\r\n\r\n'),
    direct: [400],
  },
}

/** Malformed chunks. */
export const chunks: Record<string, SmugglingCase> = {
  'a chunk without a size': { bytes: post([chunked], '\r\n{}\r\n0\r\n\r\n'), direct: [400] },
  'a chunk size that is not a number': { bytes: post([chunked], 'zz\r\n{}\r\n'), direct: [400] },
  'a negative chunk size': { bytes: post([chunked], '-1\r\n{}\r\n'), direct: [400] },
  'a chunk size with 0x': { bytes: post([chunked], '0x2\r\n{}\r\n0\r\n\r\n'), direct: [400] },
  'a chunk size that overflows': {
    bytes: post([chunked], `${'f'.repeat(17)}\r\n{}\r\n`),
    direct: [400],
  },
  'a chunk longer than its size': {
    bytes: post([chunked], '1\r\n{}\r\n0\r\n\r\n'),
    direct: [401],
    proxied: [400],
  },
  'a chunk that ends with LF alone': {
    bytes: post([chunked], '2\n{}\n0\n\n'),
    direct: [400],
    proxied: [401],
  },
  'a chunk extension with LF': {
    bytes: post([chunked], '2;x\n{}\r\n0\r\n\r\n'),
    direct: [400],
    proxied: [401],
  },
  'a chunk extension of 64 KiB': {
    bytes: post([chunked], `2;${'x'.repeat(65_536)}\r\n{}\r\n0\r\n\r\n`),
    direct: [413],
    proxied: [400],
  },
  'a trailer with a Host header': {
    bytes: post([chunked, close], '2\r\n{}\r\n0\r\nhost: evil\r\n\r\n'),
    direct: [401],
  },
  '10 000 chunks of one byte': {
    bytes: post([chunked, close], `${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`),
    direct: [401],
  },
}

/** Several requests on one connection. */
export const pipelines: Record<string, SmugglingCase> = {
  'three pipelined requests': {
    bytes: smuggled + smuggled + get('/livez'),
    direct: [200, 200, 200],
  },
  'a GET whose body is a request': {
    bytes:
      crlf('GET /livez HTTP/1.1', 'host: x', `content-length: ${smuggled.length}`, '', smuggled) +
      get('/readyz'),
    direct: [400],
    proxied: [400, 200],
  },
  'a GET whose chunks are a request': {
    bytes: crlf('GET /livez HTTP/1.1', 'host: x', chunked, '', `0\r\n\r\n${get('/livez')}`),
    direct: [400],
    proxied: [400, 200],
  },
  'a HEAD with a body': {
    bytes: crlf('HEAD /livez HTTP/1.1', 'host: x', 'content-length: 2', '', '{}'),
    direct: [400],
  },
  'a request behind a refused one': {
    bytes: crlf('GET /livez HTTP/1.1', 'host: x', 'b ad: x', '', '') + get('/livez'),
    direct: [400],
  },
  'a request behind a refused body': {
    bytes: post(['content-length: 70000'], `${' '.repeat(70_000)}${get('/livez')}`),
    direct: [401, 200],
  },
  'HTTP/1.0 without keep-alive': {
    bytes: 'GET /livez HTTP/1.0\r\n\r\nGET /livez HTTP/1.0\r\n\r\n',
    direct: [200],
  },
  'HTTP/1.0 with keep-alive': {
    bytes: 'GET /livez HTTP/1.0\r\nconnection: keep-alive\r\n\r\nGET /livez HTTP/1.0\r\n\r\n',
    direct: [200, 200],
  },
  'HTTP/1.0 with an ambiguous length': {
    bytes: 'POST /v1/personnel HTTP/1.0\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
    direct: [400],
  },
}
