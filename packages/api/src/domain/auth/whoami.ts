import assert from 'node:assert/strict'

import { isGranted, limits, type Quota, quotas, type Whoami } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { selectPerson } from '#storage/nouns/personnel'
import { selectPreviousVisit } from '#storage/nouns/visits'

import { presentKey } from './key.ts'

/** Answers with what authentication has read. Only the name of a person takes another query. */
export async function whoami(caller: Caller<'any_principal'>): Promise<Whoami> {
  const { actor, roles, scopes, session, rates = limits.perMinute, details } = caller
  assert(details, 'authentication reads the details for this operation')
  const { key, workspace, now, quota, usage } = details
  return {
    principal: actor,
    scopes: [...scopes],
    roles: [...roles],
    key: key === null ? null : presentKey(key, now),
    ...(await readPerson(caller)),
    session,
    workspace: { id: caller.workspaceId, ...workspace },
    limits: {
      page_size_max: limits.page.max,
      body_bytes_max: limits.bodyBytesMax,
      batch_bytes_max: limits.batchBytesMax,
      batch_rows_max: limits.itemsMax,
      batch_projects_max: limits.projectsMax,
      complete_streams: limits.completeStreamsPerKey,
      large_bodies: limits.largeBodiesPerKey,
      requests_per_minute: rates.key,
      workspace_requests_per_minute: rates.workspace,
      quota,
    },
    usage: usageFor(caller, usage),
  }
}

/** A count discloses the items that it counts, so it needs the right to list all of them. */
function usageFor(
  { scopes, view }: Caller<never>,
  usage: Readonly<Record<Quota, number>>,
): Whoami['usage'] {
  const isShown = (quota: Quota) => {
    const { scope } = quotas[quota]
    if (isGranted(scopes, 'workspace.read')) return true
    return isGranted(scopes, scope) && (scope !== 'projects.read' || view.isAll)
  }
  // The casts hold because `quotas` has every quota.
  const names = Object.keys(quotas) as Quota[]
  return Object.fromEntries(
    names.map((quota) => [quota, isShown(quota) ? usage[quota] : null]),
  ) as Whoami['usage']
}

/** A key has no visits, and neither does a session that was started with one. */
async function readPerson(
  caller: Caller<'any_principal'>,
): Promise<Pick<Whoami, 'person' | 'previous_visit_at'>> {
  const { actor, session } = caller
  const { user_id } = actor
  if (user_id === null) return { person: null, previous_visit_at: null }
  const [person, previous] = await caller.database.read(caller, (read) =>
    Promise.all([
      selectPerson(read, user_id),
      session === null ? null : selectPreviousVisit(read, session.id),
    ]),
  )
  assert(person, 'a principal exists')
  const { name, email } = person
  return { person: { user_id, name, email }, previous_visit_at: previous }
}
