import type { Workspace, WorkspacePatch } from '@muster/contract'

import { changedFields, isEmpty, previousValues } from '#data/change/changes.ts'
import { runMutation } from '#data/change/mutation.ts'
import { client } from '#data/client.ts'
import { t } from '#text/index.ts'

/** The settings as flat fields, so that two users can change different policies at once. */
export type Settings = Pick<Workspace, 'name' | 'time_zone' | 'slug'> & Workspace['policies']

type WorkspaceSnapshot = Settings & Pick<Workspace, 'id' | 'version'>

const toSnapshot = ({ policies, ...workspace }: Workspace): WorkspaceSnapshot => ({
  id: workspace.id,
  version: workspace.version,
  name: workspace.name,
  time_zone: workspace.time_zone,
  slug: workspace.slug,
  ...policies,
})

function toPatch({ name, time_zone, slug, ...policies }: Partial<Settings>): WorkspacePatch {
  return {
    ...(name !== undefined && { name }),
    ...(time_zone !== undefined && { time_zone }),
    ...(slug !== undefined && { slug }),
    ...(!isEmpty(policies) && { policies }),
  }
}

const send = (changes: Partial<Settings>, ifMatch: number) =>
  client.workspace.update({ body: toPatch(changes) }, { ifMatch })

/** Sends changed fields only, so that concurrent changes of other fields are kept. */
export async function updateWorkspace(workspace: Workspace, wanted: Settings): Promise<void> {
  const seen = toSnapshot(workspace)
  const changes = changedFields<Settings>(seen, wanted)
  if (isEmpty(changes)) return
  await runMutation<WorkspaceSnapshot, Workspace>({
    resource: seen,
    optimistic: changes,
    send: (ifMatch) => send(changes, ifMatch),
    fetchLatest: async () => toSnapshot(await client.workspace.view()),
    // `keys` includes whoami, which has the name of the workspace.
    invalidates: ['workspace', 'keys'],
    successMessage: t('workspace.updated'),
    undo: ({ version }, before) => send(previousValues(before, changes), version),
  })
}
