import { useDebouncedValue } from '@mantine/hooks'
import { openSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { client } from '#api/client.ts'
import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { IconSearch } from './icons/index.tsx'
import { navItems } from './navigation.tsx'

const resultsPerTypeMax = 5

/**
 * The command palette: finds pages, people, projects, risks and issues by name or reference. It
 * opens on mount, because it loads on first use.
 */
export function CommandPalette() {
  const [input, setInput] = useState('')
  const [term] = useDebouncedValue(input.trim(), 150)
  const navigate = useNavigate()
  useEffect(openSpotlight, [])
  const results = useSearchResults(term)
  const pages = navItems.map(({ to, text, Icon }) => ({
    id: to,
    label: t(text),
    leftSection: <Icon size={18} />,
    onClick: () => void navigate({ to, search: {} }),
  }))
  return (
    <Spotlight
      query={input}
      onQueryChange={setInput}
      actions={[
        { group: t('palette.pages'), actions: pages },
        { group: t('palette.found'), actions: results },
      ]}
      // The service filters its results; only the pages are filtered here.
      filter={(_, actions) =>
        actions.flatMap((group) =>
          'actions' in group && group.group === t('palette.pages')
            ? [{ ...group, actions: group.actions.filter((page) => matchesLabel(page, input)) }]
            : [group],
        )
      }
      nothingFound={term.length < 2 ? t('palette.more') : t('palette.nothing')}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.open'),
      }}
      shortcut={null}
      maxHeight={480}
      scrollable
    />
  )
}

const matchesLabel = ({ label = '' }: SpotlightActionData, input: string) =>
  label.toLowerCase().includes(input.trim().toLowerCase())

/** The matching resources that the key may read. */
function useSearchResults(term: string): SpotlightActionData[] {
  const navigate = useNavigate()
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const seesProjects = useMissingScopeReason('projects.read') === null
  const { data = [] } = useQuery({
    queryKey: ['personnel', 'palette', term],
    queryFn: ({ signal }) => searchAll({ term, seesPeople, seesProjects, signal }),
    enabled: term.length > 1,
  })
  return data.map(({ link, ...action }) => ({ ...action, onClick: () => void navigate(link) }))
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
      description: t('palette.risk'),
      link: link('/projects/$project_id/risks/$risk_id', { project_id, risk_id: id }),
    })),
    ...issues.data.map(({ id, ref, title, project_id }) => ({
      id,
      label: `${ref} ${title}`,
      description: t('palette.issue'),
      link: link('/projects/$project_id/issues/$issue_id', { project_id, issue_id: id }),
    })),
    ...people.data.map(({ id, name, title }) => ({
      id,
      label: name,
      description: title ?? t('palette.person'),
      link: link('/people/$user_id', { user_id: id }),
    })),
    ...projects.data.map(({ id, code, name }) => ({
      id,
      label: `${code} ${name}`,
      description: t('palette.project'),
      link: link('/projects/$project_id', { project_id: id }),
    })),
  ]
}

const link = (to: string, params: Readonly<Record<string, string>>) =>
  ({ to, params, search: {} }) as LinkProps
