import { useDebouncedValue } from '@mantine/hooks'
import { openSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { client } from '#api/client.ts'
import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { places } from './navigation.tsx'

const most = 5

/**
 * Goes anywhere and finds anything: pages, people, projects, risks and issues by name or ref. It is
 * open from the first, since it is loaded when it is first asked for.
 */
export function Palette() {
  const [typed, setTyped] = useState('')
  const [wanted] = useDebouncedValue(typed.trim(), 150)
  const navigate = useNavigate()
  useEffect(openSpotlight, [])
  const found = useFound(wanted)
  const pages = places.map(({ to, text, Icon }) => ({
    id: to,
    label: t(text),
    leftSection: <Icon size={18} />,
    onClick: () => void navigate({ to, search: {} }),
  }))
  return (
    <Spotlight
      query={typed}
      onQueryChange={setTyped}
      actions={[
        { group: t('palette.pages'), actions: pages },
        { group: t('palette.found'), actions: found },
      ]}
      // What the service found is shown as it is; only the pages are filtered here.
      filter={(_, actions) =>
        actions.flatMap((group) =>
          'actions' in group && group.group === t('palette.pages')
            ? [{ ...group, actions: group.actions.filter((page) => isNamed(page, typed)) }]
            : [group],
        )
      }
      nothingFound={wanted.length < 2 ? t('palette.more') : t('palette.nothing')}
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

const isNamed = ({ label = '' }: SpotlightActionData, typed: string) =>
  label.toLowerCase().includes(typed.trim().toLowerCase())

/** What matches, among all that the key may see. */
function useFound(wanted: string): SpotlightActionData[] {
  const navigate = useNavigate()
  const seesPeople = useReasonAgainst('personnel.read') === null
  const seesProjects = useReasonAgainst('projects.read') === null
  const { data = [] } = useQuery({
    queryKey: ['personnel', 'palette', wanted],
    queryFn: ({ signal }) => findAll({ wanted, seesPeople, seesProjects, signal }),
    enabled: wanted.length > 1,
  })
  return data.map(({ link, ...action }) => ({ ...action, onClick: () => void navigate(link) }))
}

interface Finding {
  readonly id: string
  readonly label: string
  readonly description: string
  readonly link: LinkProps
}

interface Wanted {
  readonly wanted: string
  readonly seesPeople: boolean
  readonly seesProjects: boolean
  readonly signal: AbortSignal
}

const none = { data: [] }

/** Four questions at once; what the key may not see is not asked for. */
async function findAll(given: Wanted): Promise<Finding[]> {
  const { wanted, seesPeople, seesProjects, signal } = given
  const query = { q: wanted, limit: most }
  const [risks, issues, people, projects] = await Promise.all([
    seesProjects ? client.risks.list({ query }, { signal }) : none,
    seesProjects ? client.issues.list({ query }, { signal }) : none,
    seesPeople ? client.personnel.list({ query }, { signal }) : none,
    seesProjects ? client.projects.list({ query }, { signal }) : none,
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
