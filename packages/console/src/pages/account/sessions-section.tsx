import { Badge } from '@mantine/core'
import type { Session } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { sessionsQuery } from '#data/account.ts'
import { runActionWithToast } from '#data/change/action.ts'
import type { Column } from '#kit/list/columns.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { Age } from '#kit/parts/age.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { formatUserAgent } from '#text/user-agent.ts'

import { endSession } from './actions.ts'
import { ListSection } from './list-section.tsx'

const columns: readonly Column<Session>[] = [
  {
    name: t('sessions.browser'),
    width: 'minmax(0, 2fr)',
    phone: 'title',
    cell: ({ user_agent, is_current }) => (
      <>
        <span title={user_agent ?? ''}>{formatUserAgent(user_agent)}</span>{' '}
        {is_current && (
          <Badge variant="light" tt="none" size="sm">
            {t('sessions.current')}
          </Badge>
        )}
      </>
    ),
  },
  {
    name: t('sessions.method'),
    width: '130px',
    phone: 'meta',
    cell: ({ method }) => label('signInMethod', method),
  },
  {
    name: t('word.signed-in'),
    width: '110px',
    from: 820,
    cell: ({ authenticated_at }) => <Age at={authenticated_at} />,
  },
  {
    name: t('word.last-used'),
    width: '110px',
    from: 620,
    cell: ({ last_used_at }) => <Age at={last_used_at} />,
  },
  {
    name: t('sessions.ends'),
    width: '110px',
    from: 820,
    cell: ({ expires_at, idle_expires_at }) => (
      <Age at={idle_expires_at < expires_at ? idle_expires_at : expires_at} />
    ),
  },
  {
    name: t('sessions.network'),
    width: '130px',
    from: 820,
    cell: ({ network }) => network ?? t('value.none'),
  },
  {
    name: t('list.actions'),
    width: '80px',
    phone: 'end',
    isNameHidden: true,
    cell: (session) => <EndButton session={session} />,
  },
]

export const SessionsSection = () => (
  <ListSection
    title={t('sessions.title')}
    about={t('sessions.about')}
    columns={columns}
    query={useQuery(sessionsQuery)}
  />
)

/** The current session ends with “Sign out”. */
function EndButton({ session }: { readonly session: Session }) {
  if (session.is_current) return null
  const browser = formatUserAgent(session.user_agent)
  return (
    <ActionButton
      size="compact-sm"
      variant="default"
      aria-label={t('sessions.end.one', { browser })}
      onClick={() => runActionWithToast(endSession(session))}
    >
      {t('sessions.end')}
    </ActionButton>
  )
}
