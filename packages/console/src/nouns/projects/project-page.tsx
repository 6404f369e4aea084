import type { Project } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { projectAddress } from '#data/addresses.ts'
import { allItems } from '#data/lists.ts'
import { useAuthorNames, useWhoami } from '#data/whoami.ts'
import { HealthName } from '#kit/parts/health.tsx'
import { When } from '#kit/parts/when.tsx'
import { Activity } from '#kit/record/activity.tsx'
import { Neighbours } from '#kit/record/neighbours.tsx'
import { RecordHead, RecordNotice, RecordPage } from '#kit/record/record-page.tsx'
import { RecordRoute } from '#kit/record/record-route.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { t } from '#text/index.ts'

import { HealthReports, reportedIn } from './health-reports.tsx'
import { HealthAge } from './health.tsx'
import { ProjectActions } from './project-actions.tsx'
import { ProjectProperties } from './project-properties.tsx'
import { IssuesSection, RisksSection, TasksSection } from './project-sections.tsx'
import { projectHistory, projectPages } from './queries.ts'

const crumbs = [{ to: '/projects', text: t('projects.title') }] as const

export function ProjectPage() {
  const { project_id = '' } = useParams({ strict: false })
  return (
    <RecordRoute query={projectQuery(project_id)} title={t('word.project')} crumbs={crumbs}>
      {(project) => <ProjectRecord key={project.id} project={project} />}
    </RecordRoute>
  )
}

function ProjectRecord({ project }: { readonly project: Project }) {
  const { id, code, name, description, health, owner_user_id } = project
  const history = useInfiniteQuery(projectHistory(id, useAuthorNames()))
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
          linkTo={projectAddress}
        />
      }
      actions={<ProjectActions project={project} />}
      properties={<ProjectProperties project={project} />}
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
            <PersonById userId={owner_user_id} />
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
