import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { RailSection } from '#ui/list/rail.tsx'

import { WorkspaceCounts } from './workspace-counts.tsx'

/** The state of the workspace, beside the work of a person. */
export function WorkspaceRail() {
  const { workspace } = useWhoami()
  return (
    <RailSection title={t('work.today', { name: workspace.name })}>
      <WorkspaceCounts />
    </RailSection>
  )
}
