import type { Project, Risk } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '#api/client.ts'
import { riskQuery } from '#risks/queries.ts'
import { useFilters } from '#ui/filters.ts'
import { projectQuery } from '#ui/projects.ts'

/** The progress of the onboarding. */
export interface StartProgress {
  /** Null while loading. */
  readonly step: 1 | 2 | 3 | null
  readonly error: unknown
  readonly projectId: string | null
  readonly project: Project | undefined
  /** The risk created in step 2, if any. */
  readonly risk: Risk | undefined
  /** The number of live risks of the project. */
  readonly riskCount: number
  /** True after the user completed a step on this page. */
  readonly hasAdvanced: boolean
  /** Selects a project; null to choose again. */
  readonly chooseProject: (projectId: string | null) => void
  /** Selects the created risk; null to create another. */
  readonly chooseRisk: (riskId: string | null) => void
}

/**
 * Derives the step from the URL and the existing data. A single project is preselected, and a
 * project with risks skips step 2. The value `none` in the URL turns this off.
 */
export function useStartProgress(projects: readonly { readonly id: string }[]): StartProgress {
  const { values, set } = useFilters(['project_id', 'risk_id'])
  const [hasAdvanced, setAdvanced] = useState(false)
  const [only, ...others] = projects
  const projectId = fromParam(values['project_id'], others.length === 0 ? only?.id : undefined)
  const { risk_id: riskParam } = values
  const riskId = fromParam(riskParam)
  const ids = { project_id: projectId ?? '', id: riskId ?? '' }
  const project = useQuery({ ...projectQuery(ids.project_id), enabled: projectId !== null })
  const risk = useQuery({ ...riskQuery(ids), enabled: riskId !== null })
  const summary = useQuery({
    queryKey: ['risks', 'summary', 'start', projectId],
    queryFn: ({ signal }) =>
      client.risks.summary({ query: { project_id: [ids.project_id] } }, { signal }),
    enabled: projectId !== null && riskParam === undefined,
    // A refetch must not replace a form that the user is filling in.
    refetchOnWindowFocus: false,
  })
  const riskCount = summary.data?.count ?? 0
  const advance = (changes: Readonly<Record<string, string | null>>) => {
    setAdvanced(true)
    set(changes)
  }
  return {
    step: currentStep({ projectId, riskParam, isCountLoaded: summary.isFetched, riskCount }),
    error: project.error ?? risk.error ?? summary.error,
    projectId,
    project: project.data,
    risk: risk.data,
    riskCount,
    hasAdvanced,
    chooseProject: (id) => advance({ project_id: id ?? 'none', risk_id: null }),
    chooseRisk: (id) => advance({ project_id: projectId, risk_id: id ?? 'none' }),
  }
}

/** The value in the URL, or else the default; `none` turns off the default. */
const fromParam = (param: string | undefined, fallback?: string): string | null =>
  param === 'none' ? null : (param ?? fallback ?? null)

interface StepInput {
  readonly projectId: string | null
  readonly riskParam: string | undefined
  readonly isCountLoaded: boolean
  readonly riskCount: number
}

function currentStep({
  projectId,
  riskParam,
  isCountLoaded,
  riskCount,
}: StepInput): StartProgress['step'] {
  if (projectId === null) return 1
  if (riskParam !== undefined) return riskParam === 'none' ? 2 : 3
  if (!isCountLoaded) return null
  return riskCount > 0 ? 3 : 2
}
