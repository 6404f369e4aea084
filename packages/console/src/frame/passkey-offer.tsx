import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { passkeysQuery } from '#data/account.ts'
import { useDeclinedPasskey } from '#data/first-passkey.ts'
import { supportsPasskeys } from '#data/passkeys.ts'
import { useWhoami } from '#data/whoami.ts'
import { AnchorLink } from '#kit/parts/links.tsx'
import { t } from '#text/index.ts'

import classes from './sidebar.module.css'

/** Whether the person signed in by link and has no passkey yet. `isAsked` saves the request. */
export function useLacksPasskey(isAsked: boolean): boolean {
  const { person, session } = useWhoami()
  const isByLink = person !== null && session?.method === 'link' && supportsPasskeys()
  const { data } = useQuery({ ...passkeysQuery, enabled: isByLink && isAsked })
  return isByLink && data?.data.length === 0
}

/** A small notice after a sign-in by link, until the person has a passkey or dismisses it. */
export function PasskeyNotice() {
  const userId = useWhoami().person?.user_id ?? ''
  const [declinedBy, setDeclinedBy] = useDeclinedPasskey()
  const isShown = useLacksPasskey(userId !== declinedBy) && userId !== declinedBy
  if (!isShown) return null
  return (
    <div role="note" className={classes.notice}>
      <span>{t('passkey.offer')}</span>
      <CloseButton size="sm" aria-label={t('toast.close')} onClick={() => setDeclinedBy(userId)} />
      <AnchorLink to="/account" search={{ create: 'passkey' }} inherit>
        {t('passkeys.create')}
      </AnchorLink>
    </div>
  )
}
