import { everyOperation, type Include, type ListOperation, operations } from '@muster/contract'

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
