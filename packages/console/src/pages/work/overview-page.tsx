import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { projectAddress } from '#data/addresses.ts'
import { client } from '#data/client.ts'
import { oldestIssuesQuery } from '#data/my-work.ts'
import { useCountsNote, useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { HealthName, HealthShape } from '#kit/parts/health.tsx'
import { AnchorLink, IssueLink, RiskLink } from '#kit/parts/links.tsx'
import { EmptyState, Page } from '#kit/parts/page.tsx'
import { PersonName } from '#kit/parts/person.tsx'
import { ScoreChip, SeverityChip } from '#kit/parts/score.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { MiniRow, RecordSection } from '#kit/record/record-page.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { listProjects } from '#nouns/projects/queries.ts'
import { formatAge, formatToday } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { WorkspaceCounts } from './workspace-counts.tsx'

import classes from './work.module.css'

const shownMax = 5

/** The state of the workspace: counts, the highest risks, the oldest issues, troubled projects. */
export function OverviewPage() {
  const { workspace } = useWhoami()
  const note = useCountsNote()
  const reason = useMissingScopeReason('projects.read')
  if (reason !== null)
    return (
      <Page title={t('overview.title')}>
        <EmptyState title={t('overview.hidden')} advice={reason} />
      </Page>
    )
  const today = `${t('work.today', { name: workspace.name })}, ${formatToday()}`
  return (
    <Page
      title={t('overview.title')}
      rightSection={<span className={classes.today}>{note ?? today}</span>}
    >
      <section aria-label={t('project.attention')}>
        <WorkspaceCounts />
      </section>
      <WorstRisks />
      <OldestIssues />
      <TroubledProjects />
    </Page>
  )
}

interface SectionProps {
  readonly title: string
  readonly all: ReactNode
  readonly none: string
  /** The rows; undefined while they load. */
  readonly children: readonly ReactNode[] | undefined
}

const OverviewSection = ({ title, all, none, children }: SectionProps) => (
  <RecordSection title={title} actions={all}>
    <ul>{children}</ul>
    {children?.length === 0 && <p className={classes.none}>{none}</p>}
  </RecordSection>
)

function WorstRisks() {
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const { data } = useQuery({
    queryKey: ['risks', 'worst', seesPeople],
    queryFn: ({ signal }) =>
      client.risks.list(
        { query: { limit: shownMax, ...(seesPeople && { include: ['people' as const] }) } },
        { signal },
      ),
  })
  return (
    <OverviewSection
      title={t('work.worst')}
      none={t('project.risks.none')}
      all={
        <AnchorLink to="/risks" search={{}} inherit>
          {t('work.worst.all')}
        </AnchorLink>
      }
    >
      {data?.data.map((risk) => (
        <MiniRow
          key={risk.id}
          glyph={<ScoreChip score={risk.score} level={risk.level} />}
          itemRef={risk.ref}
          title={<RiskLink item={risk} />}
          status={<StatusName set="riskStatus" status={risk.status} />}
          person={<PersonName name={risk.owner?.name ?? null} />}
          when={<When day={risk.review_on} />}
        />
      ))}
    </OverviewSection>
  )
}

function OldestIssues() {
  const { data } = useQuery(oldestIssuesQuery)
  const names = usePersonNames((data ?? []).map(({ assignee_user_id }) => assignee_user_id))
  return (
    <OverviewSection
      title={t('work.oldest')}
      none={t('issues.none')}
      all={
        <AnchorLink to="/issues" search={{}} inherit>
          {t('work.oldest.all')}
        </AnchorLink>
      }
    >
      {data?.map((issue) => (
        <MiniRow
          key={issue.id}
          glyph={<SeverityChip severity={issue.severity} />}
          itemRef={issue.ref}
          title={<IssueLink item={issue} />}
          status={<StatusName set="issueStatus" status={issue.status} />}
          person={
            <PersonName
              name={issue.assignee_user_id && (names.get(issue.assignee_user_id) ?? '…')}
            />
          }
          when={formatAge(issue.opened_at)}
        />
      ))}
    </OverviewSection>
  )
}

function TroubledProjects() {
  const { data } = useQuery({
    queryKey: ['projects', 'troubled'],
    queryFn: async ({ signal }) => {
      const request = { search: { view: 'attention' }, userId: '' }
      const { data: projects } = await listProjects(request, { limit: 1000 }, signal)
      // Off track comes before at risk.
      return projects.toSorted((a, b) => (b.health ?? '').localeCompare(a.health ?? ''))
    },
  })
  const shown = data?.slice(0, shownMax)
  const names = usePersonNames((shown ?? []).map(({ owner_user_id }) => owner_user_id))
  return (
    <OverviewSection
      title={t('work.troubled')}
      none={t('work.troubled.none')}
      all={
        <AnchorLink to="/projects" search={{ view: 'attention' }} inherit>
          {t('work.troubled.all')}
        </AnchorLink>
      }
    >
      {shown?.map((project) => (
        <MiniRow
          key={project.id}
          glyph={<HealthShape health={project.health} />}
          itemRef={project.code}
          title={
            <AnchorLink {...projectAddress(project)} inherit>
              {project.name}
            </AnchorLink>
          }
          status={<HealthName health={project.health} />}
          person={
            <PersonName name={project.owner_user_id && (names.get(project.owner_user_id) ?? '…')} />
          }
          when={<When day={project.due_on} />}
        />
      ))}
    </OverviewSection>
  )
}
