import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { AnchorLink } from '#ui/links.tsx'
import { RailSection } from '#ui/list/rail.tsx'

import { WorkspaceCounts } from './workspace-counts.tsx'

/** The state of the workspace, beside the work of a person. */
export function WorkspaceRail() {
  const { workspace } = useWhoami()
  return (
    <RailSection
      title={t('work.today', { name: workspace.name })}
      aside={
        <AnchorLink to="/overview" search={{}} inherit>
          {t('overview.title')}
        </AnchorLink>
      }
    >
      <WorkspaceCounts />
    </RailSection>
  )
}
