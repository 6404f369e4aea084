import { Badge, Code, Text } from '@mantine/core'

import { useWhoami } from '#api/whoami.ts'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorTo } from '#ui/links.tsx'
import type { Column } from '#ui/ranked-list.tsx'

import { isUrgent, type ListedKey } from './care.ts'

export const keyColumns: readonly Column<ListedKey>[] = [
  {
    name: t('keys.column.key'),
    width: 'minmax(230px, 3fr)',
    isPlain: true,
    isWide: true,
    cell: (key) => <Name of={key} />,
  },
  {
    name: t('keys.scopes'),
    width: 'minmax(150px, 2fr)',
    isWide: true,
    cell: ({ scopes }) => (
      <Text span size="xs">
        {scopes.join(', ') || t('keys.no-scopes')}
      </Text>
    ),
  },
  {
    name: t('keys.status'),
    width: '100px',
    cell: ({ status }) => <StatusBadge set="keyStatus" status={status} />,
  },
  { name: t('keys.created'), width: '110px', cell: ({ created_at }) => <Age of={created_at} /> },
  {
    name: t('keys.expires'),
    width: '110px',
    cell: ({ revoked_at, expires_at }) => <End of={revoked_at ?? expires_at} />,
  },
  {
    name: t('keys.last-used'),
    width: '150px',
    cell: ({ last_used_at, last_used_from }) => (
      <span>
        {last_used_at === null ? t('keys.not-used') : <Age of={last_used_at} />}
        {last_used_from !== null && (
          <Text span size="xs" c="dimmed" display="block" className="wrap">
            {t('keys.from', { network: last_used_from })}
          </Text>
        )}
      </span>
    ),
  },
]

const Age = ({ of }: { readonly of: string }) => (
  <span title={formatInstant(of)}>{formatAge(of)}</span>
)

const End = ({ of }: { readonly of: string | null }) =>
  of === null ? t('keys.never') : <Age of={of} />

function Name({ of: key }: { readonly of: ListedKey }) {
  const { key: own } = useWhoami()
  return (
    <>
      <div>
        <AnchorTo to="/keys/$key_id" params={{ key_id: key.id }} search={{}} inherit>
          {key.name}
        </AnchorTo>{' '}
        <Code title={t('keys.hint.about')}>{key.hint}…</Code>{' '}
        {key.id === own.id && (
          <Badge variant="light" tt="none" size="sm">
            {t('keys.yours')}
          </Badge>
        )}
      </div>
      <div>
        {key.cares.map((care) => (
          <span key={care} className="flag" data-quiet={!isUrgent(care)}>
            {t(`keys.care.${care}`)}
          </span>
        ))}
      </div>
      {key.replaced_by !== null && <Successor of={key} id={key.replaced_by} />}
    </>
  )
}

function Successor({ of: { successor }, id }: { readonly of: ListedKey; readonly id: string }) {
  return (
    <Text size="xs" c="dimmed">
      {t('keys.replaced-by')}{' '}
      <AnchorTo to="/keys/$key_id" params={{ key_id: id }} search={{}} inherit underline="always">
        {successor === undefined ? id : `${successor.hint}…`}
      </AnchorTo>
    </Text>
  )
}
