import type { Issue, Risk } from '@muster/contract'

import {
  closeIssue,
  createIssue,
  isOpen,
  reopenIssue,
  settledIssue,
  updateIssue,
} from './model-issues.ts'
import { archiveProject, createProject, restoreProject, updateProject } from './model-projects.ts'
import {
  acceptRisk,
  closeRisk,
  createRisk,
  isLive,
  occurRisk,
  reopenRisk,
  reviewRisk,
  settled,
  updateRisk,
} from './model-risks.ts'
import { createTask, updateTask } from './model-tasks.ts'
import { type Change, type Command, type Outcome, realChanges, type World } from './model.ts'

type Rule = (world: World, command: Command, newId: string) => Outcome

const rules: Record<string, Rule> = {
  'projects.create': createProject,
  'projects.update': updateProject,
  'projects.archive': archiveProject,
  'projects.restore': restoreProject,
  'risks.create': createRisk,
  'risks.update': updateRisk,
  'risks.review': reviewRisk,
  'risks.accept': acceptRisk,
  'risks.occur': occurRisk,
  'risks.close': closeRisk,
  'risks.reopen': reopenRisk,
  'issues.create': createIssue,
  'issues.update': updateIssue,
  'issues.close': closeIssue,
  'issues.reopen': reopenIssue,
  'tasks.create': createTask,
  'tasks.update': updateTask,
}

/** What must come of a command as things stand. Whatever is new gets the id that it was given. */
export function plan(world: World, command: Command, newId: string): Outcome {
  const rule = rules[command.name]
  if (rule === undefined) throw new Error(`The model does not know ${command.name}.`)
  return rule(world, command, newId)
}

const flaggedRisk = (world: World, before: Risk): Change => ({
  noun: 'risk',
  before,
  after: settled(world, before),
  type: 'risk.flagged',
})

const flaggedIssue = (world: World, before: Issue): Change => ({
  noun: 'issue',
  before,
  after: settledIssue(world, before),
  type: 'issue.flagged',
})

/** What a sweep has to flag: a write for each project, first of risks and then of issues. */
export function sweepOf(world: World): Change[][] {
  const projects = [...world.project.keys()].toSorted()
  const items = projects.map((id) => world.in(id))
  return [
    ...items.map(({ risks }) => risks.filter(isLive).map((risk) => flaggedRisk(world, risk))),
    ...items.map(({ issues }) => issues.filter(isOpen).map((issue) => flaggedIssue(world, issue))),
  ]
    .map(realChanges)
    .filter((changes) => changes.length > 0)
}

/** The flags of these items, as things stand. */
export const flagged = (world: World, ids: readonly string[]): Change[] =>
  ids.flatMap((id) => {
    const [risk, issue] = [world.risk.get(id), world.issue.get(id)]
    return [
      ...(risk ? [flaggedRisk(world, risk)] : []),
      ...(issue ? [flaggedIssue(world, issue)] : []),
    ]
  })
