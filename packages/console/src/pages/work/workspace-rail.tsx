import { useWhoami } from '#data/whoami.ts'
import { RailSection } from '#kit/list/rail.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { t } from '#text/index.ts'

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
