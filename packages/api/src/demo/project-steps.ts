import { type ProjectEvent, projectEvents, projects, tasks } from '@muster/demo'

import { closeIssue, reopenIssue, updateIssue } from '#domain/projects/issues'
import { archiveProject } from '#domain/projects/project-archive'
import { addProject, updateProject } from '#domain/projects/projects'
import { addTask, updateTask } from '#domain/projects/tasks'

import { codeOf, type DemoCaller, type StoryStep, type Story } from './story.ts'

const keepers = new Map(projects.map(({ code, kept_by }) => [code, kept_by]))

/** The person who writes the issues and tasks of a project. */
export function keeperOf(code: string): StoryStep['by'] {
  const person = keepers.get(code)
  return person === undefined ? 'administrator' : { person }
}

export function projectSteps(story: Story): StoryStep[] {
  return [
    ...projects.flatMap((project): StoryStep[] => {
      const { on, kept_by: _, merged, owner, ...fields } = project
      const run = async (caller: DemoCaller) => {
        const { id } = await addProject(caller, {
          ...fields,
          starts_on: story.dateOf(fields.starts_on),
          due_on: story.dateOf(fields.due_on),
          owner_user_id: story.idOf(owner),
        })
        story.define(fields.code, id)
      }
      const added: StoryStep = { on, by: 'administrator', run }
      return merged ? [added, merging(story, fields.code, merged)] : [added]
    }),
    ...projectEvents.map((event): StoryStep => {
      const by = keeperOf('project' in event ? event.project : codeOf(event.issue))
      return { on: event.on, by, run: (caller) => applyEvent(story, caller, event) }
    }),
  ]
}

const merging = (story: Story, code: string, merged: { on: number; into: string }): StoryStep => ({
  on: merged.on,
  by: 'administrator',
  run: (caller) => {
    const to_project_id = story.idOf(merged.into)
    const id = story.idOf(code)
    return archiveProject(caller, id, { if_live_items: 'transfer', to_project_id })
  },
})

function applyEvent(story: Story, caller: DemoCaller, event: ProjectEvent): Promise<unknown> {
  if ('issue' in event) {
    const item = story.locate(event.issue)
    if ('due_on' in event) {
      return updateIssue(caller, item, { due_on: story.dateOf(event.due_on) })
    }
    if ('reopened' in event) return reopenIssue(caller, item, { note: event.reopened })
    const { reason, note } = event.closed
    return closeIssue(caller, item, { close_reason: reason, close_note: note })
  }
  const id = story.idOf(event.project)
  if ('status' in event) return updateProject(caller, id, { status: event.status })
  return updateProject(caller, id, { health: event.health, health_note: event.because })
}

/** A task is created as to do and updated later, so that its dates and events differ. */
export function taskSteps(story: Story): StoryStep[] {
  return tasks.flatMap(
    ({ project, on, assignee, about, due_on, moved, links = [], ...fields }): StoryStep[] => {
      const by = keeperOf(project)
      let id = ''
      const add = async (caller: DemoCaller) => {
        const task = await addTask(caller, story.idOf(project), {
          ...fields,
          due_on: story.dateOf(due_on),
          assignee_user_id: story.idOf(assignee),
          risk_id: story.idOf(about?.includes('-R') ? about : undefined),
          issue_id: story.idOf(about?.includes('-I') ? about : undefined),
          links: [...links],
        })
        ;({ id } = task)
      }
      const added: StoryStep = { on, by, run: add }
      if (!moved) return [added]
      const move = (caller: DemoCaller) =>
        updateTask(caller, { projectId: story.idOf(project), id }, { status: moved.status })
      return [added, { on: moved.on, by, run: move }]
    },
  )
}
