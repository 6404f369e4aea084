import { Grid, Group, Text } from '@mantine/core'
import type { Risk } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { useMissingScopeReason } from '#api/whoami.ts'
import { TaskSection } from '#tasks/task-section.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { Flags, LevelBadge, ScoreChange, StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { projectQuery } from '#ui/projects.ts'

import { riskHistory, riskQuery } from './queries.ts'
import { readableHistory } from './readable-history.ts'
import { RiskActions } from './risk-actions.tsx'
import { RiskFacts } from './risk-facts.tsx'
import { RiskHistory } from './risk-history.tsx'
import { RiskIssues } from './risk-issues.tsx'
import { RiskNotices } from './risk-notices.tsx'
import { RiskRatings } from './risk-ratings.tsx'
import { useRiskReasons } from './risk-reasons.ts'

export function RiskPage() {
  const { project_id, risk_id } = useParams({
    from: '/signed-in/projects/$project_id/risks/$risk_id',
  })
  const { data: risk, error } = useQuery(riskQuery({ project_id, id: risk_id }))
  if (risk) return <RiskDetails key={risk.id} risk={risk} />
  return error ? <RiskLoadError error={error} /> : <PagePending />
}

function RiskLoadError({ error }: { readonly error: unknown }) {
  return (
    <Page title={t('risk.title')}>
      <ProblemNotice error={error} />
      <Text>{t('risk.missing.advice')}</Text>
      <AnchorLink to="/risks" search={{}}>
        {t('risk.missing.link')}
      </AnchorLink>
    </Page>
  )
}

function RiskDetails({ risk }: { readonly risk: Risk }) {
  const { data: project } = useQuery(projectQuery(risk.project_id))
  const seesKeys = useMissingScopeReason('keys.read') === null
  const history = useInfiniteQuery({ ...riskHistory(risk, seesKeys), select: readableHistory })
  const reasons = useRiskReasons(risk, project)
  const code = project?.code ?? risk.ref.split('-')[0]
  return (
    <Page
      title={risk.title}
      rightSection={<RiskHeadline risk={risk} />}
      breadcrumbs={[
        <AnchorLink key="all" to="/projects" search={{}} size="sm">
          {t('risk.projects')}
        </AnchorLink>,
        <AnchorLink
          key="one"
          to="/projects/$project_id"
          params={{ project_id: risk.project_id }}
          size="sm"
        >
          {code}
        </AnchorLink>,
      ]}
    >
      <RiskActions risk={risk} reasons={reasons} />
      <RiskNotices risk={risk} project={project} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <RiskFacts risk={risk} project={project} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <RiskRatings risk={risk} history={history} />
        </Grid.Col>
      </Grid>
      <TaskSection
        title={t('risk.treatment')}
        subject={risk}
        defaultAssignee={risk.owner_user_id}
        reason={reasons.treat}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <RiskIssues risk={risk} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <RiskHistory query={history} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

/** Reference, score, status and flags. */
function RiskHeadline({ risk }: { readonly risk: Risk }) {
  const { ref, score, level, previous_score, status, flags } = risk
  return (
    <Group gap="xs">
      <Text span fw={600} c="dimmed">
        {ref}
      </Text>
      <LevelBadge level={level}>
        {t('risk.score-level', { score, level: label('level', level) })}
      </LevelBadge>
      <ScoreChange score={score} previous={previous_score} />
      <StatusBadge set="riskStatus" status={status} />
      <Flags set="riskFlag" flags={flags} />
    </Group>
  )
}
