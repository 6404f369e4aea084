import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'
import type { SearchedNoun, SearchResult } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'

import {
  issueAddress,
  personAddress,
  projectAddress,
  riskAddress,
  taskAddress,
} from '#data/addresses.ts'
import { client } from '#data/client.ts'
import {
  IconAlertTriangle,
  IconCheckbox,
  IconFlag,
  IconLayoutList,
  IconUser,
  IconUsersGroup,
} from '#kit/icons/index.tsx'
import { ScoreChip, SeverityChip } from '#kit/parts/score.tsx'
import { t, type TextKey } from '#text/index.ts'

import { useFollowLink } from './follow-link.ts'

const resultsMax = 20

interface ShownNoun {
  readonly text: TextKey
  readonly Icon: typeof IconUser
  readonly address: (result: {
    readonly id: string
    readonly project_id?: string
  }) => Pick<LinkProps, 'to' | 'params'>
}

const nouns: Readonly<Record<SearchedNoun, ShownNoun>> = {
  risk: { text: 'risks.title', Icon: IconAlertTriangle, address: riskAddress },
  issue: { text: 'issues.title', Icon: IconFlag, address: issueAddress },
  task: { text: 'tasks.title', Icon: IconCheckbox, address: taskAddress },
  project: { text: 'projects.title', Icon: IconLayoutList, address: projectAddress },
  person: { text: 'people.title', Icon: IconUser, address: personAddress },
  group: {
    text: 'groups.title',
    Icon: IconUsersGroup,
    address: ({ id }) => ({ to: '/groups/$group_id', params: { group_id: id } }),
  },
}

/** What the service finds, by noun in the order of the best results. */
export function useSearchResults(term: string) {
  const follow = useFollowLink()
  const { data: results = [], isFetching } = useQuery({
    queryKey: ['personnel', 'palette', term],
    queryFn: async ({ signal }) => {
      const query = { q: term, limit: resultsMax }
      return (await client.search.find({ query }, { signal })).data
    },
    enabled: term.length > 1,
  })
  const groups = [...Map.groupBy(results, ({ noun }) => noun)].flatMap(([noun, found]) => {
    const shown = nounOf(noun)
    if (shown === null) return []
    const actions = found.map((result) => {
      const { project_id, id } = result
      const link = shown.address({ id, ...(project_id !== null && { project_id }) })
      return { ...actionOf(shown, result), onClick: follow(link) }
    })
    return [{ group: t(shown.text), actions }] satisfies SpotlightActionGroupData[]
  })
  return { groups, isComplete: !isFetching, isExact: results[0]?.matched === 'ref' }
}

/** Null for a noun that a later release has added. */
const nounOf = (noun: string): ShownNoun | null =>
  noun in nouns ? nouns[noun as SearchedNoun] : null

const actionOf = (
  { Icon }: ShownNoun,
  { id, ref, title, score, level, severity, is_live }: SearchResult,
): SpotlightActionData => ({
  id,
  label: [ref, title].filter(Boolean).join(' '),
  mod: { closed: !is_live },
  leftSection: (
    <>
      {score !== null && level !== null && <ScoreChip score={score} level={level} />}
      {severity !== null && <SeverityChip severity={severity} />}
      {score === null && severity === null && <Icon size={16} />}
    </>
  ),
})
