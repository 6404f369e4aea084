import { atEnd } from '@muster/testing/at-end'

import { isLoopback, watchAttempts } from './socket-attempts.ts'

/**
 * Records the address of every TCP connection that this process attempts. The test file fails if
 * one is not loopback.
 */
export function recordSockets(): string[] {
  const attempts: string[] = []
  watchAttempts((address) => attempts.push(address))
  atEnd(async () => {
    const leaving = attempts.filter((address) => !isLoopback(address))
    if (leaving.length > 0) throw new Error(`Sockets left loopback: ${leaving.join()}`)
  })
  return attempts
}
