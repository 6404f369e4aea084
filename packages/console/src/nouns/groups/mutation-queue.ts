import type { Group } from '@muster/contract'

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
export function enqueueGroupChange(
  groupId: string,
  seen: number,
  send: (ifMatch: number) => Promise<Group>,
): Promise<Group> {
  const previous = queues.get(groupId) ?? Promise.resolve(null)
  const request = previous.then((change) => send(change?.from === seen ? change.to : seen))
  const changed = request.then(
    ({ version }) => ({ from: seen, to: version }),
    () => null,
  )
  queues.set(groupId, changed)
  return request
}
