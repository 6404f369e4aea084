import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

import { keyPattern } from '@muster/contract'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32
const checksumLength = 6
const patterns = {
  key: new RegExp(keyPattern),
  session: new RegExp(keyPattern.replace('key', 'session')),
  link: new RegExp(keyPattern.replace('key', 'link')),
}

/** Tokens of sessions and links have the format of keys with another prefix: none passes as another. */
export type TokenKind = keyof typeof patterns

/** A new API key, session token or secret of a link. The service stores only the hash and the hint. */
export interface Token {
  readonly token: string
  readonly hash: Buffer
  readonly hint: string
}

/** `muster_key_` or another prefix, the workspace id, 190 random bits, and a CRC-32 checksum. */
export function issueToken(workspaceId: string, kind: TokenKind = 'key'): Token {
  const secret = Array.from({ length: secretLength }, () => digits[randomInt(62)]).join('')
  const body = `muster_${kind}_${workspaceId.slice('wsp_'.length)}_${secret}`
  const token = body + checksum(body)
  return { token, hash: hashOf(token), hint: secret.slice(0, 4) }
}

/**
 * Parses a token; null if its format or checksum is wrong. So mistyped tokens cost no database
 * query. The workspace id in the token allows routing to a shard without a lookup.
 */
export function readToken(
  token: string,
  kind: TokenKind = 'key',
): { workspaceId: string; hash: Buffer } | null {
  if (!patterns[kind].test(token)) return null
  const body = token.slice(0, -checksumLength)
  if (checksum(body) !== token.slice(-checksumLength)) return null
  const [, , suffix] = token.split('_')
  return { workspaceId: `wsp_${suffix}`, hash: hashOf(token) }
}

function checksum(text: string): string {
  let rest = crc32(text)
  let sum = ''
  while (sum.length < checksumLength) {
    sum = digits.charAt(rest % 62) + sum
    rest = Math.floor(rest / 62)
  }
  return sum
}

const hashOf = (token: string) => hash('sha256', token, 'buffer')
