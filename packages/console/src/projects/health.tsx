import { Text } from '@mantine/core'
import type { Project } from '@muster/contract'

import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck } from '#ui/icons/index.tsx'

import classes from './projects.module.css'

const staleAfterDays = 30
const finishedStatuses = new Set<string>(['completed', 'cancelled', 'archived'])

const icons = {
  on_track: IconCircleCheck,
  at_risk: IconAlertTriangle,
  off_track: IconAlertOctagon,
}

type HealthFields = Pick<Project, 'health' | 'health_set_at' | 'status'>

/** The health of a project and its age. An old value is marked as stale. */
export function Health({ project }: { readonly project: HealthFields }) {
  const { health, health_set_at } = project
  if (health === null)
    return (
      <Text span c="dimmed" inherit>
        {t('health.none')}
      </Text>
    )
  return (
    <div>
      <HealthName health={health} />
      {health_set_at !== null && (
        <Text size="xs" c="dimmed" title={formatInstant(health_set_at)}>
          {t('health.reported', { age: formatAge(health_set_at) })}
        </Text>
      )}
      {isStale(project) && (
        <span className={classes.stale}>{t('health.stale', { count: staleAfterDays })}</span>
      )}
    </div>
  )
}

function HealthName({ health }: { readonly health: NonNullable<Project['health']> }) {
  const Icon = icons[health]
  return (
    <span className={classes.health} data-health={health}>
      <Icon size={16} aria-hidden />
      {label('projectHealth', health)}
    </span>
  )
}

/** Finished projects are never stale. */
function isStale({ health_set_at, status }: HealthFields): boolean {
  if (health_set_at === null || finishedStatuses.has(status)) return false
  return Date.now() - Date.parse(health_set_at) > staleAfterDays * 86_400_000
}
