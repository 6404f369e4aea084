import type { Acceptance } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { type Listing, listingOf } from '#domain/engine/listing'
import { level } from '#domain/rules/score'
import {
  acceptancesList,
  type AcceptancesFilter,
  type StoredAcceptance,
} from '#storage/nouns/acceptances'
import type { View } from '#storage/statements/view'

import { projectNames } from './project-names.ts'
import { peopleNamed } from './rollup.ts'

export interface AcceptancesQuery {
  readonly risk_id?: readonly string[]
  readonly project_id?: readonly string[]
  readonly accepted_by_user_id?: readonly string[]
  readonly status?: readonly string[]
  readonly accepted_from?: string
  readonly accepted_before?: string
  readonly include?: readonly string[]
}

export const acceptancesFilter = (view: View, query: AcceptancesQuery): AcceptancesFilter => ({
  riskIds: query.risk_id ?? null,
  projects: view.scope(query.project_id),
  personIds: query.accepted_by_user_id ?? null,
  statuses: query.status ?? null,
  from: query.accepted_from ?? null,
  before: query.accepted_before ?? null,
})

/** Lists the acceptances of risks of all projects, present and past, the latest first. */
export const listAcceptances = (
  caller: Caller<'projects.read'>,
  query: AcceptancesQuery,
): Listing<Acceptance> =>
  listingOf(caller, {
    counter: null,
    list: acceptancesList(acceptancesFilter(caller.view, query)),
    context: (snapshot) => projectNames(caller.database, snapshot),
    present: async (stored, { snapshot, context: nameOf }) => {
      const items = stored.map((each) => ({
        ...presentAcceptance(each),
        project: nameOf(each.project_id),
      }))
      if (!query.include?.includes('people')) return items
      const personOf = await peopleNamed(
        snapshot,
        items.map(({ accepted_by_user_id }) => accepted_by_user_id),
      )
      return items.map((item) => ({ ...item, accepted_by: personOf(item.accepted_by_user_id) }))
    },
  })

/** An acceptance as an export has it: without names, which other files have. */
export const presentAcceptance = (stored: StoredAcceptance) => ({
  ...stored,
  level: stored.score === null ? null : level(stored.score),
})
