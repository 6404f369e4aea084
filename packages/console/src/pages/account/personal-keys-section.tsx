import { Text } from '@mantine/core'
import type { Key } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { personalKeysQuery } from '#data/account.ts'
import { useKeptState } from '#kit/form/draft.ts'
import type { Column } from '#kit/list/columns.ts'
import { SmallList } from '#kit/list/small-list.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { Age } from '#kit/parts/age.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { EmptyState, Section } from '#kit/parts/page.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { Hint } from '#nouns/keys/key-link.tsx'
import { mayTexts } from '#nouns/keys/scope-texts.ts'
import { t } from '#text/index.ts'

const NewPersonalKeyDialog = lazyRouteComponent(
  () => import('./new-personal-key-dialog.tsx'),
  'NewPersonalKeyDialog',
)
const RevokePersonalKeyDialog = lazyRouteComponent(
  () => import('./revoke-personal-key-dialog.tsx'),
  'RevokePersonalKeyDialog',
)

export function PersonalKeysSection() {
  const { data, error } = useQuery(personalKeysQuery)
  const [opened, setOpened] = useKeptState<Key | 'new' | null>('personal-keys/dialog', null)
  const close = () => setOpened(null)
  return (
    <Section
      title={t('personal-keys.title')}
      rightSection={
        <ActionButton size="compact-sm" onClick={() => setOpened('new')}>
          {t('personal-keys.new')}
        </ActionButton>
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {t('personal-keys.about')}
      </Text>
      <SmallList
        label={t('personal-keys.title')}
        columns={columnsWith(setOpened)}
        items={data?.data}
        error={error}
        idOf={({ id }) => id}
        empty={
          <EmptyState title={t('personal-keys.none')} advice={t('personal-keys.none.about')} />
        }
      />
      <LazyDialog isOpen={opened !== null}>
        {opened === 'new' && <NewPersonalKeyDialog onClose={close} />}
        {opened !== null && opened !== 'new' && (
          <RevokePersonalKeyDialog seen={opened} onClose={close} />
        )}
      </LazyDialog>
    </Section>
  )
}

const columnsWith = (onRevoke: (key: Key) => void): readonly Column<Key>[] => [
  {
    name: t('keys.name'),
    width: 'minmax(0, 2fr)',
    phone: 'title',
    cell: ({ name, hint }) => (
      <>
        {name} <Hint hint={hint} />
      </>
    ),
  },
  {
    name: t('keys.may'),
    width: 'minmax(0, 2fr)',
    phone: 'meta',
    cell: ({ scopes }) => {
      const text = mayTexts(scopes).join(', ') || t('keys.no-scopes')
      return <span title={text}>{text}</span>
    },
  },
  {
    name: t('keys.status'),
    width: '88px',
    from: 620,
    cell: ({ status }) => <StatusName set="keyStatus" status={status} />,
  },
  {
    name: t('keys.expires'),
    width: '104px',
    from: 620,
    cell: ({ expires_at }) => (expires_at === null ? t('keys.never') : <Age at={expires_at} />),
  },
  {
    name: t('keys.last-used'),
    width: '104px',
    from: 820,
    cell: ({ last_used_at }) =>
      last_used_at === null ? t('keys.not-used') : <Age at={last_used_at} />,
  },
  {
    name: t('personal-keys.actions'),
    width: '80px',
    phone: 'end',
    isNameHidden: true,
    cell: (key) => (
      <ActionButton
        size="compact-sm"
        variant="default"
        aria-label={t('personal-keys.revoke.one', { name: key.name })}
        onClick={() => onRevoke(key)}
      >
        {t('key.revoke')}
      </ActionButton>
    ),
  },
]
