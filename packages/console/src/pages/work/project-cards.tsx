import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { ownProjectIdsQuery } from '#data/my-work.ts'
import type { Search } from '#data/search.ts'
import { RailSection } from '#kit/list/rail.tsx'
import { HealthName } from '#kit/parts/health.tsx'
import { AnchorLink, RiskLink } from '#kit/parts/links.tsx'
import { ScoreChip } from '#kit/parts/score.tsx'
import { t, type TextKey } from '#text/index.ts'

import { type OwnProject, ownProjectsQuery } from './own-projects.ts'

import classes from './work.module.css'

const shownMax = 5

function useOwnProjects(): readonly OwnProject[] {
  const { data: ids = [] } = useInfiniteQuery(ownProjectIdsQuery)
  return useQuery(ownProjectsQuery(ids)).data ?? []
}

/** The projects of the person beside the list. */
export function ProjectRail() {
  const projects = useOwnProjects()
  if (projects.length === 0) return null
  return (
    <RailSection
      title={t('work.projects')}
      aside={
        <AnchorLink to="/projects" search={{ view: 'mine' }} inherit>
          {t('work.projects.all')}
        </AnchorLink>
      }
    >
      <Cards projects={projects.slice(0, shownMax)} />
    </RailSection>
  )
}

/** The projects of the person above the list, where nothing stands beside it. */
export function ProjectStrip() {
  const projects = useOwnProjects()
  if (projects.length === 0) return null
  return (
    <section aria-label={t('work.projects')} className={classes.strip}>
      <Cards projects={projects.slice(0, shownMax)} />
    </section>
  )
}

const Cards = ({ projects }: { readonly projects: readonly OwnProject[] }) => (
  <ul className={classes.cards}>
    {projects.map((own) => (
      <li key={own.project.id} className={classes.card}>
        <Card {...own} />
      </li>
    ))}
  </ul>
)

function Card({ project, worst, lateReviews, lateIssues, lateTasks }: OwnProject) {
  const { id, name, health } = project
  const isLate = lateReviews + lateIssues + lateTasks > 0
  return (
    <>
      <div className={classes.cardHead}>
        <AnchorLink to="/projects/$project_id" params={{ project_id: id }} search={{}} inherit>
          {name}
        </AnchorLink>
        <HealthName health={health} />
      </div>
      {worst && (
        <div className={classes.worst}>
          <ScoreChip score={worst.score} level={worst.level} />
          <RiskLink item={worst} />
        </div>
      )}
      <div className={classes.lates}>
        {isLate ? (
          <>
            <Late
              text="work.late.reviews"
              count={lateReviews}
              to="/risks"
              search={{ project_id: id, flag: 'review_overdue' }}
            />
            <Late
              text="work.late.issues"
              count={lateIssues}
              to="/issues"
              search={{ project_id: id, view: 'overdue' }}
            />
            <Late
              text="work.late.tasks"
              count={lateTasks}
              to="/tasks"
              search={{ project_id: id }}
            />
          </>
        ) : (
          t('work.late.none')
        )}
      </div>
    </>
  )
}

interface LateProps {
  readonly text: TextKey
  readonly count: number
  readonly to: '/risks' | '/issues' | '/tasks'
  readonly search: Search
}

const Late = ({ text, count, to, search }: LateProps) =>
  count > 0 && (
    <AnchorLink to={to} search={search} inherit c="var(--alarm)">
      {t(text, { count })}
    </AnchorLink>
  )
