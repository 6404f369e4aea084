import type {
  Assignment,
  bases,
  Group,
  Issue,
  issueCloseReasons,
  issueFlags,
  KeyStatus,
  Level,
  Person,
  Project,
  projectHealths,
  Risk,
  riskCloseReasons,
  riskFlags,
  Task,
} from '@muster/contract'

type OneOf<V extends readonly string[]> = V[number]

/**
 * Display names of API enum values. `satisfies` makes each set exhaustive: a value added to the
 * contract does not compile until it has a name here.
 */
export const labels = {
  level: { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' } satisfies Record<
    Level,
    string
  >,
  basis: { current: 'Current', target: 'Target', inherent: 'Inherent' } satisfies Record<
    OneOf<typeof bases>,
    string
  >,
  riskStatus: {
    identified: 'Identified',
    treating: 'Treating',
    monitoring: 'Monitoring',
    occurred: 'Occurred',
    closed: 'Closed',
  } satisfies Record<Risk['status'], string>,
  riskCategory: {
    technical: 'Technical',
    external: 'External',
    organizational: 'Organizational',
    delivery: 'Delivery',
    financial: 'Financial',
    legal: 'Legal',
    security: 'Security',
    people: 'People',
    other: 'Other',
  } satisfies Record<Risk['category'], string>,
  riskResponse: {
    undecided: 'Undecided',
    avoid: 'Avoid',
    reduce: 'Reduce',
    transfer: 'Transfer',
    accept: 'Accept',
  } satisfies Record<Risk['response'], string>,
  riskCloseReason: {
    treated: 'Treated',
    no_longer_possible: 'No longer possible',
    avoided: 'Avoided',
    duplicate: 'Duplicate',
    rejected: 'Rejected',
    other: 'Other',
  } satisfies Record<OneOf<typeof riskCloseReasons>, string>,
  riskFlag: {
    above_appetite: 'Above appetite',
    acceptance_expired: 'Acceptance expired',
    review_overdue: 'Review overdue',
  } satisfies Record<OneOf<typeof riskFlags>, string>,
  issueStatus: {
    open: 'Open',
    in_progress: 'In progress',
    blocked: 'Blocked',
    closed: 'Closed',
  } satisfies Record<Issue['status'], string>,
  issueType: {
    problem: 'Problem',
    change_request: 'Change request',
    dependency: 'Dependency',
    other: 'Other',
  } satisfies Record<Issue['type'], string>,
  issueCloseReason: {
    resolved: 'Resolved',
    workaround: 'Workaround',
    duplicate: 'Duplicate',
    not_an_issue: 'Not an issue',
    cancelled: 'Cancelled',
  } satisfies Record<OneOf<typeof issueCloseReasons>, string>,
  issueFlag: { overdue: 'Overdue' } satisfies Record<OneOf<typeof issueFlags>, string>,
  projectStatus: {
    planned: 'Planned',
    active: 'Active',
    on_hold: 'On hold',
    completed: 'Completed',
    cancelled: 'Cancelled',
    archived: 'Archived',
  } satisfies Record<Project['status'], string>,
  projectHealth: {
    on_track: 'On track',
    at_risk: 'At risk',
    off_track: 'Off track',
  } satisfies Record<OneOf<typeof projectHealths>, string>,
  personStatus: {
    active: 'Active',
    suspended: 'Suspended',
    departed: 'Departed',
  } satisfies Record<Person['status'], string>,
  groupStatus: { active: 'Active', archived: 'Archived' } satisfies Record<Group['status'], string>,
  taskStatus: {
    todo: 'To do',
    in_progress: 'In progress',
    blocked: 'Blocked',
    done: 'Done',
    cancelled: 'Cancelled',
  } satisfies Record<Task['status'], string>,
  keyStatus: { active: 'Active', expired: 'Expired', revoked: 'Revoked' } satisfies Record<
    KeyStatus,
    string
  >,
  /** Fields whose generated names are unclear. */
  field: {
    allowed_cidrs: 'Allowed networks',
    key_days_max: 'Maximum key lifetime (days)',
    session_days: 'Session lifetime (days)',
    expires_in_days: 'Key lifetime (days)',
  },
  assignment: { project: 'Project', risk: 'Risk', issue: 'Issue', task: 'Task' } satisfies Record<
    Assignment['type'],
    string
  >,
}
