import { Group } from '@mantine/core'
import type { Passkey } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { passkeysQuery } from '#data/account.ts'
import { supportsPasskeys } from '#data/passkeys.ts'
import type { Search } from '#data/search.ts'
import { type OpenDialog, useDialogs } from '#kit/form/dialogs.tsx'
import type { Column } from '#kit/list/columns.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { Age } from '#kit/parts/age.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { ListSection } from './list-section.tsx'

const file = () => import('./passkey-dialogs.tsx')
const CreatePasskeyDialog = lazyRouteComponent(file, 'CreatePasskeyDialog')
const dialogs = {
  rename: lazyRouteComponent(file, 'RenamePasskeyDialog'),
  remove: lazyRouteComponent(file, 'RemovePasskeyDialog'),
}

export function PasskeysSection() {
  const { create } = useSearch({ strict: false }) as Search
  const [isCreating, setCreating] = useState(create === 'passkey')
  const { open, dialog } = useDialogs('passkeys/dialog', dialogs)
  return (
    <ListSection
      title={t('passkeys.title')}
      about={t('passkeys.about')}
      button={
        <ActionButton
          size="compact-sm"
          reason={supportsPasskeys() ? null : t('passkeys.unsupported')}
          onClick={() => setCreating(true)}
        >
          {t('passkeys.create')}
        </ActionButton>
      }
      columns={columnsWith(open)}
      query={useQuery(passkeysQuery)}
      empty={<EmptyState title={t('passkeys.none')} advice={t('passkeys.none.about')} />}
    >
      {dialog}
      <LazyDialog isOpen={isCreating}>
        <CreatePasskeyDialog onClose={() => setCreating(false)} />
      </LazyDialog>
    </ListSection>
  )
}

type Open = OpenDialog<keyof typeof dialogs, Passkey>

const columnsWith = (open: Open): readonly Column<Passkey>[] => [
  {
    name: t('word.name'),
    width: 'minmax(0, 2fr)',
    phone: 'title',
    cell: ({ name }) => name,
  },
  {
    name: t('word.created'),
    width: '120px',
    from: 620,
    cell: (each) => <Age at={each.created_at} />,
  },
  {
    name: t('word.last-used'),
    width: '120px',
    phone: 'meta',
    cell: (each) => <Age at={each.last_used_at} />,
  },
  {
    name: t('list.actions'),
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
            onClick={() => open(action, passkey)}
          >
            {t(`passkeys.${action}`)}
          </ActionButton>
        ))}
      </Group>
    ),
  },
]
