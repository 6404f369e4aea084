import type { Whoami } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { useWhoami, whoamiQuery } from '#data/whoami.ts'
import { Line, Lines, SettingsPage } from '#frame/settings-page.tsx'
import { Section } from '#kit/parts/page.tsx'
import { formatNumber, t } from '#text/index.ts'

import classes from './usage.module.css'

/** The usage of the workspace against its quota, and the limits of requests. */
export function UsagePage() {
  const { usage, limits } = useWhoami()
  // Usage changes with every write, so refetch it on every visit.
  useQuery({ ...whoamiQuery, refetchOnMount: 'always' })
  // The cast holds because the quota has an object of known keys.
  const kinds = Object.keys(limits.quota) as (keyof typeof usage)[]
  return (
    <SettingsPage title={t('settings.usage')}>
      <Section title={t('keys.usage')}>
        <div>
          {kinds.map((kind) => {
            const { [kind]: used } = usage
            const name = t(`keys.quota.${kind}`)
            // Without the right to list what is counted, there is no count.
            return used === null ? null : (
              <Meter key={kind} name={name} used={used} max={limits.quota[kind]} />
            )
          })}
        </div>
      </Section>
      <LimitFacts limits={limits} />
    </SettingsPage>
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

const limitText = (count: number) => t('keys.limits.most', { count })
const kilobytes = (bytes: number) => t('keys.limits.kilobytes', { count: Math.floor(bytes / 1024) })

/** The limits of the API. */
function LimitFacts({ limits }: Pick<Whoami, 'limits'>) {
  return (
    <Section title={t('keys.limits')}>
      <Lines>
        <Line name={t('keys.limits.page')}>{limitText(limits.page_size_max)}</Line>
        <Line name={t('keys.limits.body')}>{kilobytes(limits.body_bytes_max)}</Line>
        <Line name={t('keys.limits.batch')}>{kilobytes(limits.batch_bytes_max)}</Line>
        <Line name={t('keys.limits.rows')}>{limitText(limits.batch_rows_max)}</Line>
        <Line name={t('keys.limits.projects')}>{limitText(limits.batch_projects_max)}</Line>
        <Line name={t('keys.limits.streams')}>{limitText(limits.complete_streams)}</Line>
        <Line name={t('keys.limits.bodies')}>{limitText(limits.large_bodies)}</Line>
        <Line name={t('keys.limits.rate')}>{limitText(limits.requests_per_minute)}</Line>
        <Line name={t('keys.limits.rate.workspace')}>
          {limitText(limits.workspace_requests_per_minute)}
        </Line>
      </Lines>
    </Section>
  )
}
