import type { ChangedIssue, ChangedProject, ChangedRisk } from '@muster/contract'

import { t } from '#text/index.ts'
import { fieldLabel, label } from '#text/labels.ts'
import { isOwnField, type Names } from '#text/values.ts'

import { decisiveStep } from './moves.ts'
import type { ChangeEntry } from './queries.ts'

/** What happened to an entry: a fact in a few words, and what someone wrote about it. */
export interface Summary {
  readonly fact: string | null
  readonly note: string | null
  /** The step of the note, whose author and time are shown. */
  readonly step: ChangeEntry['steps'][number] | undefined
}

/** The step that counts, or without a note of it the last one with a note. */
function spoken(entry: ChangeEntry, group: string): Pick<Summary, 'note' | 'step'> {
  const decisive = decisiveStep(entry, group)
  const step =
    (decisive?.note ?? null) === null
      ? (entry.steps.findLast(({ note }) => note !== null) ?? decisive)
      : decisive
  return { note: step?.note ?? null, step }
}

export const summarizeRisk = (risk: ChangedRisk, group: string, names: Names): Summary => ({
  fact: riskFact(risk, group, names),
  ...spoken(risk, group),
})

function riskFact(risk: ChangedRisk, group: string, names: Names): string | null {
  const { before, after } = risk
  if (group === 'entered') return t(before === null ? 'changes.fact.new' : 'changes.fact.reopened')
  if (group === 'left') return leftFact(risk)
  if (group === 'handed_over') return handedOver(before?.owner_user_id, after?.owner_user_id, names)
  if (group === 'became_due') return newFlags('riskFlag', before?.flags, after?.flags)
  if (group === 'decided') return decidedFact(risk)
  return group === 'edited' ? editedFact(risk) : null
}

function leftFact({ after }: ChangedRisk): string {
  if (after === null) return t('changes.fact.moved')
  return t(after.status === 'occurred' ? 'changes.fact.occurred' : 'changes.fact.closed')
}

function decidedFact({ steps }: ChangedRisk): string | null {
  const types = new Set<string>(steps.map(({ type }) => type))
  if (types.has('risk.accepted')) return t('changes.fact.accepted')
  return types.has('risk.reviewed') ? t('changes.fact.reviewed') : null
}

export const summarizeIssue = (issue: ChangedIssue, group: string, names: Names): Summary => ({
  fact: issueFact(issue, group, names),
  ...spoken(issue, group),
})

function issueFact(issue: ChangedIssue, group: string, names: Names): string | null {
  const { before, after } = issue
  if (group === 'handed_over')
    return handedOver(before?.assignee_user_id, after?.assignee_user_id, names)
  if (group === 'became_due') return newFlags('issueFlag', before?.flags, after?.flags)
  if (group === 'blocked') return t('changes.fact.blocked')
  return group === 'edited' ? editedFact(issue) : null
}

export const summarizeProject = (project: ChangedProject): Summary => ({
  fact: null,
  note: project.after?.health_note ?? null,
  step: decisiveStep(project, 'health'),
})

function handedOver(
  before: string | null | undefined,
  after: string | null | undefined,
  names: Names,
): string {
  const nameOf = (id: string | null | undefined) =>
    id === null || id === undefined
      ? t('changes.no-one')
      : (names.get(id) ?? t('actor.name.person'))
  return t('changes.fact.handed-over', { before: nameOf(before), after: nameOf(after) })
}

function newFlags(
  set: 'riskFlag' | 'issueFlag',
  before: readonly string[] = [],
  after: readonly string[] = [],
): string | null {
  const flags = after.filter((flag) => !before.includes(flag)).map((flag) => label(set, flag))
  return flags.length > 0 ? `${flags.join(', ')}.` : null
}

const fieldsMax = 5

function editedFact({ steps }: ChangeEntry): string | null {
  const own = steps.filter(({ task_id }) => task_id === null)
  const fields = [...new Set(own.flatMap(({ changed }) => changed))].filter(
    (each) => !isOwnField(each),
  )
  if (fields.length === 0) return null
  const names = fields.slice(0, fieldsMax).map((field) => fieldLabel(field).toLowerCase())
  return t('changes.fact.edited', { fields: names.join(', ') })
}
