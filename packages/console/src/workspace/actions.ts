import type { Workspace, WorkspacePatch } from '@muster/contract'

import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { act } from '#ui/act.ts'
import { asBefore, changesTo, isNothing } from '#ui/changes.ts'

/** What can be set, side by side: the policies too, so that two can change one each. */
export type Settings = Pick<Workspace, 'name' | 'time_zone'> & Workspace['policies']

type Seen = Settings & Pick<Workspace, 'id' | 'version'>

const seenOf = ({ id, version, name, time_zone, policies }: Workspace): Seen => ({
  id,
  version,
  name,
  time_zone,
  ...policies,
})

function patchOf({ name, time_zone, ...policies }: Partial<Settings>): WorkspacePatch {
  return {
    ...(name !== undefined && { name }),
    ...(time_zone !== undefined && { time_zone }),
    ...(!isNothing(policies) && { policies }),
  }
}

const send = (changes: Partial<Settings>, ifMatch: number) =>
  client.workspace.update({ body: patchOf(changes) }, { ifMatch })

/** Only what was changed is sent, so that what someone else set meanwhile can stay. */
export async function updateWorkspace(workspace: Workspace, wanted: Settings): Promise<void> {
  const seen = seenOf(workspace)
  const changes = changesTo<Settings>(seen, wanted)
  if (isNothing(changes)) return
  await act<Seen, Workspace>({
    thing: seen,
    expected: changes,
    send: (ifMatch) => send(changes, ifMatch),
    view: async () => seenOf(await client.workspace.view()),
    // Who one is tells the name of the workspace too.
    touches: ['workspace', 'keys'],
    says: t('workspace.updated'),
    undo: ({ version }, before) => send(asBefore(before, changes), version),
  })
}
