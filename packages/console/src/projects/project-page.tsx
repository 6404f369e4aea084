import { Alert, Text } from '@mantine/core'
import type { Project } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { t } from '#text/index.ts'
import { AnchorLink } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { projectQuery } from '#ui/projects.ts'

import { ProjectActions } from './project-actions.tsx'
import { ProjectFacts } from './project-facts.tsx'
import { ProjectTabs } from './project-tabs.tsx'

const breadcrumbs = [
  <AnchorLink key="projects" to="/projects" search={{}}>
    {t('projects.title')}
  </AnchorLink>,
]

export function ProjectPage() {
  const { project_id = '' } = useParams({ strict: false })
  const { data, error } = useQuery(projectQuery(project_id))
  // The key remounts the page for another project, so that no state is carried over.
  if (data) return <ProjectDetails key={data.id} project={data} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('projects.project')} breadcrumbs={breadcrumbs}>
      <ProblemNotice error={error} />
    </Page>
  )
}

function ProjectDetails({ project }: { readonly project: Project }) {
  return (
    <Page
      title={project.name}
      rightSection={
        <Text span c="dimmed">
          {project.code}
        </Text>
      }
      breadcrumbs={breadcrumbs}
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
