import { Text } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'

import { useWhoami } from '#api/whoami.ts'
import { formatAge } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { expiresSoon } from './key-expiry.ts'
import { AnchorLink } from './links.tsx'

/** Warns on every page that the key expires soon. The keys page has a detailed warning. */
export function KeyExpiryNotice() {
  const { key } = useWhoami()
  const isOnKeysPage = useRouterState({ select: ({ location }) => location.pathname === '/keys' })
  if (isOnKeysPage || key.expires_at === null || !(expiresSoon(key) || key.replaced_by)) return null
  const text = key.replaced_by === null ? 'shell.key.ends' : 'shell.key.replaced'
  return (
    <Text size="sm" c="dimmed" mb="sm" className="no-print">
      {t(text, { age: formatAge(key.expires_at) })}{' '}
      <AnchorLink to="/keys" search={{}} inherit underline="always">
        {t('shell.key.look')}
      </AnchorLink>
    </Text>
  )
}
