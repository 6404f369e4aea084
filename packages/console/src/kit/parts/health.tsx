import type { Project } from '@muster/contract'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import classes from './parts.module.css'

interface Props {
  readonly health: Project['health']
}

interface ShapeProps extends Props {
  /** False if the name stands beside it. */
  readonly isNamed?: boolean
}

/** A colour and a shape for each health, with its name for screen readers. */
export function HealthShape({ health, isNamed = true }: ShapeProps) {
  return (
    <svg
      className={classes.health}
      data-health={health ?? 'none'}
      viewBox="0 0 10 10"
      {...(isNamed ? { role: 'img', 'aria-label': healthName(health) } : { 'aria-hidden': true })}
    >
      {health === 'at_risk' && <path d="M5 .8 9.6 9.2H.4z" />}
      {health === 'off_track' && <path d="M5 .4 9.6 5 5 9.6.4 5z" />}
      {(health === null || health === 'on_track') && <circle cx="5" cy="5" r="4.2" />}
    </svg>
  )
}

export const healthName = (health: Project['health']) =>
  health === null ? t('health.none') : label('projectHealth', health)

export const HealthName = ({ health }: Props) => (
  <span className={classes.inline}>
    <HealthShape health={health} isNamed={false} />
    <span className="cut">{healthName(health)}</span>
  </span>
)
