import type { Group } from '@muster/contract'

import type { Mutation } from '#data/change/mutation.ts'

interface VersionChange {
  readonly from: number
  readonly to: number
}

const queues = new Map<string, Promise<VersionChange | null>>()

/**
 * Serialises the changes of a group, so that a user can make several without waiting. A change that
 * was based on the version before the previous change is sent with the version after it: the user's
 * own change is not a conflict.
 */
export function queued<T extends Group>(mutation: Mutation<T, Group>): Mutation<T, Group> {
  const { resource, send } = mutation
  return {
    ...mutation,
    send: (seen) => {
      const previous = queues.get(resource.id) ?? Promise.resolve(null)
      const request = previous.then((change) => send(change?.from === seen ? change.to : seen))
      const changed = request.then(
        ({ version }) => ({ from: seen, to: version }),
        () => null,
      )
      queues.set(resource.id, changed)
      return request
    },
  }
}
