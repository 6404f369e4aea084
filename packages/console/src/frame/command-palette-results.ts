import type { SpotlightActionData } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'

import { client } from '#data/client.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { t } from '#text/index.ts'

const resultsPerTypeMax = 5

/** The matching resources that the key may read, and whether they are complete. */
export function useSearchResults(term: string) {
  const navigate = useNavigate()
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const seesProjects = useMissingScopeReason('projects.read') === null
  const { data = [], isFetching } = useQuery({
    queryKey: ['personnel', 'palette', term],
    queryFn: ({ signal }) => searchAll({ term, seesPeople, seesProjects, signal }),
    enabled: term.length > 1,
  })
  const results: SpotlightActionData[] = data.map(({ link, ...action }) => ({
    ...action,
    onClick: () => void navigate(link),
  }))
  return { results, isComplete: !isFetching }
}

interface SearchResult {
  readonly id: string
  readonly label: string
  readonly description: string
  readonly link: LinkProps
}

interface SearchRequest {
  readonly term: string
  readonly seesPeople: boolean
  readonly seesProjects: boolean
  readonly signal: AbortSignal
}

const emptyPage = { data: [] }

/** Sends up to four requests in parallel; skips those that the key may not send. */
async function searchAll(request: SearchRequest): Promise<SearchResult[]> {
  const { term, seesPeople, seesProjects, signal } = request
  const query = { q: term, limit: resultsPerTypeMax }
  const [risks, issues, people, projects] = await Promise.all([
    seesProjects ? client.risks.list({ query }, { signal }) : emptyPage,
    seesProjects ? client.issues.list({ query }, { signal }) : emptyPage,
    seesPeople ? client.personnel.list({ query }, { signal }) : emptyPage,
    seesProjects ? client.projects.list({ query }, { signal }) : emptyPage,
  ])
  return [
    ...risks.data.map(({ id, ref, title, project_id }) => ({
      id,
      label: `${ref} ${title}`,
      description: t('word.risk'),
      link: link('/projects/$project_id/risks/$risk_id', { project_id, risk_id: id }),
    })),
    ...issues.data.map(({ id, ref, title, project_id }) => ({
      id,
      label: `${ref} ${title}`,
      description: t('word.issue'),
      link: link('/projects/$project_id/issues/$issue_id', { project_id, issue_id: id }),
    })),
    ...people.data.map(({ id, name, title }) => ({
      id,
      label: name,
      description: title ?? t('word.person'),
      link: link('/people/$user_id', { user_id: id }),
    })),
    ...projects.data.map(({ id, code, name }) => ({
      id,
      label: `${code} ${name}`,
      description: t('word.project'),
      link: link('/projects/$project_id', { project_id: id }),
    })),
  ]
}

const link = (to: string, params: Readonly<Record<string, string>>) =>
  ({ to, params, search: {} }) as LinkProps
