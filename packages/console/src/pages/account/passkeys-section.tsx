import { Group, Text } from '@mantine/core'
import type { Passkey } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { passkeysQuery } from '#data/account.ts'
import { supportsPasskeys } from '#data/passkeys.ts'
import type { Search } from '#data/search.ts'
import type { Column } from '#kit/list/columns.ts'
import { SmallList } from '#kit/list/small-list.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { Age } from '#kit/parts/age.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { EmptyState, Section } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

const dialogs = () => import('./passkey-dialogs.tsx')
const CreatePasskeyDialog = lazyRouteComponent(dialogs, 'CreatePasskeyDialog')
const RenamePasskeyDialog = lazyRouteComponent(dialogs, 'RenamePasskeyDialog')
const RemovePasskeyDialog = lazyRouteComponent(dialogs, 'RemovePasskeyDialog')

type Opened = { readonly action: 'rename' | 'remove'; readonly passkey: Passkey } | 'create' | null

export function PasskeysSection() {
  const { data, error } = useQuery(passkeysQuery)
  const { create } = useSearch({ strict: false }) as Search
  const [opened, setOpened] = useState<Opened>(create === 'passkey' ? 'create' : null)
  const close = () => setOpened(null)
  const button = (
    <ActionButton
      size="compact-sm"
      reason={supportsPasskeys() ? null : t('passkeys.unsupported')}
      onClick={() => setOpened('create')}
    >
      {t('passkeys.create')}
    </ActionButton>
  )
  return (
    <Section title={t('passkeys.title')} rightSection={button}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('passkeys.about')}
      </Text>
      <SmallList
        label={t('passkeys.title')}
        columns={columnsWith(setOpened)}
        items={data?.data}
        error={error}
        idOf={({ id }) => id}
        empty={<EmptyState title={t('passkeys.none')} advice={t('passkeys.none.about')} />}
      />
      <LazyDialog isOpen={opened !== null}>
        {opened === 'create' && <CreatePasskeyDialog onClose={close} />}
        {opened !== null && opened !== 'create' && <PasskeyDialog {...opened} onClose={close} />}
      </LazyDialog>
    </Section>
  )
}

interface DialogProps {
  readonly action: 'rename' | 'remove'
  readonly passkey: Passkey
  readonly onClose: () => void
}

function PasskeyDialog({ action, ...props }: DialogProps) {
  return action === 'rename' ? (
    <RenamePasskeyDialog {...props} />
  ) : (
    <RemovePasskeyDialog {...props} />
  )
}

const columnsWith = (open: (opened: Opened) => void): readonly Column<Passkey>[] => [
  {
    name: t('passkeys.name'),
    width: 'minmax(0, 2fr)',
    phone: 'title',
    cell: ({ name }) => name,
  },
  {
    name: t('passkeys.created'),
    width: '120px',
    from: 620,
    cell: (each) => <Age at={each.created_at} />,
  },
  {
    name: t('passkeys.last-used'),
    width: '120px',
    phone: 'meta',
    cell: (each) => <Age at={each.last_used_at} />,
  },
  {
    name: t('passkeys.actions'),
    width: '160px',
    phone: 'end',
    isNameHidden: true,
    cell: (passkey) => (
      <Group gap={4} wrap="nowrap">
        {(['rename', 'remove'] as const).map((action) => (
          <ActionButton
            key={action}
            size="compact-sm"
            variant="default"
            aria-label={t(`passkeys.${action}.one`, { name: passkey.name })}
            onClick={() => open({ action, passkey })}
          >
            {t(`passkeys.${action}`)}
          </ActionButton>
        ))}
      </Group>
    ),
  },
]
