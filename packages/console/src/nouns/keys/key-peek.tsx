import type { Key } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { Peek, PeekTitle } from '#kit/list/peek.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import { keyQuery } from './actions.ts'
import { RenewButton, useKeyMenu } from './key-actions.tsx'
import type { OpenKeyDialog } from './key-dialogs.ts'
import { Hint } from './key-link.tsx'
import { ExpiryNotice } from './key-notices.tsx'
import { KeyProperties } from './key-properties.tsx'

interface Props {
  /** The key as the list shows it. */
  readonly listed: Key
  readonly onClose: () => void
  readonly open: OpenKeyDialog
}

/** A key beside the list. */
export function KeyPeek({ listed, onClose, open }: Props) {
  const { data: key = listed } = useQuery({ ...keyQuery(listed), placeholderData: listed })
  const navigate = useNavigate()
  const menuOf = useKeyMenu(open)
  const link = { to: '/keys/$key_id', params: { key_id: key.id }, search: {} } as const
  return (
    <Peek
      title={t('word.key')}
      onOpen={() => void navigate(link)}
      onClose={onClose}
      foot={
        <>
          <ButtonLink {...link}>{t('word.open')}</ButtonLink>
          <RenewButton apiKey={key} open={open} />
          <ActionMenu of={key.name} groups={menuOf(key, ['edit', 'revoke'])} />
        </>
      }
    >
      <PeekTitle over={<Hint hint={key.hint} />} title={key.name} description={null} />
      <ExpiryNotice apiKey={key} />
      <KeyProperties apiKey={key} />
    </Peek>
  )
}
