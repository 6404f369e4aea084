import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { EmptyState, Page } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { MyWork } from './my-work.tsx'

/** The work of the person who is signed in. */
export function WorkPage() {
  const { person } = useWhoami()
  const reason = useMissingScopeReason('projects.read')
  if (reason !== null)
    return (
      <Page title={t('work.title')}>
        <EmptyState title={t('work.hidden')} advice={reason} />
      </Page>
    )
  // A key is on its way to the overview.
  return person === null ? null : <MyWork />
}
