import { useQuery } from '@tanstack/react-query'

import { useWhoami, whoamiQuery } from '#data/whoami.ts'
import { SettingsPage } from '#frame/settings-page.tsx'
import { t } from '#text/index.ts'

import { LimitFacts } from './limits.tsx'
import { Usage } from './usage.tsx'

/** The usage of the workspace against its quota, and the limits of requests. */
export function UsagePage() {
  const { usage, limits } = useWhoami()
  // Usage changes with every write, so refetch it on every visit.
  useQuery({ ...whoamiQuery, refetchOnMount: 'always' })
  return (
    <SettingsPage title={t('settings.usage')}>
      <Usage usage={usage} quota={limits.quota} />
      <LimitFacts limits={limits} />
    </SettingsPage>
  )
}
