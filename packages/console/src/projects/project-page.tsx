import type { Project } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { allItems } from '#api/lists.ts'
import { useAuthorNames, useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { AnchorLink } from '#ui/links.tsx'
import type { OrderedRef } from '#ui/list/order.ts'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { HealthName } from '#ui/parts/health.tsx'
import { PersonName } from '#ui/parts/person.tsx'
import { When } from '#ui/parts/when.tsx'
import { usePersonNames } from '#ui/people.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { projectQuery } from '#ui/projects.ts'
import { Activity } from '#ui/record/activity.tsx'
import { Neighbours } from '#ui/record/neighbours.tsx'
import { RecordHead, RecordNotice, RecordPage } from '#ui/record/record-page.tsx'

import { HealthReports, reportedIn } from './health-reports.tsx'
import { HealthAge } from './health.tsx'
import { ProjectActions } from './project-actions.tsx'
import { ProjectProperties } from './project-properties.tsx'
import { IssuesSection, RisksSection, TasksSection } from './project-sections.tsx'
import { projectHistory, projectPages } from './queries.ts'

const crumbs = [
  <AnchorLink key="projects" to="/projects" search={{}}>
    {t('projects.title')}
  </AnchorLink>,
]

export function ProjectPage() {
  const { project_id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(projectQuery(project_id))
  // The key remounts the page for another project, so that no state is carried over.
  if (data) return <ProjectRecord key={data.id} project={data} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('projects.project')} breadcrumbs={crumbs}>
      <ProblemNotice error={error} onRetry={() => void refetch()} />
    </Page>
  )
}

const linkTo = ({ id }: OrderedRef) => ({
  to: '/projects/$project_id' as const,
  params: { project_id: id },
})

function ProjectRecord({ project }: { readonly project: Project }) {
  const { id, code, name, description, health, owner_user_id } = project
  const history = useInfiniteQuery(projectHistory(id, useAuthorNames()))
  const names = usePersonNames([owner_user_id])
  const { person } = useWhoami()
  return (
    <RecordPage
      title={`${code} ${name}`}
      crumbs={crumbs}
      name={name}
      neighbours={
        <Neighbours
          id={id}
          source={projectPages({ search: { view: '' }, userId: person?.user_id ?? '' })}
          linkTo={linkTo}
        />
      }
      actions={<ProjectActions project={project} />}
      properties={<ProjectProperties project={project} names={names} />}
    >
      <RecordHead
        over={
          <>
            <span>{code}</span>
            <HealthName health={health} />
            <HealthAge project={project} />
          </>
        }
        title={name}
        description={description}
        facts={
          <>
            <PersonName name={owner_user_id && (names.get(owner_user_id) ?? '…')} />
            <When day={project.due_on} isDone={project.status !== 'active'} />
          </>
        }
      />
      {project.status === 'archived' && <RecordNotice>{t('project.archived.about')}</RecordNotice>}
      <HealthReports query={history} />
      <RisksSection project={project} />
      <IssuesSection project={project} />
      <TasksSection project={project} />
      <Activity query={history} without={reportedIn(allItems(history.data))} />
    </RecordPage>
  )
}
