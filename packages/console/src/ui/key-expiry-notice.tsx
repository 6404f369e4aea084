import { Text } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'

import { useWhoami } from '#api/whoami.ts'
import { formatAge } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { endsSoon } from './ending.ts'
import { AnchorTo } from './links.tsx'

/** Told on every page but the one that tells it at length: nobody is to be locked out unawares. */
export function KeyNotice() {
  const { key } = useWhoami()
  const isThere = useRouterState({ select: ({ location }) => location.pathname === '/keys' })
  if (isThere || key.expires_at === null || !(endsSoon(key) || key.replaced_by)) return null
  const text = key.replaced_by === null ? 'shell.key.ends' : 'shell.key.replaced'
  return (
    <Text size="sm" c="dimmed" mb="sm" className="no-print">
      {t(text, { age: formatAge(key.expires_at) })}{' '}
      <AnchorTo to="/keys" search={{}} inherit underline="always">
        {t('shell.key.look')}
      </AnchorTo>
    </Text>
  )
}
