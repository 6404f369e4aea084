import type { Issue, Risk } from '@muster/contract'

import {
  closeIssue,
  createIssue,
  isOpen,
  reopenIssue,
  withDerivedIssue,
  updateIssue,
} from './issues.ts'
import { type Change, type Command, type Outcome, realChanges, type ModelState } from './model.ts'
import { archiveProject, createProject, restoreProject, updateProject } from './projects.ts'
import {
  acceptRisk,
  closeRisk,
  createRisk,
  isLive,
  occurRisk,
  reopenRisk,
  reviewRisk,
  withDerived,
  updateRisk,
} from './risks.ts'
import { createTask, updateTask } from './tasks.ts'

type Rule = (state: ModelState, command: Command, newId: string) => Outcome

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

/** The expected result of a command in the current state. A created item gets `newId`. */
export function plan(state: ModelState, command: Command, newId: string): Outcome {
  const rule = rules[command.name]
  if (rule === undefined) throw new Error(`no rule for ${command.name} in the model`)
  return rule(state, command, newId)
}

const flaggedRisk = (state: ModelState, before: Risk): Change => ({
  noun: 'risk',
  before,
  after: withDerived(state, before),
  type: 'risk.flagged',
})

const flaggedIssue = (state: ModelState, before: Issue): Change => ({
  noun: 'issue',
  before,
  after: withDerivedIssue(state, before),
  type: 'issue.flagged',
})

/** The expected writes of a sweep: one per project, first for risks, then for issues. */
export function expectedSweep(state: ModelState): Change[][] {
  const projects = [...state.project.keys()].toSorted()
  const items = projects.map((id) => state.in(id))
  return [
    ...items.map(({ risks }) => risks.filter(isLive).map((risk) => flaggedRisk(state, risk))),
    ...items.map(({ issues }) => issues.filter(isOpen).map((issue) => flaggedIssue(state, issue))),
  ]
    .map(realChanges)
    .filter((changes) => changes.length > 0)
}

/** The flag changes of these items in the current state. */
export const flagged = (state: ModelState, ids: readonly string[]): Change[] =>
  ids.flatMap((id) => {
    const [risk, issue] = [state.risk.get(id), state.issue.get(id)]
    return [
      ...(risk ? [flaggedRisk(state, risk)] : []),
      ...(issue ? [flaggedIssue(state, issue)] : []),
    ]
  })
