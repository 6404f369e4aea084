import type { Scope } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { signInSettingsQuery } from './sign-in-settings.ts'
import { useBoundKey, useWhoami, whoamiQuery } from './whoami.ts'

/** The steps that make an empty workspace useful, in their order. */
const setupSteps = ['people', 'project', 'risks', 'sign-in'] as const
export type SetupStep = (typeof setupSteps)[number]

const scopes: Readonly<Record<SetupStep, Scope>> = {
  people: 'personnel.manage',
  project: 'projects.manage',
  risks: 'projects.manage',
  'sign-in': 'workspace.manage',
}

export interface SetupState {
  readonly step: SetupStep
  readonly isDone: boolean
  /** Whether the user may do it. */
  readonly isAllowed: boolean
}

/**
 * What is done, from the data of the workspace: nothing is remembered. Only administrators see the
 * identity provider, so the others have no step for it.
 */
export function useSetup() {
  const whoami = useWhoami()
  const bound = useBoundKey()
  // What was created on another page counts at once.
  const { data = whoami } = useQuery({ ...whoamiQuery, staleTime: 0 })
  const isAllowed = (step: SetupStep) => whoami.scopes.includes(scopes[step])
  const signIn = useQuery({ ...signInSettingsQuery, enabled: isAllowed('sign-in') })
  const { people, projects, live_risks, open_issues } = data.usage
  const done: Readonly<Record<SetupStep, boolean>> = {
    // The user is one of the people.
    people: (people ?? 0) > (whoami.person === null ? 0 : 1),
    project: (projects ?? 0) > 0,
    risks: (live_risks ?? 0) + (open_issues ?? 0) > 0,
    'sign-in': (signIn.data?.provider ?? null) !== null,
  }
  // A bound key sees a part of the workspace, which says nothing about what is still to do.
  const steps = bound === null ? setupSteps : []
  const states = steps
    .filter((step) => step !== 'sign-in' || isAllowed(step))
    .map((step): SetupState => ({ step, isDone: done[step], isAllowed: isAllowed(step) }))
  const doneCount = states.filter(({ isDone }) => isDone).length
  return {
    states,
    count: states.length,
    doneCount,
    isDone: doneCount === states.length,
    isLoading: isAllowed('sign-in') && signIn.isPending,
  }
}
