import { Code, SimpleGrid } from '@mantine/core'
import type { Whoami } from '@muster/contract'

import { t } from '#text/index.ts'
import { AnchorLink } from '#ui/links.tsx'
import { Fact, Section } from '#ui/page.tsx'

export function WorkspaceFacts({ workspace }: Pick<Whoami, 'workspace'>) {
  return (
    <Section
      title={t('keys.workspace')}
      rightSection={
        <AnchorLink to="/workspace" search={{}} size="sm" underline="always">
          {t('keys.workspace.settings')}
        </AnchorLink>
      }
    >
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, lg: 1 }} m={0} spacing="sm">
        <Fact name={t('keys.workspace.name')}>{workspace.name}</Fact>
        <Fact name={t('keys.workspace.zone')}>
          <span title={t('keys.workspace.zone.about')}>{workspace.time_zone}</span>
        </Fact>
        <Fact name={t('keys.workspace.id')}>
          <Code className="wrap">{workspace.id}</Code>
        </Fact>
      </SimpleGrid>
    </Section>
  )
}

const limitText = (count: number) => t('keys.limits.most', { count })
const kilobytes = (bytes: number) => t('keys.limits.kilobytes', { count: Math.floor(bytes / 1024) })

/** The limits of the API. */
export function LimitFacts({ limits }: Pick<Whoami, 'limits'>) {
  return (
    <Section title={t('keys.limits')}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0} spacing="sm">
        <Fact name={t('keys.limits.page')}>{limitText(limits.page_size_max)}</Fact>
        <Fact name={t('keys.limits.body')}>{kilobytes(limits.body_bytes_max)}</Fact>
        <Fact name={t('keys.limits.batch')}>{kilobytes(limits.batch_bytes_max)}</Fact>
        <Fact name={t('keys.limits.rows')}>{limitText(limits.batch_rows_max)}</Fact>
        <Fact name={t('keys.limits.streams')}>{limitText(limits.complete_streams)}</Fact>
        <Fact name={t('keys.limits.rate')}>{limitText(limits.requests_per_minute)}</Fact>
        <Fact name={t('keys.limits.rate.workspace')}>
          {limitText(limits.workspace_requests_per_minute)}
        </Fact>
      </SimpleGrid>
    </Section>
  )
}
