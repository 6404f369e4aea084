import { Grid, Text } from '@mantine/core'
import type { Project } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { formatAge, formatDay, formatInstant } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'
import { StatusBadge } from '#ui/level.tsx'
import { Fact, Section } from '#ui/page.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { Health } from './health.tsx'
import { openTaskCountQuery, projectSummaryQuery } from './queries.ts'
import { HighestScore, OpenIssues, RisksByLevel } from './summary.tsx'

import classes from './projects.module.css'

interface Props {
  readonly project: Project
}

export function ProjectFacts({ project }: Props) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <HealthSection project={project} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <About project={project} />
      </Grid.Col>
    </Grid>
  )
}

function HealthSection({ project }: Props) {
  const summary = useQuery(projectSummaryQuery(project.id))
  const tasks = useQuery(openTaskCountQuery(project.id))
  return (
    <Section title={t('project.doing')}>
      <dl className={`${classes.facts} ${classes.statement}`}>
        <Fact name={t('projects.health')}>
          <Health project={project} />
        </Fact>
        {project.health_note !== null && (
          <Fact name={t('health.note')}>
            <span className="prose">{project.health_note}</span>
          </Fact>
        )}
      </dl>
      <dl className={`${classes.facts} ${classes.below}`}>
        {summary.data && (
          <>
            <Fact name={t('projects.score')}>
              <HighestScore summary={summary.data} />
            </Fact>
            <Fact name={t('projects.risks')}>
              <RisksByLevel summary={summary.data} />
            </Fact>
            <Fact name={t('projects.issues')}>
              <OpenIssues summary={summary.data} />
            </Fact>
          </>
        )}
        <Fact name={t('project.tasks-open')}>
          {tasks.data ? formatNumber(tasks.data) : t('project.none-live')}
        </Fact>
      </dl>
      {summary.isError && <ProblemNotice error={summary.error} />}
    </Section>
  )
}

function About({ project }: Props) {
  const names = usePersonNames([project.owner_user_id])
  const { risk_appetite: appetite } = project
  return (
    <Section title={t('project.about')}>
      <dl className={classes.facts}>
        <Fact name={t('projects.status')}>
          <StatusBadge set="projectStatus" status={project.status} />
        </Fact>
        <Fact name={t('projects.owner')}>
          <PersonLink userId={project.owner_user_id} names={names} />
        </Fact>
        <Fact name={t('project.starts-on')}>{dayText(project.starts_on)}</Fact>
        <Fact name={t('project.due-on')}>{dayText(project.due_on)}</Fact>
        <Fact name={t('project.appetite')}>
          {appetite === null
            ? t('project.appetite.none')
            : t('project.appetite.up-to', { score: appetite })}
        </Fact>
        <Fact name={t('project.updated')}>
          <span title={formatInstant(project.updated_at)}>{formatAge(project.updated_at)}</span>
        </Fact>
      </dl>
      {project.description !== null && (
        <Text size="sm" mt="sm" className="prose">
          {project.description}
        </Text>
      )}
    </Section>
  )
}

const dayText = (date: string | null) => (date === null ? t('project.no-date') : formatDay(date))
