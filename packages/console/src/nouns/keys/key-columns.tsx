import type { ReactNode } from 'react'

import { useWhoami } from '#data/whoami.ts'
import type { Column } from '#kit/list/columns.ts'
import { Title } from '#kit/list/title.tsx'
import { Age } from '#kit/parts/age.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'

import { Hint } from './key-link.tsx'
import { ProjectCodes } from './key-projects.tsx'
import { mayText } from './scope-texts.ts'
import type { KeyWarning, ListedKey } from './warnings.ts'

import classes from './keys.module.css'

export const keyColumns: readonly Column<ListedKey>[] = [
  {
    name: t('keys.column.key'),
    width: 'minmax(0, 2fr)',
    phone: 'title',
    cell: (key) => <Name apiKey={key} />,
  },
  {
    name: t('keys.responsible'),
    width: 'minmax(0, 1fr)',
    from: 1100,
    cell: ({ responsible_user_id: id }) =>
      id === null ? t('value.none') : <PersonById userId={id} />,
  },
  {
    name: t('keys.may'),
    width: 'minmax(0, 1.75fr)',
    from: 620,
    phone: 'meta',
    cell: ({ scopes }) => {
      const text = mayText(scopes)
      return <span title={text}>{text}</span>
    },
  },
  {
    name: t('keys.projects'),
    width: 'minmax(0, 1fr)',
    from: 820,
    cell: ({ project_ids }) => <ProjectCodes project_ids={project_ids} />,
  },
  {
    name: t('keys.from-network'),
    width: 'minmax(0, 1fr)',
    from: 820,
    cell: (key) => (
      <Marked warnings={key.warnings} by={{ any_network: 'warn' }}>
        {key.allowed_cidrs.join(', ') || t('keys.anywhere')}
      </Marked>
    ),
  },
  {
    name: t('word.last-used'),
    width: '104px',
    from: 620,
    cell: ({ warnings, last_used_at: at }) => (
      <Marked warnings={warnings} by={{ still_used: 'alarm', never_used: 'warn' }}>
        {at === null ? t('word.never') : <Age at={at} />}
      </Marked>
    ),
  },
  {
    name: t('word.expires'),
    width: '96px',
    phone: 'end',
    cell: ({ warnings, revoked_at, expires_at }) => (
      <Marked warnings={warnings} by={{ ends_soon: 'alarm', never_ends: 'warn' }}>
        <End at={revoked_at ?? expires_at} />
      </Marked>
    ),
  },
  {
    name: t('word.status'),
    width: '88px',
    from: 620,
    cell: ({ status }) => <StatusName set="keyStatus" status={status} />,
  },
]

interface MarkedProps {
  readonly warnings: readonly KeyWarning[]
  /** The colour for each warning that this value can show. */
  readonly by: Partial<Readonly<Record<KeyWarning, 'alarm' | 'warn'>>>
  readonly children: ReactNode
}

/** A value that is coloured if it is the reason of a warning. */
export function Marked({ warnings, by, children }: MarkedProps) {
  const warning = warnings.find((each) => by[each] !== undefined)
  const color = warning && by[warning]
  if (warning === undefined || color === undefined) return children
  return (
    <span className={classes[color]} title={t(`keys.attention.${warning}`)}>
      {children}
    </span>
  )
}

const End = ({ at }: { readonly at: string | null }) =>
  at === null ? t('word.never') : <Age at={at} />

function Name({ apiKey: key }: { readonly apiKey: ListedKey }) {
  const { key: own } = useWhoami()
  const isStillUsed = key.warnings.includes('still_used')
  return (
    <Title
      end={
        key.replaced_by !== null && (
          <span className="flag" data-quiet={!isStillUsed}>
            {t(isStillUsed ? 'keys.attention.still_used' : 'keys.replaced')}
          </span>
        )
      }
    >
      <AnchorLink to="/keys/$key_id" params={{ key_id: key.id }} search={{}} inherit>
        {key.name}
      </AnchorLink>
      <Hint hint={key.hint} />
      {key.id === own?.id && <span className={classes.yours}>{t('keys.yours')}</span>}
    </Title>
  )
}
