/** How much one workspace holds of each kind. */
type Kind = 'people' | 'groups' | 'projects' | 'risks' | 'issues' | 'tasks'
type Size = Readonly<Record<Kind, number>>

/** All that one workspace may have. */
export const full: Size = {
  people: 100_000,
  groups: 10_000,
  projects: 20_000,
  risks: 100_000,
  issues: 200_000,
  tasks: 200_000,
}

/** What the full one is measured against. */
export const little: Size = {
  people: 100,
  groups: 20,
  projects: 20,
  risks: 1000,
  issues: 2000,
  tasks: 2000,
}

/** How many risks, and how many issues, all workspaces have together. */
const rows = Number(process.env['LARGE_ROWS'] ?? 1_000_000)

/** Of five people, risks, issues and tasks that there ever were, one is over and done with. */
export const past = 1.25
export const isPast = 'k % 5 = 4'

/** One row in so many belongs to the full workspace. */
const steps: Size = {
  people: 10,
  groups: 5,
  projects: 5,
  risks: rows / (full.risks * past),
  issues: rows / (full.issues * past),
  tasks: 4,
}

/** The number that ids of each kind begin at: what is of another kind has another id. */
const firsts: Size = {
  people: 0,
  groups: 20_000_000,
  projects: 40_000_000,
  risks: 100_000_000,
  issues: 200_000_000,
  tasks: 300_000_000,
}
const firstOther = 500_000_000
const firstLittle = 900_000_000

/** A UUIDv7 that grows with n, a millisecond each, from the beginning of 2026. */
export const uuid = (n: string) =>
  `('0' || to_hex(${Date.UTC(2026, 0)} + ${n}) || '70008000000000000000')::uuid`

export const uuidOf = (kind: Kind, n: string) => uuid(`${firsts[kind]} + ${n}`)
export const otherUuid = (n: string) => uuid(`${firstOther} + ${n}`)

/** Number k of a workspace. What the ninety others refer to is never looked up. */
export const uuidAt = (kind: Kind, k: string) =>
  uuidOf(
    kind,
    `case home when 0 then (${k}) * ${steps[kind]} when 91 then ${firstLittle} + ${k}
      else ${k} end`,
  )

/**
 * Rows with a number `n` of their own, in which `k` counts those of a workspace. Those of the full
 * workspace lie scattered among the others, as they would after years of use, so that no page can
 * profit from rows that happen to lie together.
 */
export const spread = (kind: Kind, more = 1) => `(
  select n, home, workspace_id, case home when 0 then n / ${steps[kind]} else n / 90 end as k
  from generate_series(0, ${full[kind] * more * steps[kind] - 1}) as s (n)
  join homes on home = case when n % ${steps[kind]} = 0 then 0 else 1 + n % 90 end
  union all
  select ${firstLittle} + k, home, workspace_id, k
  from generate_series(0, ${little[kind] * more - 1}) as s (k) join homes on home = 91
  order by n
) as r`

/** A number below `of` that looks like chance, and is the same every time. */
export const chance = (salt: number, of: number | string) =>
  `((hashint4(k + ${salt * 10_000_019}) & 2147483647) % ${of})`

/** A number below `of` like `chance`, of which those near zero come up most. */
export const oftenLow = (salt: number, of: number | string) =>
  `(${chance(salt, of)}::bigint * ${chance(salt + 1, of)} / (${of} - 1))`

type Choice = (salt: number, of: number) => string

const choiceOf = (choose: Choice) => (salt: number, words: string) => {
  const values = words.split(/\s+/).map((word) => `'${word}'`)
  return `(array[${values.join(', ')}])[1 + ${choose(salt, values.length)}]`
}

export const oneOf = choiceOf(chance)
/** Those named first come up most. */
export const oftenOneOf = choiceOf(oftenLow)

export const when = (condition: string, value: string) => `case when ${condition} then ${value} end`

/** An instant that grows with n. */
export const at = `timestamptz '2026-01-01' + n % 100000000 * interval '1 second'`
