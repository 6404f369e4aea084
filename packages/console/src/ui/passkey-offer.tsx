import { Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'

import { passkeysQuery } from '#api/account.ts'
import { supportsPasskeys } from '#api/passkeys.ts'
import { useWhoami } from '#api/whoami.ts'
import { useDeclinedPasskey } from '#sign-in/first-passkey.ts'
import { t } from '#text/index.ts'

import { ButtonLink } from './links.tsx'

/** After a sign-in by link: offers to create the first passkey, until the person declines. */
export function PasskeyOffer() {
  const { person, session } = useWhoami()
  const [declinedBy, setDeclinedBy] = useDeclinedPasskey()
  const isOnAccountPage = useRouterState({
    select: ({ location }) => location.pathname === '/account',
  })
  const isByLink = session?.method === 'link' && supportsPasskeys() && !isOnAccountPage
  const isOffered = isByLink && person !== null && person.user_id !== declinedBy
  const { data } = useQuery({ ...passkeysQuery, enabled: isOffered })
  if (!isOffered || data === undefined || data.data.length > 0) return null
  return (
    <Alert
      role="note"
      variant="outline"
      m={12}
      className="no-print"
      title={t('passkey.offer')}
      styles={{ label: { color: 'var(--mantine-color-text)' } }}
    >
      {t('passkey.offer.about')}
      <Group gap="xs" mt="sm">
        <ButtonLink to="/account" search={{ create: 'passkey' }} size="compact-md">
          {t('passkey.offer.create')}
        </ButtonLink>
        <Button size="compact-md" variant="subtle" onClick={() => setDeclinedBy(person.user_id)}>
          {t('passkey.offer.later')}
        </Button>
      </Group>
    </Alert>
  )
}
