import { setTimeout as sleep } from 'node:timers/promises'

import { StorageError } from '#storage/values/storage-error'

const triesMax = 3

/** Retries a unit of work after a serialization failure or a deadlock. Other failures pass. */
export async function retrying<T>(unit: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await unit()
    } catch (error) {
      const isLostRace = error instanceof StorageError && error.meaning === 'lost_race'
      if (!isLostRace || tries === triesMax) throw error
      await sleep(Math.random() * 10 * tries)
    }
  }
}
