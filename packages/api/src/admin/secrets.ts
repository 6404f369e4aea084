import { Command } from '@commander-js/extra-typings'

import { rotateSecrets } from '#domain/auth/rotate-secrets'
import { Secrets } from '#domain/oidc/secrets'
import { OperatorError } from '#operator-error'
import type { Database } from '#storage/transaction/database'

import { logMessage } from './terminal.ts'

/** `npm run admin -- secrets`. */
export function secretsCommand(
  open: () => Promise<Database>,
  readKeys: () => readonly string[],
): Command {
  const command = new Command('secrets').description('Manage the encrypted secrets of workspaces.')
  command
    .command('rotate')
    .description('Encrypt all stored secrets with the first key of SECRETS_KEY.')
    .action(async () => {
      const keys = readKeys()
      if (keys.length === 0) throw new OperatorError('Set SECRETS_KEY, the new key first.')
      await using database = await open()
      const { rotated, current, unreadable } = await rotateSecrets(database, new Secrets(keys))
      logMessage(
        `Encrypted again: ${rotated.length}. With the first key already: ${current.length}.`,
      )
      if (unreadable.length === 0) return
      logMessage(`No key of SECRETS_KEY decrypts those of: ${unreadable.join(', ')}.`)
      process.exitCode = 1
    })
  return command
}
