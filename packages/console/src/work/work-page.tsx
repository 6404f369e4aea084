import { useMissingScopeReason, useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { EmptyState, Page } from '#ui/page.tsx'

import { MyWork } from './my-work.tsx'
import { WorkspaceOverview } from './workspace-overview.tsx'

/** The home page: the work of a person, or for a service key an overview of the workspace. */
export function WorkPage() {
  const { person } = useWhoami()
  const reason = useMissingScopeReason('projects.read')
  if (reason !== null)
    return (
      <Page title={t('work.title')}>
        <EmptyState title={t('work.hidden')} advice={reason} />
      </Page>
    )
  return person === null ? <WorkspaceOverview /> : <MyWork />
}
