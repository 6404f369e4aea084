import type { Key } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'

import { Peek, PeekTitle } from '#kit/list/peek.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import { type StartKeyAction, useKeyMenu } from './key-dialogs.tsx'
import { Hint } from './key-link.tsx'
import { ExpiryNotice } from './key-notices.tsx'
import { KeyProperties } from './key-properties.tsx'
import { RenewButton } from './renew-button.tsx'

interface Props {
  /** The prop is not named `key`, because React reserves that name. */
  readonly apiKey: Key
  readonly onClose: () => void
  readonly start: StartKeyAction
}

/** A key beside the list. */
export function KeyPeek({ apiKey: key, onClose, start }: Props) {
  const navigate = useNavigate()
  const menuOf = useKeyMenu()
  const link = { to: '/keys/$key_id', params: { key_id: key.id }, search: {} } as const
  return (
    <Peek
      title={t('keys.one')}
      onOpen={() => void navigate(link)}
      onClose={onClose}
      foot={
        <>
          <ButtonLink {...link}>{t('peek.open.short')}</ButtonLink>
          <RenewButton apiKey={key} start={start} />
          <ActionMenu of={key.name} groups={menuOf(key, start, ['edit', 'revoke'])} />
        </>
      }
    >
      <PeekTitle over={<Hint hint={key.hint} />} title={key.name} description={null} />
      <ExpiryNotice apiKey={key} />
      <KeyProperties apiKey={key} />
    </Peek>
  )
}
