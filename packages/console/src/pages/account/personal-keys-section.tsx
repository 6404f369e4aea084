import type { Key } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { personalKeysQuery } from '#data/account.ts'
import { useDialogs } from '#kit/form/dialogs.tsx'
import { useKeptDisclosure } from '#kit/form/draft.ts'
import type { Column } from '#kit/list/columns.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { Age } from '#kit/parts/age.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { Hint } from '#nouns/keys/key-link.tsx'
import { ProjectCodes } from '#nouns/keys/key-projects.tsx'
import { mayTexts } from '#nouns/keys/scope-texts.ts'
import { t } from '#text/index.ts'

import { ListSection } from './list-section.tsx'

const file = () => import('./personal-key-dialogs.tsx')
const NewPersonalKeyDialog = lazyRouteComponent(file, 'NewPersonalKeyDialog')
const dialogs = { revoke: lazyRouteComponent(file, 'RevokePersonalKeyDialog') }

export function PersonalKeysSection() {
  const [isCreating, creation] = useKeptDisclosure('personal-keys/new')
  const { open, dialog } = useDialogs('personal-keys/dialog', dialogs)
  return (
    <ListSection
      title={t('personal-keys.title')}
      about={t('personal-keys.about')}
      button={
        <ActionButton size="compact-sm" onClick={creation.open}>
          {t('personal-keys.new')}
        </ActionButton>
      }
      columns={columnsWith((key) => open('revoke', key))}
      query={useQuery(personalKeysQuery)}
      empty={<EmptyState title={t('personal-keys.none')} advice={t('personal-keys.none.about')} />}
    >
      {dialog}
      <LazyDialog isOpen={isCreating}>
        <NewPersonalKeyDialog onClose={creation.close} />
      </LazyDialog>
    </ListSection>
  )
}

const columnsWith = (onRevoke: (key: Key) => void): readonly Column<Key>[] => [
  {
    name: t('word.name'),
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
      const text = mayTexts(scopes).join(', ') || t('word.none')
      return <span title={text}>{text}</span>
    },
  },
  {
    name: t('keys.projects'),
    width: 'minmax(0, 1fr)',
    from: 620,
    cell: ({ project_ids }) => <ProjectCodes project_ids={project_ids} />,
  },
  {
    name: t('word.status'),
    width: '88px',
    from: 620,
    cell: ({ status }) => <StatusName set="keyStatus" status={status} />,
  },
  {
    name: t('word.expires'),
    width: '104px',
    from: 620,
    cell: ({ expires_at }) => (expires_at === null ? t('word.never') : <Age at={expires_at} />),
  },
  {
    name: t('word.last-used'),
    width: '104px',
    from: 820,
    cell: ({ last_used_at }) =>
      last_used_at === null ? t('word.never') : <Age at={last_used_at} />,
  },
  {
    name: t('list.actions'),
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
