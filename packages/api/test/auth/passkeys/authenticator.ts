import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

import type { Json } from '#test/support/client'

/** How an answer differs from that of an honest browser. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly isUserVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<string, Cbor> }
}

const origin = 'http://localhost:8080'
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const flags = { present: 1, verified: 4, attested: 64 }

/** A WebAuthn authenticator in software, with one ES256 credential that counts its signatures. */
export class SoftAuthenticator {
  readonly id = randomBytes(32).toString('base64url')
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject
  #counter = 0
  #userHandle = ''

  constructor() {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#privateKey = pair.privateKey
    this.#publicKey = pair.publicKey
  }

  /** The answer to registration options, as `navigator.credentials.create` returns it. */
  register(options: Json, deviation: Deviation = {}): Json {
    this.#userHandle = options.user.id
    const credentialId = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    const authData = Buffer.concat([
      this.#authenticatorData(options.rp.id, deviation, flags.attested),
      Buffer.alloc(16),
      length,
      credentialId,
      encodeCbor(this.#coseKey()),
    ])
    const { fmt, attStmt } = deviation.attestation ?? { fmt: 'none', attStmt: new Map() }
    const attestation = new Map<string, Cbor>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', authData],
    ])
    return this.#answer({
      clientDataJSON: clientData('webauthn.create', options, deviation).toString('base64url'),
      attestationObject: encodeCbor(attestation).toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The answer to authentication options, as `navigator.credentials.get` returns it. */
  authenticate(options: Json, deviation: Deviation = {}): Json {
    this.#counter += 1
    const authData = this.#authenticatorData(options.rpId, deviation)
    const client = clientData('webauthn.get', options, deviation)
    const signed = Buffer.concat([authData, sha256(client)])
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
      userHandle: deviation.userHandle ?? this.#userHandle,
    })
  }

  #answer(response: Json): Json {
    const fields = { type: 'public-key', clientExtensionResults: {} }
    return { id: this.id, rawId: this.id, ...fields, response }
  }

  #authenticatorData(rpId: string, deviation: Deviation, more = 0): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(deviation.counter ?? this.#counter)
    const verified = deviation.isUserVerified === false ? 0 : flags.verified
    const bits = Buffer.from([flags.present | verified | more])
    return Buffer.concat([sha256(deviation.rpId ?? rpId), bits, counter])
  }

  #coseKey(): Map<number, Cbor> {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    return new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
  }
}

function clientData(type: string, options: Json, deviation: Deviation): Buffer {
  const { challenge } = options
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...deviation }))
}

export type Cbor = number | string | Buffer | Cbor[] | Map<number, Cbor> | Map<string, Cbor>

/** Encodes the part of CBOR (RFC 8949) that WebAuthn needs. */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value))
    return Buffer.concat([head(4, value.length), ...value.map((each) => encodeCbor(each))])
  const entries = [...value].flat().map((each) => encodeCbor(each))
  return Buffer.concat([head(5, value.size), ...entries])
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}
