import type { Whoami } from '@muster/contract'

import { Section } from '#kit/parts/page.tsx'
import { formatNumber, t } from '#text/index.ts'

import classes from './usage.module.css'

type Amounts = Whoami['usage']

interface Props {
  readonly usage: Amounts
  readonly quota: Amounts
}

/** Usage against quota, per kind of resource. */
export function Usage({ usage, quota }: Props) {
  // The cast holds because usage and quota have the same keys.
  const kinds = Object.keys(quota) as (keyof Amounts)[]
  return (
    <Section title={t('keys.usage')}>
      <div>
        {kinds.map((kind) => (
          <Meter key={kind} name={t(`keys.quota.${kind}`)} used={usage[kind]} max={quota[kind]} />
        ))}
      </div>
    </Section>
  )
}

interface MeterProps {
  readonly name: string
  readonly used: number
  readonly max: number
}

function Meter({ name, used, max }: MeterProps) {
  const share = max === 0 ? 1 : Math.min(used / max, 1)
  const isNear = share >= 0.9
  const warning = share === 1 ? t('keys.usage.full') : t('keys.usage.nearly-full')
  const amount = t('keys.usage.of', { used: formatNumber(used), max: formatNumber(max) })
  const text = isNear ? `${amount}, ${warning}` : amount
  return (
    <div className={classes.line}>
      <span>{name}</span>
      <div
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={used}
        aria-valuetext={text}
        className={classes['meter']}
      >
        <div
          className={classes['fill']}
          data-near={isNear}
          data-empty={used === 0}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <span className={classes.amount}>{text}</span>
    </div>
  )
}
