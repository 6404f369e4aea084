import { everyOperation, type Issue, type Risk } from '@muster/contract'

/** The sort key of an item; null sorts last. */
type Key<T> = (item: T) => string | number | null
export type Keys<T> = Readonly<Record<string, Key<T>>>

/** Every value of `sort` of a list. */
export function sortsOf(list: string): string[] {
  const found = everyOperation().find(({ name }) => name === list)
  const { sort } = (found?.operation.query?.properties ?? {}) as { sort?: { enum: string[] } }
  if (sort === undefined) throw new Error(`${list} has no sort`)
  return sort.enum
}

const ascending = (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b))

/** A second implementation of `sort`: items without a key are last, the id breaks ties. */
export function sorted<T extends { id: string }>(
  items: readonly T[],
  keys: Keys<T>,
  sort: string,
): T[] {
  const keyOf = keys[sort.replace('-', '')]
  if (keyOf === undefined) throw new Error(`no key for ${sort}`)
  const direction = sort.startsWith('-') ? -1 : 1
  return items.toSorted((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    const byKey = one === null || other === null ? 0 : ascending(one, other)
    const byNull = Number(one === null) - Number(other === null)
    return byNull || direction * (byKey || ascending(a.id, b.id))
  })
}

/** By code points, without letter case and accents. */
export const folded = (text: string) =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

const foldedName = (name: string | null) => name && folded(name)

type NameOf = (userId: string | null) => string | null

export const riskKeys = (nameOf: NameOf): Keys<Risk> => ({
  score: ({ score }) => score,
  title: ({ title }) => folded(title),
  owner: ({ owner_user_id }) => foldedName(nameOf(owner_user_id)),
  review_on: ({ review_on }) => review_on,
  updated_at: ({ version }) => version,
})

export const issueKeys = (nameOf: NameOf): Keys<Issue> => ({
  severity: ({ severity }) => severity,
  title: ({ title }) => folded(title),
  assignee: ({ assignee_user_id }) => foldedName(nameOf(assignee_user_id)),
  opened_at: ({ opened_at }) => opened_at,
  due_on: ({ due_on }) => due_on,
  updated_at: ({ version }) => version,
})
