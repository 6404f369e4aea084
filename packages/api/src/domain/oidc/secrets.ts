import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** The associated data of AES-256-GCM: a secret cannot be decrypted as that of another. */
interface SecretContext {
  readonly workspaceId: string
  readonly purpose: 'oidc_client_secret'
}

/** The client secret of the identity provider of a workspace. */
export const clientSecretOf = (workspaceId: string) =>
  ({ workspaceId, purpose: 'oidc_client_secret' }) as const

interface SecretKey {
  readonly id: Buffer
  readonly key: Buffer
}

const algorithm = 'aes-256-gcm'
const version = Buffer.from([1])
const keyIdBytes = 8
const nonceBytes = 12
const tagBytes = 16
const headerBytes = version.length + keyIdBytes

/**
 * Encrypts secrets that the service must be able to read, with AES-256-GCM and the keys of the
 * operator (SECRETS_KEY). The first key encrypts; every key decrypts, so that keys can be rotated.
 * The format is version, key id, nonce, authentication tag, ciphertext.
 */
export class Secrets {
  readonly #keys: readonly SecretKey[]

  /** Each key is 32 bytes in base64, newest first. */
  constructor(keys: readonly string[]) {
    this.#keys = keys.map((text) => {
      const key = Buffer.from(text, 'base64')
      return { key, id: createHash('sha256').update(key).digest().subarray(0, keyIdBytes) }
    })
  }

  /** Null without a key. */
  encrypt(text: string, context: SecretContext): Buffer | null {
    const [first] = this.#keys
    if (first === undefined) return null
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, first.key, nonce)
    cipher.setAAD(associatedData(context))
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([version, first.id, nonce, cipher.getAuthTag(), encrypted])
  }

  /** Null if no key decrypts it: its key is not configured, or it was changed or moved. */
  decrypt(stored: Buffer, context: SecretContext): string | null {
    const owner = this.#keys.find(({ id }) => isEncryptedWith(id, stored))
    const rest = stored.subarray(headerBytes)
    if (owner === undefined || rest.length < nonceBytes + tagBytes) return null
    const nonce = rest.subarray(0, nonceBytes)
    const tag = rest.subarray(nonceBytes, nonceBytes + tagBytes)
    const decipher = createDecipheriv(algorithm, owner.key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(associatedData(context)).setAuthTag(tag)
    const text = decipher.update(rest.subarray(nonceBytes + tagBytes))
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }

  /** Whether the first key encrypted it. Otherwise the secret must be encrypted again. */
  isCurrent(stored: Buffer): boolean {
    const [first] = this.#keys
    return first !== undefined && isEncryptedWith(first.id, stored)
  }
}

const isEncryptedWith = (id: Buffer, stored: Buffer) =>
  stored.subarray(0, headerBytes).equals(Buffer.concat([version, id]))

const associatedData = ({ workspaceId, purpose }: SecretContext) =>
  Buffer.from(`${workspaceId}\n${purpose}`)
