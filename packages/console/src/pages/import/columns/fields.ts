import type {
  CrossProjectIssueRow,
  CrossProjectRiskRow,
  CrossProjectTaskRow,
  PersonRow,
  ProjectRow,
} from '@muster/contract'

import type { TextKey } from '#text/index.ts'
import type { LabelSet } from '#text/labels.ts'

import type { ImportField, FieldType } from './field.ts'

interface Rows {
  readonly people: PersonRow
  readonly projects: ProjectRow
  readonly risks: CrossProjectRiskRow
  readonly issues: CrossProjectIssueRow
  readonly tasks: CrossProjectTaskRow
}

export type Kind = keyof Rows

type Column<K extends Kind> = keyof Rows[K] & string
/** The API has a column for each member of these objects. */
type Member = `${'inherent' | 'target'}.${'likelihood' | 'impact'}` | 'target.due_on'

interface Rest {
  readonly synonyms?: readonly string[]
  readonly isRequired?: boolean
  readonly idColumn?: string
}

/** Describes a field of these kinds: their rows must have a column of this name. */
const field = <C extends string>(
  name: C,
  [label, type]: readonly [TextKey, FieldType],
  { synonyms = [], isRequired = false, idColumn }: Rest = {},
) => ({ name, label, type, synonyms, isRequired, idColumn: idColumn ?? null }) satisfies ImportField

const own = {
  id: field('id', ['import.field.id', 'text'], { synonyms: ['muster id'] }),
  version: field('version', ['import.field.version', 'text']),
  externalId: field('external_id', ['word.external-id', 'text'], {
    synonyms: [
      'no',
      'nr',
      'number',
      'nummer',
      'risk no',
      'risk id',
      'issue id',
      'issue no',
      'task id',
      'task no',
      'externe id',
      'lfd nr',
      'laufnummer',
      'kennung',
    ],
  }),
  ref: field('ref', ['word.ref', 'text'], { synonyms: ['reference', 'referenz'] }),
  title: (...synonyms: readonly string[]) =>
    field('title', ['word.title', 'text'], {
      isRequired: true,
      synonyms: ['titel', 'summary', 'bezeichnung', 'kurzbeschreibung', ...synonyms],
    }),
  name: field('name', ['word.name', 'text'], {
    isRequired: true,
    synonyms: ['full name', 'bezeichnung', 'projektname', 'project name'],
  }),
  description: field('description', ['word.description', 'text'], {
    synonyms: ['beschreibung', 'details', 'cause and consequence'],
  }),
  tags: field('tags', ['word.tags', 'text'], {
    synonyms: ['labels', 'schlagworte', 'schlagworter'],
  }),
  links: field('links', ['links.title', 'text']),
  metadata: field('metadata', ['record.metadata', 'text']),
  dueOn: field('due_on', ['word.due', 'day'], {
    synonyms: ['due date', 'deadline', 'frist', 'termin', 'fallig am', 'fallig'],
  }),
  closeReason: (words: LabelSet) =>
    field('close_reason', ['import.field.close-reason', { words }], {
      synonyms: ['abschlussgrund', 'reason for closing', 'resolution'],
    }),
  closeNote: field('close_note', ['import.field.close-note', 'text'], {
    synonyms: ['closing note'],
  }),
  closedAt: field('closed_at', ['word.closed', 'moment'], {
    synonyms: ['closed on', 'geschlossen', 'geschlossen am', 'erledigt am'],
  }),
}

const person = <S extends string>(stem: S, label: TextKey, synonyms: readonly string[]) => {
  const idColumn = `${stem}_user_id` as const
  return [
    field(`${stem}_email`, [label, 'person'], { idColumn, synonyms: [stem, ...synonyms] }),
    field(`${stem}_external_id`, [`import.field.external-id`, 'text']),
    field(idColumn, ['import.field.user-id', 'text']),
  ] as const
}

const owner = person('owner', 'word.owner', [
  'owner name',
  'risk owner',
  'responsible',
  'verantwortlich',
  'verantwortliche',
  'verantwortlicher',
  'verantwortliche person',
  'besitzer',
  'risikoeigner',
  'eigner',
  'leitung',
  'projektleitung',
  'project manager',
])
const assignee = person('assignee', 'word.assignee', [
  'assignee name',
  'assigned to',
  'responsible',
  'owner',
  'verantwortlich',
  'zustandig',
  'bearbeiter',
])

const project = [
  field('project_code', ['word.project', 'project'], {
    synonyms: ['projekt', 'project name', 'projektcode', 'site', 'standort'],
  }),
  field('project_id', ['import.field.project-id', 'text']),
] as const

const status = (words: LabelSet) =>
  field('status', ['word.status', { words }], { synonyms: ['state', 'zustand'] })

const rating = (name: 'likelihood' | 'impact', synonyms: readonly string[]) =>
  field(name, [`risk.${name}`, 'rating'], { isRequired: true, synonyms })

const people: readonly (ImportField & { readonly name: Column<'people'> })[] = [
  own.id,
  own.version,
  own.name,
  field('email', ['word.email', 'email'], {
    synonyms: ['e mail', 'mail', 'email address', 'e mail adresse'],
  }),
  field('phone', ['people.phone', 'text'], { synonyms: ['telephone', 'telefon', 'mobile'] }),
  field('title', ['people.job', 'text'], { synonyms: ['job title', 'role', 'funktion', 'rolle'] }),
  field('department', ['people.department', 'text'], { synonyms: ['abteilung', 'team'] }),
  field('external_id', ['word.external-id', 'text'], {
    synonyms: ['employee id', 'employee no', 'personalnummer', 'personal nr', 'nr', 'no'],
  }),
  ...person('manager', 'people.manager', [
    'manager name',
    'vorgesetzter',
    'vorgesetzte',
    'supervisor',
  ]),
  field('time_zone', ['word.time-zone', 'text'], { synonyms: ['zeitzone'] }),
  field('start_on', ['people.start-on', 'day'], { synonyms: ['start date', 'start', 'eintritt'] }),
  field('end_on', ['word.last-day', 'day'], { synonyms: ['end date', 'end', 'austritt'] }),
  field('status_reason', ['import.field.status-reason', 'text']),
  own.metadata,
]

const projects: readonly (ImportField & { readonly name: Column<'projects'> })[] = [
  own.id,
  own.version,
  field('code', ['project.code', 'text'], {
    isRequired: true,
    synonyms: ['project code', 'projektcode', 'kurzel'],
  }),
  own.name,
  own.description,
  ...owner,
  field('starts_on', ['project.starts-on', 'day'], { synonyms: ['start date', 'start', 'beginn'] }),
  own.dueOn,
  field('risk_appetite', ['project.appetite', 'score'], { synonyms: ['appetite'] }),
  status('projectStatus'),
  field('health', ['word.health', { words: 'projectHealth' }], { synonyms: ['ampel', 'rag'] }),
  field('health_note', ['import.field.health-note', 'text']),
  own.externalId,
  own.metadata,
]

const risks: readonly (ImportField & { readonly name: Column<'risks'> | Member })[] = [
  own.id,
  own.version,
  own.externalId,
  own.ref,
  own.title('risk', 'risiko'),
  own.description,
  ...project,
  ...owner,
  rating('likelihood', [
    'probability',
    'wahrscheinlichkeit',
    'eintrittswahrscheinlichkeit',
    'prob',
  ]),
  rating('impact', ['consequence', 'severity', 'auswirkung', 'schadensausmass', 'tragweite']),
  field('category', ['risk.field.category', { words: 'riskCategory' }], {
    synonyms: ['kategorie', 'type'],
  }),
  field('response', ['risk.field.response', { words: 'riskResponse' }], {
    synonyms: ['strategy', 'strategie', 'reaktion'],
  }),
  status('riskStatus'),
  field('review_on', ['word.next-review', 'day'], {
    synonyms: [
      'next rev',
      'review date',
      'nachste prufung',
      'nachste uberprufung',
      'wiedervorlage',
    ],
  }),
  field('identified_at', ['risk.identified', 'moment'], {
    synonyms: [
      'identified on',
      'date identified',
      'date raised',
      'raised',
      'erfasst am',
      'erfasst',
    ],
  }),
  field('last_reviewed_at', ['risk.last-reviewed', 'moment'], {
    synonyms: ['last reviewed', 'zuletzt gepruft', 'letzte prufung'],
  }),
  field('inherent.likelihood', ['import.field.inherent-likelihood', 'rating']),
  field('inherent.impact', ['import.field.inherent-impact', 'rating']),
  field('target.likelihood', ['import.field.target-likelihood', 'rating']),
  field('target.impact', ['import.field.target-impact', 'rating']),
  field('target.due_on', ['risk.field.target.due', 'day']),
  own.closedAt,
  own.closeReason('riskCloseReason'),
  own.closeNote,
  own.tags,
  own.links,
  own.metadata,
]

const issues: readonly (ImportField & { readonly name: Column<'issues'> })[] = [
  own.id,
  own.version,
  own.externalId,
  own.ref,
  own.title('issue', 'problem'),
  own.description,
  ...project,
  ...assignee,
  field('severity', ['issues.severity', 'rating'], {
    isRequired: true,
    synonyms: ['sev', 'priority', 'schwere', 'schweregrad'],
  }),
  field('type', ['word.type', { words: 'issueType' }], { synonyms: ['typ', 'art'] }),
  status('issueStatus'),
  field('blocked_reason', ['issue.blocked-reason', 'text'], { synonyms: ['blocked by'] }),
  own.dueOn,
  field('opened_at', ['word.opened', 'moment'], {
    synonyms: ['opened on', 'date raised', 'raised', 'erfasst am', 'eroffnet am', 'eroffnet'],
  }),
  own.closedAt,
  own.closeReason('issueCloseReason'),
  own.closeNote,
  own.tags,
  own.links,
  own.metadata,
]

const tasks: readonly (ImportField & { readonly name: Column<'tasks'> })[] = [
  own.id,
  own.version,
  own.externalId,
  own.ref,
  own.title('task', 'aufgabe'),
  own.description,
  ...project,
  ...assignee,
  field('risk_ref', ['import.field.risk-ref', 'text'], { synonyms: ['risk'] }),
  field('issue_ref', ['import.field.issue-ref', 'text'], { synonyms: ['issue'] }),
  status('taskStatus'),
  own.dueOn,
  field('completed_at', ['task.completed', 'moment'], {
    synonyms: ['completed on', 'completed', 'erledigt am', 'erledigt'],
  }),
  own.links,
]

/** The fields of each kind, in the order in which the console offers them. */
export const fieldsOf: Readonly<Record<Kind, readonly ImportField[]>> = {
  people,
  projects,
  risks,
  issues,
  tasks,
}
