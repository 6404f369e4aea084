import type { NounName } from '#storage/schema/nouns'

interface DriftNoun {
  readonly table: string
  /** The counter of the quota, and the condition of the rows that count; null if none is checked. */
  readonly counter: readonly [name: string, condition: string] | null
  readonly hasHistory: boolean
}

/** What the drift checks expect of each noun, stated independently of the service. */
export const driftNouns = {
  person: { table: 'people', counter: ['people', `status <> 'departed'`], hasHistory: true },
  group: { table: 'groups', counter: ['groups', `status = 'active'`], hasHistory: true },
  project: { table: 'projects', counter: ['projects', `status <> 'archived'`], hasHistory: true },
  risk: {
    table: 'risks',
    counter: ['live_risks', `status in ('identified', 'treating', 'monitoring')`],
    hasHistory: true,
  },
  issue: {
    table: 'issues',
    counter: ['open_issues', `status in ('open', 'in_progress', 'blocked')`],
    hasHistory: true,
  },
  task: {
    table: 'tasks',
    counter: ['open_tasks', `status in ('todo', 'in_progress', 'blocked')`],
    hasHistory: true,
  },
  key: { table: 'api_keys', counter: null, hasHistory: false },
  access: { table: 'access_entries', counter: null, hasHistory: false },
  sign_in: { table: 'sign_in_providers', counter: null, hasHistory: false },
  workspace: { table: 'workspaces', counter: null, hasHistory: false },
} as const satisfies Record<NounName, DriftNoun>

export const nounsWithHistory = Object.entries(driftNouns).flatMap(
  ([noun, { table, hasHistory }]) => (hasHistory ? [{ noun, table }] : []),
)
