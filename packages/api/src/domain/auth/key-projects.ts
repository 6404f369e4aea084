/** The projects that a key is bound to. */

import { boundScopes, type Scope } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure, invalid } from '#domain/engine/failure'
import type { StoredKey } from '#storage/nouns/keys'
import { selectProjectIds } from '#storage/nouns/projects'
import type { Read } from '#storage/statements/access'
import { View } from '#storage/statements/view'

type Bound = Pick<StoredKey, 'project_ids'>

const viewOfKey = ({ project_ids: ids }: Bound): View =>
  ids === null ? View.all : View.listed(ids)

/** Whether a key with the new projects shows what it did not show before. */
export const showsMore = (before: Bound, after: Bound): boolean =>
  !viewOfKey(before).covers(viewOfKey(after))

/** A bound key has only scopes whose operations keep to the view. */
export function refuseUnboundScopes(projectIds: Bound['project_ids'], scopes: readonly Scope[]) {
  const isBindable = (scope: Scope) => boundScopes.some((each) => each === scope)
  const scope = scopes.find((each) => !isBindable(each))
  if (projectIds === null || scope === undefined) return
  const detail = `must be null for a key with ${scope}: one with projects can only have
    ${boundScopes.join(', ')}`.replaceAll(/\s+/g, ' ')
  throw invalid({ pointer: '/project_ids', code: 'scope_not_bindable', detail })
}

/** The projects of a new or changed key must be in the view of the caller. */
export async function refuseUnknownProjects(
  read: Read,
  { view }: Caller<never>,
  projectIds: Bound['project_ids'],
): Promise<void> {
  if (projectIds === null) return
  const known = new Set(await selectProjectIds(read, view.scope(projectIds)))
  const index = projectIds.findIndex((id) => !known.has(id))
  if (index < 0) return
  const detail = `There is no project ${projectIds[index]}.`
  throw new Failure('unknown_reference', detail, { pointer: `/project_ids/${index}` })
}
