import { size } from '#test/support/size'

/** Total number of risks, and of issues, in all workspaces. */
const rows = Number(process.env['LARGE_ROWS'] ?? size(100_000, 1_000_000))

/** The full workspace reaches its limits at 1 000 000 rows, and a tenth of them at 100 000. */
export const scale = Math.min(1, rows / 1_000_000)

/**
 * Workspaces by number: 0 is the full one, `lastOther + 1` the small one, the others are between.
 * The number of workspaces scales with the rows, so that the planner's estimate per workspace
 * stays.
 */
export const lastOther = 90 * scale
export const smallOne = lastOther + 1

/** Rows of each kind in one workspace. */
type Kind = 'people' | 'groups' | 'projects' | 'risks' | 'issues' | 'tasks'
type Size = Readonly<Record<Kind, number>>

/** The limits of one workspace, scaled. */
export const full: Size = {
  people: 100_000 * scale,
  // With fewer groups, the planner would choose a sequential scan.
  groups: Math.max(10_000 * scale, 3000),
  projects: 20_000 * scale,
  risks: 100_000 * scale,
  issues: 200_000 * scale,
  tasks: 200_000 * scale,
}

/** The small workspace, the baseline of comparisons. */
export const little: Size = {
  people: 100,
  groups: 20,
  projects: 20,
  risks: 1000,
  issues: 2000,
  tasks: 2000,
}

/** One in five people, risks, issues and tasks is departed, closed or done. */
export const past = 1.25
export const isPast = 'k % 5 = 4'

/** One row in this many belongs to the full workspace. */
const steps: Size = {
  people: 10,
  groups: 5,
  projects: 5,
  risks: rows / (full.risks * past),
  issues: rows / (full.issues * past),
  tasks: 4,
}

/** The first id number of each kind, so that ids of different kinds differ. */
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

/** The id of row k of a workspace. References of the other workspaces are never followed. */
export const uuidAt = (kind: Kind, k: string) =>
  uuidOf(
    kind,
    `case home when 0 then (${k}) * ${steps[kind]} when ${smallOne} then ${firstLittle} + ${k}
      else ${k} end`,
  )

/**
 * Rows with a unique number `n`; `k` counts the rows of a workspace. The rows of the full workspace
 * are interleaved with the others, as after years of use, so that no page profits from locality.
 */
export const spread = (kind: Kind, more = 1) => `(
  select n, home, workspace_id,
    case home when 0 then n / ${steps[kind]} else n / ${lastOther} end as k
  from generate_series(0, ${full[kind] * more * steps[kind] - 1}) as s (n)
  join homes on home = case when n % ${steps[kind]} = 0 then 0 else 1 + n % ${lastOther} end
  union all
  select ${firstLittle} + k, home, workspace_id, k
  from generate_series(0, ${little[kind] * more - 1}) as s (k) join homes on home = ${smallOne}
  order by n
) as r`

/** The project of item k: half of the items are in the first 20 projects. */
export const projectOf = (k: string) => `case home
  when 0 then (${k} / 2 + ${k} / 40) % case ${k} % 2 when 0 then 20 else ${full.projects} end
  when ${smallOne} then (${k} + ${k} / 20) % ${little.projects} else ${k} % 40 end`

/** A pseudo-random number below `of`, deterministic per row. */
export const chance = (salt: number, of: number | string) =>
  `((hashint4(k + ${salt * 10_000_019}) & 2147483647) % ${of})`

/** Like `chance`, skewed towards zero. */
export const oftenLow = (salt: number, of: number | string) =>
  `(${chance(salt, of)}::bigint * ${chance(salt + 1, of)} / (${of} - 1))`

type Choice = (salt: number, of: number) => string

const choiceOf = (choose: Choice) => (salt: number, words: string) => {
  const values = words.split(/\s+/).map((word) => `'${word}'`)
  return `(array[${values.join(', ')}])[1 + ${choose(salt, values.length)}]`
}

export const oneOf = choiceOf(chance)
/** Like `oneOf`, skewed towards the first words. */
export const oftenOneOf = choiceOf(oftenLow)

export const when = (condition: string, value: string) => `case when ${condition} then ${value} end`

/** A timestamp that increases with n. */
export const at = `timestamptz '2026-01-01' + n % 100000000 * interval '1 second'`
