import { NewProject, type Project, type ProjectRow } from '@muster/contract'

import {
  applyRows,
  type BatchResult,
  type BatchRows,
  byId,
  changedRow,
  idsIn,
  rowError,
} from '#domain/engine/batch'
import type { Caller } from '#domain/engine/caller'
import { isSame } from '#domain/engine/change'
import { matchRows } from '#domain/engine/matches'
import { pickProperties, readOnlyErrors, refuseErrors } from '#domain/engine/new-rows'
import { refuseOverQuota } from '#domain/engine/quota'
import { shareLockPeopleById } from '#domain/roster/assignable'
import { References } from '#domain/roster/references'
import { selectHolders } from '#storage/nouns/external-ids'
import { lockProjects, selectProjectsByCode, type StoredProject } from '#storage/nouns/projects'
import { requestSweep } from '#storage/nouns/sweeps'
import type { Write } from '#storage/statements/access'

import { ExternalIds } from './external-ids.ts'
import { refuseNames } from './item-batch.ts'
import { openProject } from './open-project.ts'
import {
  applyProjectPatch,
  buildProject,
  projectAdvice,
  type ProjectContext,
  refuseArchived,
  refuseBound,
  refuseTakenCode,
  saveNewProject,
  saveProject,
} from './projects.ts'

/** The ids of the projects with these codes or external ids that the caller may see. */
async function findProjects(
  write: Write,
  { match }: BatchRows<ProjectRow>,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const holders = await selectHolders(write, 'projects', match === 'code' ? [] : values)
  const found =
    match === 'code'
      ? await selectProjectsByCode(write, values)
      : new Map([...holders].map(([value, { id }]) => [value, id]))
  return new Map([...found].filter(([, id]) => write.view.shows(id)))
}

/** Creates and updates projects in one write. */
export function batchProjects(
  caller: Caller<'projects.manage'>,
  batch: BatchRows<ProjectRow>,
): Promise<BatchResult<Project>> {
  return caller.database.write(caller, async (write) => {
    refuseNames(caller, batch.data, 'owner')
    const references = await References.find(write, { stem: 'owner', rows: batch.data })
    const people = await shareLockPeopleById(write, references.userIdsIn(batch.data))
    references.refuseMoved(people)
    const matched = await matchRows(batch, { find: (values) => findProjects(write, batch, values) })
    const opened = idsIn(matched).map((id) => openProject(caller, id, 'manage'))
    const locked = await lockProjects(write, opened)
    const stored = byId(locked.map(({ project }) => project))
    const storedIn = ({ id = '' }) => stored.get(id)?.owner_user_id
    const rows = await references.resolve(write, matched, storedIn)
    const externalIds = await ExternalIds.find(write, 'projects', batch.data)
    const givenCodes = batch.data.flatMap(({ code }) => code ?? [])
    const codes = new Map(await selectProjectsByCode(write, [...new Set(givenCodes)]))
    let isSweepDue = false
    const result = await applyRows<ProjectRow, StoredProject, 'changed'>(rows, {
      write,
      required: ['code', 'name'],
      existing: stored,
      outcomeFor: changedRow,
      create: (row) => {
        refuseBound(caller)
        const project = buildFromRow(row, { write, people })
        refuseTakenCode(caller, project, codes)
        codes.set(project.code, project.id)
        externalIds.reserve(project)
        return saveNewProject(write, project, Object.keys(pickProperties(row, NewProject)))
      },
      change: (before, row) => {
        const after = applyProjectPatch(caller, before, { patch: row, write, people })
        if (isSame(before, after)) return before
        refuseArchived(before)
        if (after.status === 'archived') throw rowError('/status', 'not_allowed', archiveAdvice)
        externalIds.reserve(after)
        isSweepDue ||= after.risk_appetite !== before.risk_appetite
        return saveProject(write, { before, after, type: 'project.updated' })
      },
    })
    await refuseOverQuota(write, 'projects', result.created)
    if (isSweepDue) requestSweep(write)
    return result
  })
}

const archiveAdvice = 'cannot be archived by a batch. Use POST …/archive'

function buildFromRow(row: ProjectRow, context: ProjectContext): StoredProject {
  // The cast holds because `applyRows` has checked the required fields.
  const project = buildProject(pickProperties(row, NewProject) as NewProject, context)
  const { now } = context.write
  const detail = 'must not be archived in a new row'
  refuseErrors([
    ...(project.status === 'archived' ? [{ pointer: '/status', code: 'not_allowed', detail }] : []),
    ...readOnlyErrors(row, { schema: NewProject, record: project, advice: projectAdvice, now }),
  ])
  return project
}
