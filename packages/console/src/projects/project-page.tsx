import { Alert, Text } from '@mantine/core'
import type { Project } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { t } from '#text/index.ts'
import { AnchorTo } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { projectQuery } from '#ui/projects.ts'

import { ProjectActions } from './project-actions.tsx'
import { ProjectFacts } from './project-facts.tsx'
import { ProjectTabs } from './project-tabs.tsx'

const trail = [
  <AnchorTo key="projects" to="/projects" search={{}}>
    {t('projects.title')}
  </AnchorTo>,
]

/** One project: how it is doing, and everything that belongs to it. */
export function ProjectPage() {
  const { project_id = '' } = useParams({ strict: false })
  const { data, error } = useQuery(projectQuery(project_id))
  // Kept by id: what one does on the page of one project is not carried to that of another.
  if (data) return <OneProject key={data.id} project={data} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('projects.project')} trail={trail}>
      <ProblemNotice error={error} />
    </Page>
  )
}

function OneProject({ project }: { readonly project: Project }) {
  return (
    <Page
      title={project.name}
      beside={
        <Text span c="dimmed">
          {project.code}
        </Text>
      }
      trail={trail}
      actions={<ProjectActions project={project} />}
    >
      {project.status === 'archived' && (
        <Alert variant="outline" title={t('project.archived.title')}>
          {t('project.archived.about')}
        </Alert>
      )}
      <ProjectFacts project={project} />
      <ProjectTabs project={project} />
    </Page>
  )
}
