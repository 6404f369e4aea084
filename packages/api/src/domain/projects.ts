import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import { refuseOverQuota } from '#domain/quota'
import type { Write } from '#storage/database'
import {
  insertProject,
  lockProject,
  selectProjectByCode,
  type StoredProject,
  updateNumber,
} from '#storage/projects'

export type NewProject = Pick<StoredProject, 'code' | 'name'> & Partial<StoredProject>

export function addProject(
  caller: Caller<'projects.manage'>,
  input: NewProject,
): Promise<StoredProject> {
  return caller.database.write(caller, async (write) => {
    refuseOverQuota(write, 'projects')
    const taken = await selectProjectByCode(write, input.code)
    if (taken !== null) {
      const detail = `The project ${taken} already has the code ${input.code}.`
      throw new Failure('project_code_taken', detail, { conflicting_id: taken })
    }
    const project: StoredProject = {
      description: null,
      status: 'active',
      health: null,
      health_note: null,
      health_set_at: input.health ? write.now : null,
      owner_user_id: null,
      starts_on: null,
      due_on: null,
      risk_appetite: null,
      metadata: {},
      ...input,
      id: write.newId('prj'),
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    }
    insertProject(write, project)
    write.record({ type: 'project.created', subject: project.id, project: project.id })
    return project
  })
}

/** The next reference of a project, such as DAM-R12; never given out again. */
export async function takeRef(write: Write, projectId: string, letter: 'R' | 'I'): Promise<string> {
  const project = await lockProject(write, projectId)
  if (project === null) throw new Failure('not_found', `There is no project ${projectId}.`)
  const numbered = letter === 'R' ? 'risk_number' : 'issue_number'
  updateNumber(write, projectId, numbered)
  return `${project.code}-${letter}${project[numbered] + 1}`
}
