import { useMissingScopeReason } from '#data/whoami.ts'
import { BulkBar } from '#kit/list/bulk-bar.tsx'
import type { Selection } from '#kit/list/selection.ts'
import { useNamesByPage } from '#kit/references/people.tsx'

import { AddToGroup } from './add-to-group.tsx'

/** The people of one lookup. */
const lookupMax = 200

/** What can be done for several people: they join a group. */
export function PeopleBulkBar({ selection }: { readonly selection: Selection }) {
  const reason = useMissingScopeReason('personnel.manage')
  const ids = [...selection.ids]
  const lookups = Array.from({ length: Math.ceil(ids.length / lookupMax) }, (_, at) =>
    ids.slice(at * lookupMax, (at + 1) * lookupMax),
  )
  const names = useNamesByPage(lookups)
  return (
    <BulkBar selection={selection}>
      <AddToGroup
        people={ids.map((id) => ({ id, name: names.get(id) ?? '…' }))}
        reason={reason}
        onDone={selection.clear}
      />
    </BulkBar>
  )
}
