import { clientSecretOf, type Secrets } from '#domain/oidc/secrets'
import { lockProvider, updateClientSecret } from '#storage/nouns/sign-in'
import { selectWorkspaces } from '#storage/nouns/workspaces'
import type { Database } from '#storage/transaction/database'

/** The workspaces by what happened to their client secret. */
export interface SecretsRotation {
  readonly rotated: readonly string[]
  readonly current: readonly string[]
  /** No configured key decrypts it. */
  readonly unreadable: readonly string[]
}

/** Encrypts all stored secrets with the first key, one workspace at a time. Can be repeated. */
export async function rotateSecrets(
  database: Database,
  secrets: Secrets,
): Promise<SecretsRotation> {
  const found: Record<keyof SecretsRotation, string[]> = {
    rotated: [],
    current: [],
    unreadable: [],
  }
  for (const { id } of await database.ask(selectWorkspaces)) {
    const outcome = await rotate(database, secrets, id)
    if (outcome !== null) found[outcome].push(id)
  }
  return found
}

/** The lock prevents that a secret which is set meanwhile is replaced by the earlier one. */
function rotate(
  database: Database,
  secrets: Secrets,
  workspaceId: string,
): Promise<keyof SecretsRotation | null> {
  return database.writeUnnumbered({ workspaceId }, async (read) => {
    const provider = await lockProvider(read)
    if (provider === null) return null
    if (secrets.isCurrent(provider.client_secret)) return 'current'
    const context = clientSecretOf(workspaceId)
    const secret = secrets.decrypt(provider.client_secret, context)
    const encrypted = secret === null ? null : secrets.encrypt(secret, context)
    if (encrypted === null) return 'unreadable'
    await updateClientSecret(read, encrypted)
    return 'rotated'
  })
}
