import { chunked, close, crlf, type Framing, get, json, post } from './framing-bytes.ts'

const smuggled = crlf('GET /livez HTTP/1.1', 'host: muster', '', '')

/** Two readings of where a request ends. Whoever reads it one way must not meet the other. */
export const ends: Record<string, Framing> = {
  'a length and chunks': {
    bytes: post(['content-length: 6', chunked], `0\r\n\r\n${smuggled}`),
    direct: [400],
    proxied: [401],
  },
  'chunks and a length': {
    bytes: post([chunked, 'content-length: 6'], `0\r\n\r\n${smuggled}`),
    direct: [400],
    proxied: [401],
  },
  'two lengths that differ': {
    bytes: post(['content-length: 0', 'content-length: 40'], smuggled),
    direct: [400],
  },
  'the same length twice': {
    bytes: post(['content-length: 2', 'content-length: 2'], '{}'),
    direct: [400],
    proxied: [401],
  },
  'two lengths in one header': {
    bytes: post(['content-length: 2, 2'], '{}'),
    direct: [400],
    proxied: [401],
  },
  'a length with a sign': { bytes: post(['content-length: +2'], '{}'), direct: [400] },
  'a length below nothing': { bytes: post(['content-length: -1'], '{}'), direct: [400] },
  'a length in hex': { bytes: post(['content-length: 0x2'], '{}'), direct: [400] },
  'a length with a fraction': { bytes: post(['content-length: 2.0'], '{}'), direct: [400] },
  'an empty length': { bytes: post(['content-length:'], '{}'), direct: [400] },
  'a length of 30 digits': {
    bytes: post([`content-length: ${'9'.repeat(30)}`], '{}'),
    direct: [400],
  },
  'a length with a blank before the colon': {
    bytes: post(['content-length : 2'], '{}'),
    direct: [400],
  },
  'chunks with a blank before the colon': {
    bytes: post(['transfer-encoding : chunked', 'content-length: 2'], '{}'),
    direct: [400],
  },
  'chunks after a vertical tab': {
    bytes: post(['transfer-encoding:\x0bchunked'], '0\r\n\r\n'),
    direct: [400],
  },
  'an encoding that is not known': {
    bytes: post(['transfer-encoding: xchunked'], '0\r\n\r\n'),
    direct: [400],
  },
  'chunks, then something else': {
    bytes: post(['transfer-encoding: chunked, identity'], '0\r\n\r\n'),
    direct: [400],
  },
  'chunks twice': {
    bytes: post(['transfer-encoding: chunked, chunked'], '0\r\n\r\n'),
    direct: [400],
  },
  'compressed chunks': {
    bytes: post(['transfer-encoding: gzip, chunked'], '0\r\n\r\n'),
    direct: [400],
    proxied: [422],
  },
  'chunks in two headers': { bytes: post([chunked, chunked], '0\r\n\r\n'), direct: [400] },
  'chunks in quotes': {
    bytes: post(['transfer-encoding: "chunked"'], '0\r\n\r\n'),
    direct: [400],
  },
  'chunks in HTTP/1.0': {
    bytes: crlf('POST /v1/personnel HTTP/1.0', json, chunked, '', '0\r\n\r\n'),
    direct: [400],
  },
}

/** Chunks that are not what they say. */
export const chunks: Record<string, Framing> = {
  'a chunk of no size': { bytes: post([chunked], '\r\n{}\r\n0\r\n\r\n'), direct: [400] },
  'a chunk size that is no number': { bytes: post([chunked], 'zz\r\n{}\r\n'), direct: [400] },
  'a chunk size below nothing': { bytes: post([chunked], '-1\r\n{}\r\n'), direct: [400] },
  'a chunk size in C': { bytes: post([chunked], '0x2\r\n{}\r\n0\r\n\r\n'), direct: [400] },
  'a chunk size that overflows': {
    bytes: post([chunked], `${'f'.repeat(17)}\r\n{}\r\n`),
    direct: [400],
  },
  'a chunk that is longer than it says': {
    bytes: post([chunked], '1\r\n{}\r\n0\r\n\r\n'),
    direct: [401],
    proxied: [400],
  },
  'a chunk that ends with LF alone': {
    bytes: post([chunked], '2\n{}\n0\n\n'),
    direct: [400],
    proxied: [401],
  },
  'an extension of a chunk with LF': {
    bytes: post([chunked], '2;x\n{}\r\n0\r\n\r\n'),
    direct: [400],
    proxied: [401],
  },
  'an extension of 64 KiB': {
    bytes: post([chunked], `2;${'x'.repeat(65_536)}\r\n{}\r\n0\r\n\r\n`),
    direct: [413],
    proxied: [400],
  },
  'a trailer that names the host': {
    bytes: post([chunked, close], '2\r\n{}\r\n0\r\nhost: evil\r\n\r\n'),
    direct: [401],
  },
  'ten thousand chunks of one byte': {
    bytes: post([chunked, close], `${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`),
    direct: [401],
  },
}

/** More than one request on a connection. */
export const pipelines: Record<string, Framing> = {
  'three requests in one breath': {
    bytes: smuggled + smuggled + get('/livez'),
    direct: [200, 200, 200],
  },
  'a GET with a body that is a request': {
    bytes:
      crlf('GET /livez HTTP/1.1', 'host: x', `content-length: ${smuggled.length}`, '', smuggled) +
      get('/readyz'),
    direct: [400],
    proxied: [400, 200],
  },
  'a GET with chunks that are a request': {
    bytes: crlf('GET /livez HTTP/1.1', 'host: x', chunked, '', `0\r\n\r\n${get('/livez')}`),
    direct: [400],
    proxied: [400, 200],
  },
  'a HEAD with a body': {
    bytes: crlf('HEAD /livez HTTP/1.1', 'host: x', 'content-length: 2', '', '{}'),
    direct: [400],
  },
  'a request behind one that is refused': {
    bytes: crlf('GET /livez HTTP/1.1', 'host: x', 'b ad: x', '', '') + get('/livez'),
    direct: [400],
  },
  'a body that is refused, and a request behind it': {
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
  'HTTP/1.0 with a length in doubt': {
    bytes: 'POST /v1/personnel HTTP/1.0\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
    direct: [400],
  },
}
