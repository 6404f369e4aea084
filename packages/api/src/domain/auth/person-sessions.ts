import type { Session, SessionList } from '@muster/contract'

import { type Caller, personOf } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { findPerson } from '#domain/roster/person'
import {
  deleteSessionOfPerson,
  deleteSessionsOfPerson,
  selectSessionsOfPerson,
} from '#storage/nouns/sessions'
import { selectWorkspace } from '#storage/nouns/workspace'
import type { Read } from '#storage/statements/access'

import { auditUnnumbered } from './audit.ts'

export function listSessions(caller: Caller<'person'>): Promise<SessionList> {
  const userId = personOf(caller)
  return caller.database.read(caller, (read) => sessionList(read, caller, userId))
}

/** The next request of the session is refused. A person can end only their own. */
export function endSession(caller: Caller<'person'>, id: string): Promise<SessionList> {
  const userId = personOf(caller)
  return caller.database.writeUnnumbered(caller, async (read) => {
    if (!(await deleteSessionOfPerson(read, userId, id)))
      throw new Failure('not_found', `You have no session ${id}.`)
    const entry = {
      type: 'session.ended',
      userId,
      subjectId: id,
      reason: 'ended_by_person',
    } as const
    await auditUnnumbered(read, caller, entry)
    return sessionList(read, caller, userId)
  })
}

export function listSessionsOfPerson(
  caller: Caller<'workspace.manage'>,
  userId: string,
): Promise<SessionList> {
  return caller.database.read(caller, async (read) => {
    await findPerson(read, userId)
    return sessionList(read, caller, userId)
  })
}

/** Needs no right of the person, because it gives none. */
export function endSessionsOfPerson(
  caller: Caller<'workspace.manage'>,
  userId: string,
): Promise<SessionList> {
  return caller.database.writeUnnumbered(caller, async (read) => {
    await findPerson(read, userId)
    const ended = await deleteSessionsOfPerson(read, userId)
    const entry = { type: 'session.ended', userId, reason: 'all_ended_by_administrator' } as const
    if (ended > 0) await auditUnnumbered(read, caller, entry)
    return sessionList(read, caller, userId)
  })
}

/** The live sessions of a person. */
export async function sessionList(
  read: Read,
  { session }: Caller<never>,
  userId: string,
): Promise<SessionList> {
  const { policies } = await selectWorkspace(read)
  const sessions = await selectSessionsOfPerson(read, userId, policies.session_idle_hours)
  const data = sessions.map((each): Session => ({ ...each, is_current: each.id === session?.id }))
  return { data }
}
