import type { Project } from '@muster/contract'

import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import classes from './projects.module.css'

const staleAfterDays = 30
const finishedStatuses = new Set<string>(['completed', 'cancelled', 'archived'])

type HealthFields = Pick<Project, 'health' | 'health_set_at' | 'status'>

/** Finished projects are never stale. */
const isStale = ({ health_set_at, status }: HealthFields) =>
  health_set_at !== null &&
  !finishedStatuses.has(status) &&
  Date.now() - Date.parse(health_set_at) > staleAfterDays * 86_400_000

/** When the health was reported. An old report is marked. */
export function HealthAge({ project }: { readonly project: HealthFields }) {
  const { health, health_set_at } = project
  if (health === null || health_set_at === null) return null
  return (
    <>
      <time dateTime={health_set_at} title={formatInstant(health_set_at)}>
        {t('health.reported', { age: formatAge(health_set_at) })}
      </time>
      {isStale(project) && (
        <span className={classes.stale} title={t('health.stale.about', { count: staleAfterDays })}>
          {t('health.stale')}
        </span>
      )}
    </>
  )
}
