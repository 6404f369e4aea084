import { Grid, Group, Text } from '@mantine/core'
import type { Risk } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { TaskSection } from '#tasks/task-section.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { Flags, LevelBadge, ScoreChange, StatusBadge } from '#ui/level.tsx'
import { AnchorTo } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { projectQuery } from '#ui/projects.ts'

import { riskHistory, riskQuery } from './queries.ts'
import { RiskActions } from './risk-actions.tsx'
import { RiskFacts } from './risk-facts.tsx'
import { RiskHistory } from './risk-history.tsx'
import { RiskIssues } from './risk-issues.tsx'
import { RiskNotices } from './risk-notices.tsx'
import { RiskRatings } from './risk-ratings.tsx'
import { useRiskReasons } from './risk-reasons.ts'
import { toldHistory } from './risk-telling.ts'

/** One risk, from its entry to its end. */
export function RiskPage() {
  const { project_id, risk_id } = useParams({
    from: '/signed-in/projects/$project_id/risks/$risk_id',
  })
  const { data: risk, error } = useQuery(riskQuery({ project_id, id: risk_id }))
  if (risk) return <OneRisk key={risk.id} risk={risk} />
  return error ? <NoRisk error={error} /> : <PagePending />
}

function NoRisk({ error }: { readonly error: unknown }) {
  return (
    <Page title={t('risk.title')}>
      <ProblemNotice error={error} />
      <Text>{t('risk.missing.advice')}</Text>
      <AnchorTo to="/risks" search={{}}>
        {t('risk.missing.link')}
      </AnchorTo>
    </Page>
  )
}

function OneRisk({ risk }: { readonly risk: Risk }) {
  const { data: project } = useQuery(projectQuery(risk.project_id))
  const history = useInfiniteQuery({ ...riskHistory(risk), select: toldHistory })
  const reasons = useRiskReasons(risk, project)
  const code = project?.code ?? risk.ref.split('-')[0]
  return (
    <Page
      title={risk.title}
      beside={<Standing risk={risk} />}
      trail={[
        <AnchorTo key="all" to="/projects" search={{}} size="sm">
          {t('risk.projects')}
        </AnchorTo>,
        <AnchorTo
          key="one"
          to="/projects/$project_id"
          params={{ project_id: risk.project_id }}
          size="sm"
        >
          {code}
        </AnchorTo>,
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
        about={risk}
        likely={risk.owner_user_id}
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

/** What people call it, how bad it is, where it is in its life, and what needs care. */
function Standing({ risk }: { readonly risk: Risk }) {
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
