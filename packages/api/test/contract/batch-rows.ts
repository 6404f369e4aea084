import assert from 'node:assert/strict'

import type { Operation } from '@muster/contract'

import type { Json } from '#test/support/client'
import { type Fixture, projectOfRow } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'

/** Rows for each batch: a new item, and a change to an item of the fixture. */
export interface Kind {
  readonly item: string
  readonly quota: string
  readonly fresh: Json
  readonly change: Json
}

const kinds: Readonly<Record<string, Kind>> = {
  'personnel.batch': {
    item: 'user_id',
    quota: 'people',
    fresh: { name: 'Nils Moe', email: 'nils@example.com', external_id: 'n-1' },
    change: { title: 'Diver', department: 'Locks' },
  },
  'risks.batch': {
    item: 'risk_id',
    quota: 'live_risks',
    fresh: { title: 'Ice on the gates', likelihood: 2, impact: 5, tags: ['ice'] },
    change: { likelihood: 5, title: 'Rated anew' },
  },
  'issues.batch': {
    item: 'issue_id',
    quota: 'open_issues',
    fresh: { title: 'Gate 3 is stuck', severity: 4, tags: ['gates'] },
    change: { severity: 5, status: 'blocked' },
  },
  'tasks.batch': {
    item: 'task_id',
    quota: 'open_tasks',
    fresh: { title: 'Grease the gates', due_on: '2027-03-01' },
    change: { status: 'in_progress', title: 'Flush' },
  },
  'projects.batch': {
    item: 'project_id',
    quota: 'projects',
    fresh: { code: 'LOCK', name: 'Lock', external_id: 'p-1' },
    change: { health: 'at_risk', name: 'Weir' },
  },
}

/** A batch of several projects takes the same rows as that of one. */
export const kindOf = (name: string) => kinds[name.replace('_across', '')]

export interface Batch {
  readonly name: string
  readonly operation: Operation
  readonly kind: Kind
}

export const batches: readonly Batch[] = keyOperations()
  .filter(({ operation }) => operation.rows)
  .map(({ name, operation }) => {
    const kind = kindOf(name)
    assert.ok(kind, `${name} has rows`)
    return { name, operation, kind }
  })

/** A row for a new item. */
export const freshFor = ({ kind, operation }: Batch, fixture: Fixture): Json => ({
  ...projectOfRow(operation, fixture),
  ...kind.fresh,
})
