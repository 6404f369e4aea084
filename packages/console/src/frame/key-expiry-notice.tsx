import { Text } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'

import { expiresSoon } from '#data/key-expiry.ts'
import { useWhoami } from '#data/whoami.ts'
import { AnchorLink } from '#kit/parts/links.tsx'
import { formatAge } from '#text/dates.ts'
import { t } from '#text/index.ts'

/** Warns on every page that the key expires soon. The page of the key has a detailed warning. */
export function KeyExpiryNotice() {
  const { key } = useWhoami()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  if (key === null || key.expires_at === null || pathname === `/keys/${key.id}`) return null
  if (!expiresSoon(key) && key.replaced_by === null) return null
  const text = key.replaced_by === null ? 'shell.key.ends' : 'shell.key.replaced'
  return (
    <Text c="dimmed" px={16} py={8} className="no-print">
      {t(text, { age: formatAge(key.expires_at) })}{' '}
      <AnchorLink
        to="/keys/$key_id"
        params={{ key_id: key.id }}
        search={{}}
        inherit
        underline="always"
      >
        {t('shell.key.look')}
      </AnchorLink>
    </Text>
  )
}
