import type { Caller } from '#domain/engine/caller'
import { listing, type Listing, listingIn, type Source } from '#domain/engine/listing'
import { selectNamedPeople } from '#storage/nouns/personnel'
import { selectProjectsByCode } from '#storage/nouns/projects'
import type { Read } from '#storage/statements/access'

type Ids = readonly string[] | undefined

/** Filters by what people call a project, or the person in charge. */
interface NamedFilters {
  readonly project_id?: readonly string[]
  readonly project_code?: readonly string[]
  readonly owner_user_id?: readonly string[]
  readonly owner_email?: readonly string[]
  readonly assignee_user_id?: readonly string[]
  readonly assignee_email?: readonly string[]
}

const hasNames = (query: NamedFilters): boolean =>
  [query.project_code, query.owner_email, query.assignee_email].some(Boolean)

const withoutNames = {
  project_code: undefined,
  owner_email: undefined,
  assignee_email: undefined,
}

/** The query with filters by id instead. A name of nothing finds nothing. */
async function withIds<Q extends NamedFilters>(read: Read, query: Q): Promise<Q> {
  const { project_code, owner_email, assignee_email } = query
  const [projects, owners, assignees] = await Promise.all([
    project_code && selectByCode(read, project_code),
    owner_email && selectByEmail(read, owner_email),
    assignee_email && selectByEmail(read, assignee_email),
  ])
  const ids = {
    project_id: inBoth(query.project_id, projects),
    owner_user_id: inBoth(query.owner_user_id, owners),
    assignee_user_id: inBoth(query.assignee_user_id, assignees),
  }
  const given = Object.entries(ids).filter(([, value]) => value !== undefined)
  return { ...query, ...withoutNames, ...Object.fromEntries(given) }
}

const selectByCode = async (read: Read, codes: readonly string[]) => [
  ...(await selectProjectsByCode(read, codes)).values(),
]

/** Also people who have left: their closed items still name them. */
async function selectByEmail(read: Read, emails: readonly string[]): Promise<string[]> {
  const people = await selectNamedPeople(read, { emails, externalIds: [] })
  return people.map(({ id }) => id)
}

function inBoth(asked: Ids, named: Ids): Ids {
  if (asked === undefined || named === undefined) return asked ?? named
  return asked.filter((id) => named.includes(id))
}

/** A list whose query can have names; `sourceFor` takes one with ids. */
export function listByNames<Query extends NamedFilters, Item extends object>(
  caller: Caller<'projects.read'>,
  query: Query,
  sourceFor: (query: Query) => Source<Item>,
): Listing<Item> {
  if (!hasNames(query)) return listing(caller, sourceFor(query))
  return listingIn(caller, async (snapshot) => sourceFor(await withIds(snapshot, query)))
}
