import { UnstyledButton } from '@mantine/core'
import type { Key } from '@muster/contract'
import { useState } from 'react'

import { projectAddress } from '#data/addresses.ts'
import { AnchorLink } from '#kit/parts/links.tsx'
import { useSeenProjects } from '#kit/references/projects.ts'
import { t } from '#text/index.ts'

import classes from './keys.module.css'

type Bound = Pick<Key, 'project_ids'>

const listedMax = 2

/** The codes of the first projects, for a cell. */
export function ProjectCodes({ project_ids: ids }: Bound) {
  const { seen, unseenCount, isLoading } = useSeenProjects(ids ?? [])
  if (ids === null) return t('keys.projects.all')
  if (isLoading) return '…'
  const further = Math.max(0, seen.length - listedMax)
  const text = [
    ...seen.slice(0, listedMax).map(({ code }) => code),
    ...(unseenCount > 0 ? [t('keys.projects.unseen', { count: unseenCount })] : []),
  ].join(', ')
  const names = seen.map(({ code, name }) => `${code} ${name}`).join('\n')
  return (
    <span title={names || text}>
      {further === 0 ? text : `${text} ${t('keys.projects.more', { count: further })}`}
    </span>
  )
}

const linkedMax = 5

/** Links to the projects. A button shows those after the first. */
export function ProjectLinks({ project_ids: ids }: Bound) {
  const [isAll, setAll] = useState(false)
  const { seen, unseenCount, isLoading } = useSeenProjects(ids ?? [])
  if (ids === null) return t('keys.projects.all')
  if (isLoading) return '…'
  const shown = isAll ? seen : seen.slice(0, linkedMax)
  const further = seen.length - shown.length
  return (
    <ul className={classes.projects}>
      {shown.map(({ id, code, name }) => (
        <li key={id}>
          <AnchorLink {...projectAddress({ id })} inherit className="wrap">
            {code} {name}
          </AnchorLink>
        </li>
      ))}
      {further > 0 && (
        <li>
          <UnstyledButton className={classes.more} onClick={() => setAll(true)}>
            {t('keys.projects.more', { count: further })}
          </UnstyledButton>
        </li>
      )}
      {unseenCount > 0 && <li>{t('keys.projects.unseen', { count: unseenCount })}</li>}
    </ul>
  )
}
