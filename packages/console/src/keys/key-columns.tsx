import { Badge, Code, Text } from '@mantine/core'

import { useWhoami } from '#api/whoami.ts'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import type { Column } from '#ui/virtual-table.tsx'

import { isUrgent, type ListedKey } from './warnings.ts'

export const keyColumns: readonly Column<ListedKey>[] = [
  {
    name: t('keys.column.key'),
    width: 'minmax(230px, 3fr)',
    isUnlabelled: true,
    isWide: true,
    cell: (key) => <Name apiKey={key} />,
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
  { name: t('keys.created'), width: '110px', cell: ({ created_at }) => <Age at={created_at} /> },
  {
    name: t('keys.expires'),
    width: '110px',
    cell: ({ revoked_at, expires_at }) => <End at={revoked_at ?? expires_at} />,
  },
  {
    name: t('keys.last-used'),
    width: '150px',
    cell: ({ last_used_at, last_used_from }) => (
      <span>
        {last_used_at === null ? t('keys.not-used') : <Age at={last_used_at} />}
        {last_used_from !== null && (
          <Text span size="xs" c="dimmed" display="block" className="wrap">
            {t('keys.from', { network: last_used_from })}
          </Text>
        )}
      </span>
    ),
  },
]

const Age = ({ at }: { readonly at: string }) => (
  <span title={formatInstant(at)}>{formatAge(at)}</span>
)

const End = ({ at }: { readonly at: string | null }) =>
  at === null ? t('keys.never') : <Age at={at} />

function Name({ apiKey: key }: { readonly apiKey: ListedKey }) {
  const { key: own } = useWhoami()
  return (
    <>
      <div>
        <AnchorLink to="/keys/$key_id" params={{ key_id: key.id }} search={{}} inherit>
          {key.name}
        </AnchorLink>{' '}
        <Code title={t('keys.hint.about')}>{key.hint}…</Code>{' '}
        {key.id === own.id && (
          <Badge variant="light" tt="none" size="sm">
            {t('keys.yours')}
          </Badge>
        )}
      </div>
      <div>
        {key.warnings.map((warning) => (
          <span key={warning} className="flag" data-quiet={!isUrgent(warning)}>
            {t(`keys.attention.${warning}`)}
          </span>
        ))}
      </div>
      {key.replaced_by !== null && <Successor apiKey={key} id={key.replaced_by} />}
    </>
  )
}

function Successor({
  apiKey: { successor },
  id,
}: {
  readonly apiKey: ListedKey
  readonly id: string
}) {
  return (
    <Text size="xs" c="dimmed">
      {t('keys.replaced-by')}{' '}
      <AnchorLink to="/keys/$key_id" params={{ key_id: id }} search={{}} inherit underline="always">
        {successor === undefined ? id : `${successor.hint}…`}
      </AnchorLink>
    </Text>
  )
}
