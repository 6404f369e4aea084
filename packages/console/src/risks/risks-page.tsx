import { Grid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { RiskSummary } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'

import type { Search } from '#api/search.ts'
import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { useFilters } from '#ui/filters.ts'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { AttentionPanel } from './attention-panel.tsx'
import { HeatMap } from './heat-map.tsx'
import { LevelTiles } from './level-tiles.tsx'
import { registerPages, riskSummaryQuery } from './queries.ts'
import { RegisterList } from './register-list.tsx'
import { riskFilterNames, RiskFilters } from './risk-filters.tsx'

const NewRiskDialog = lazyRouteComponent(() => import('./new-risk-dialog.tsx'), 'NewRiskDialog')

export function RisksPage() {
  const filters = useFilters(riskFilterNames)
  const { basis = 'current' } = useSearch({ strict: false }) as Search
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const reason = useMissingScopeReason('projects.manage')
  const [isAdding, { open, close }] = useDisclosure(false)
  // The cast holds for URLs that the console makes; the service refuses other values.
  const summary = useQuery(riskSummaryQuery(filters.values, basis as RiskSummary['basis']))
  const register = useInfiniteQuery(registerPages(filters.values, seesPeople))
  const first = register.data?.pages[0]?.data ?? []
  return (
    <Page
      title={t('risks.title')}
      rightSection={
        <Text size="sm" c="dimmed">
          {t('risks.as-of-now')}
        </Text>
      }
      actions={
        <ActionButton onClick={open} reason={reason}>
          {t('risks.new')}
        </ActionButton>
      }
    >
      <RiskFilters filters={filters} />
      {summary.isError && <ProblemNotice error={summary.error} />}
      <LevelTiles summary={summary.data} filters={filters} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <HeatMap summary={summary.data} filters={filters} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <AttentionPanel summary={summary.data} filters={filters} risks={first} />
        </Grid.Col>
      </Grid>
      <Stack gap={4}>
        <RegisterList
          query={register}
          total={summary.data?.count ?? null}
          isFiltered={filters.count > 0}
        />
      </Stack>
      <LazyDialog isOpen={isAdding}>
        <NewRiskDialog onClose={close} />
      </LazyDialog>
    </Page>
  )
}
