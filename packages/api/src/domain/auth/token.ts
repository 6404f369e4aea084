import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

import { keyPattern } from '@muster/contract'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32
const checksumLength = 6
const forms = {
  key: new RegExp(keyPattern),
  session: new RegExp(keyPattern.replace('key', 'session')),
}

/** A session's token has the form of a key's, and is never taken for one. */
export type TokenKind = keyof typeof forms

/** An API key or a session, which only its holder ever has. We keep the hash and the hint. */
export interface Token {
  readonly token: string
  readonly hash: Buffer
  readonly hint: string
}

/**
 * `muster_key_` or `muster_session_`, the workspace, 190 random bits, and a checksum of all before.
 */
export function issueToken(workspaceId: string, kind: TokenKind = 'key'): Token {
  const secret = Array.from({ length: secretLength }, () => digits[randomInt(62)]).join('')
  const body = `muster_${kind}_${workspaceId.slice('wsp_'.length)}_${secret}`
  const token = body + checksum(body)
  return { token, hash: hashOf(token), hint: secret.slice(0, 4) }
}

/**
 * Of which workspace this claims to be, and its hash; null when it is none. Typos and fakes are
 * turned away here, before the database is asked. The workspace inside leads to the right shard
 * without a lookup.
 */
export function readToken(
  token: string,
  kind: TokenKind = 'key',
): { workspaceId: string; hash: Buffer } | null {
  if (!forms[kind].test(token)) return null
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

const hashOf = (token: string) => createHash('sha256').update(token).digest()
