import type { Project, Risk } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '#api/client.ts'
import { riskQuery } from '#risks/queries.ts'
import { useFilters } from '#ui/filters.ts'
import { projectQuery } from '#ui/projects.ts'

/** How far one is on the way to the first risk. */
export interface Way {
  /** Null until it is known. */
  readonly step: 1 | 2 | 3 | null
  readonly error: unknown
  readonly projectId: string | null
  readonly project: Project | undefined
  /** The risk that was entered here, if one was. */
  readonly risk: Risk | undefined
  /** How many live risks the project has. */
  readonly riskCount: number
  /** Whether a step was taken, or the page has just been opened. */
  readonly isMoving: boolean
  /** Goes on with this project; null to choose again. */
  readonly choose: (projectId: string | null) => void
  /** Goes on with this risk; null to enter another. */
  readonly enter: (riskId: string | null) => void
}

/**
 * The way is in the address, and in what there is: the only project is chosen already, and one that
 * has risks needs no first one. `none` says that this is not wanted.
 */
export function useWay(projects: readonly { readonly id: string }[]): Way {
  const { values, set } = useFilters(['project_id', 'risk_id'])
  const [isMoving, setMoving] = useState(false)
  const [only, ...others] = projects
  const projectId = wanted(values['project_id'], others.length === 0 ? only?.id : undefined)
  const { risk_id: given } = values
  const riskId = wanted(given)
  const place = { project_id: projectId ?? '', id: riskId ?? '' }
  const project = useQuery({ ...projectQuery(place.project_id), enabled: projectId !== null })
  const risk = useQuery({ ...riskQuery(place), enabled: riskId !== null })
  const summary = useQuery({
    queryKey: ['risks', 'summary', 'start', projectId],
    queryFn: ({ signal }) =>
      client.risks.summary({ query: { project_id: [place.project_id] } }, { signal }),
    enabled: projectId !== null && given === undefined,
    // What others do meanwhile must not take a form away from under somebody's hands.
    refetchOnWindowFocus: false,
  })
  const riskCount = summary.data?.count ?? 0
  const move = (changes: Readonly<Record<string, string | null>>) => {
    setMoving(true)
    set(changes)
  }
  return {
    step: stepOf({ projectId, given, isCounted: summary.isFetched, riskCount }),
    error: project.error ?? risk.error ?? summary.error,
    projectId,
    project: project.data,
    risk: risk.data,
    riskCount,
    isMoving,
    choose: (id) => move({ project_id: id ?? 'none', risk_id: null }),
    enter: (id) => move({ project_id: projectId, risk_id: id ?? 'none' }),
  }
}

/** What the address says, or else what there is; `none` is neither. */
const wanted = (given: string | undefined, otherwise?: string): string | null =>
  given === 'none' ? null : (given ?? otherwise ?? null)

interface Known {
  readonly projectId: string | null
  readonly given: string | undefined
  readonly isCounted: boolean
  readonly riskCount: number
}

function stepOf({ projectId, given, isCounted, riskCount }: Known): Way['step'] {
  if (projectId === null) return 1
  if (given !== undefined) return given === 'none' ? 2 : 3
  if (!isCounted) return null
  return riskCount > 0 ? 3 : 2
}
