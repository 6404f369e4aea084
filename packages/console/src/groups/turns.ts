import type { Group } from '@muster/contract'

interface Moved {
  readonly from: number
  readonly to: number
}

const turns = new Map<string, Promise<Moved | null>>()

/**
 * One change of a group after the other. Whoever removes three members in a row does not wait for
 * each: what they did themselves a moment ago is not a conflict, so the version that they saw is
 * read as the one that they made of it.
 */
export function inTurn(
  groupId: string,
  seen: number,
  send: (ifMatch: number) => Promise<Group>,
): Promise<Group> {
  const before = turns.get(groupId) ?? Promise.resolve(null)
  const doing = before.then((moved) => send(moved?.from === seen ? moved.to : seen))
  const moving = doing.then(
    ({ version }) => ({ from: seen, to: version }),
    () => null,
  )
  turns.set(groupId, moving)
  return doing
}
