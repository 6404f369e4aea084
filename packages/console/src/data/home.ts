import type { Whoami } from '@muster/contract'

import { ownProjectIdsQuery } from './my-work.ts'
import { queryClient } from './query-client.ts'

/** The pages that can be the first one. */
export const homes = ['overview', 'work'] as const
export type Home = (typeof homes)[number]

const keyOf = ({ workspace, person, key }: Whoami) =>
  `muster.home.${workspace.id}.${person?.user_id ?? key?.id ?? ''}`

/** The first page that the user has chosen in this browser; null if they leave it to the console. */
export function chosenHome(whoami: Whoami): Home | null {
  const chosen = localStorage.getItem(keyOf(whoami))
  return homes.find((home) => home === chosen) ?? null
}

export function chooseHome(whoami: Whoami, home: Home | null): void {
  if (home === null) localStorage.removeItem(keyOf(whoami))
  else localStorage.setItem(keyOf(whoami), home)
}

const leads = new Set(['manager', 'admin'])

/** Who leads looks at the state of projects first, the others at what they have to do. */
export async function homeOf(whoami: Whoami): Promise<Home> {
  // A key has no work of its own.
  if (whoami.person === null) return 'overview'
  const chosen = chosenHome(whoami)
  if (chosen !== null) return chosen
  if (whoami.roles.some((role) => leads.has(role))) return 'overview'
  return (await ownsProject()) ? 'overview' : 'work'
}

/** From the work of the person, which the sidebar reads too. */
async function ownsProject(): Promise<boolean> {
  const { pages } = await queryClient.ensureInfiniteQueryData(ownProjectIdsQuery).catch(() => ({
    pages: [],
  }))
  return pages.some(({ data }) => data.some(({ type }) => type === 'project'))
}
