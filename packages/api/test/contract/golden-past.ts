import type { administrator } from '#domain/engine/caller'
import { listClosedIssues, listClosedRisks } from '#domain/projects/closed-items'
import { viewIssue } from '#domain/projects/issues'
import { listOpenIssues, summarizeOpenIssues } from '#domain/projects/open-issues'
import { viewProject } from '#domain/projects/projects'
import { listRegister, summarizeRegister } from '#domain/projects/register'
import { viewRisk } from '#domain/projects/risks'
import { View } from '#storage/statements/view'

import type { Ids } from './lists.ts'

interface Golden {
  readonly admin: ReturnType<typeof administrator>
  readonly ids: Ids
  readonly section: (title: string, work: () => Promise<unknown>) => Promise<void>
}

const kinds = { 'a date': '2024-11-01', 'a time': '2024-11-01T08:00:00Z' }

/** Everything that exists for each point in time, for all projects and for some. */
export async function readPast({ admin, ids, section }: Golden): Promise<void> {
  const { seq } = await admin.database.snapshot(admin, (snapshot) => snapshot.counters)
  const views = { all: View.all, '2': View.listed((ids['prj'] ?? []).slice(0, 2)) }
  for (const [count, view] of Object.entries(views)) {
    const caller = { ...admin, view }
    for (const [kind, as_of] of Object.entries({ 'a number': String(seq), ...kinds })) {
      await section(`lists as of ${kind}, in ${count} projects`, () => readLists(caller, as_of))
    }
    await section(`items as of a number, in ${count} projects`, () =>
      readItems(caller, { ids, as_of: String(seq) }),
    )
  }
}

async function readLists(caller: Golden['admin'], as_of: string): Promise<void> {
  const lists = [
    listRegister(caller, { as_of, compare: as_of }),
    listOpenIssues(caller, { as_of, compare: as_of }),
    listClosedRisks(caller, { as_of }),
    listClosedIssues(caller, { as_of }),
  ]
  for (const list of lists) await list.all(async () => {})
  await summarizeRegister(caller, { as_of })
  await summarizeOpenIssues(caller, { as_of })
}

async function readItems(
  caller: Golden['admin'],
  { ids, as_of }: Pick<Golden, 'ids'> & { readonly as_of: string },
): Promise<void> {
  const idOf = (prefix: string) => ids[prefix]?.[0] ?? ''
  const projectId = idOf('prj')
  await viewProject(caller, projectId, { as_of })
  // The first items can be in other projects: the statement is the same.
  await viewRisk(caller, { projectId, id: idOf('rsk') }, { as_of }).catch(() => null)
  await viewIssue(caller, { projectId, id: idOf('iss') }, { as_of }).catch(() => null)
}
