import { everyOperation, type Include, type ListOperation, operations } from '@muster/contract'

import type { Json } from './client.ts'

/** Operations about the person who is signed in, or which connect to another host. */
const ofPeople = new Set<object>([
  operations.personnel.my_assignments,
  operations.sign_in.test,
  operations.sign_in.check,
])

/**
 * The operations that a service key can use. Those of people need a session and have tests of their
 * own, in test/auth.
 */
export const keyOperations = () =>
  everyOperation().filter(
    ({ operation }) => operation.scope !== 'person' && !ofPeople.has(operation),
  )

/** The query of a list with an extra, with the page that it needs. */
export const includeQuery = (extra: string, { limitMax }: Include) =>
  `include=${extra}${limitMax === undefined ? '' : `&limit=${limitMax}`}`

/** The query with each extra of a list. */
export const includeQueries = ({ includes }: Pick<ListOperation, 'includes'>) =>
  Object.entries(includes).map(([extra, include]) => includeQuery(extra, include))

/** The items of a list or a summary, the live risks of a trend, or the changes in all groups. */
export function itemsIn({ count, points, risks, issues, projects }: Json): number {
  if (points !== undefined) return points.at(-1).live_risks
  const groups: Json[] = [risks, issues, projects]
  return count ?? groups.flatMap((each) => Object.values(each ?? {}).flat()).length
}
