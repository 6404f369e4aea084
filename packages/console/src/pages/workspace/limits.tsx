import type { Whoami } from '@muster/contract'

import { Line, Lines } from '#frame/settings-page.tsx'
import { Section } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

const limitText = (count: number) => t('keys.limits.most', { count })
const kilobytes = (bytes: number) => t('keys.limits.kilobytes', { count: Math.floor(bytes / 1024) })

/** The limits of the API. */
export function LimitFacts({ limits }: Pick<Whoami, 'limits'>) {
  return (
    <Section title={t('keys.limits')}>
      <Lines>
        <Line name={t('keys.limits.page')}>{limitText(limits.page_size_max)}</Line>
        <Line name={t('keys.limits.body')}>{kilobytes(limits.body_bytes_max)}</Line>
        <Line name={t('keys.limits.batch')}>{kilobytes(limits.batch_bytes_max)}</Line>
        <Line name={t('keys.limits.rows')}>{limitText(limits.batch_rows_max)}</Line>
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
