/**
 * Everything that can happen, as the change feed will tell it: the noun, and its verb in the past.
 */
export const events = {
  'person.created': 'A person was added to the roster.',
  'group.created': 'A personnel group was made.',
  'project.created': 'A project was opened.',
  'project.updated': 'A project was changed.',
  'project.archived': 'A project was archived.',
  'project.restored': 'A project was brought back from the archive.',
  'risk.created': 'A risk was entered in the register.',
  'risk.updated': 'A risk was changed.',
  'risk.reviewed': 'A risk was reviewed, and perhaps rated anew.',
  'risk.accepted': 'A risk was accepted as it is, until a day.',
  'risk.occurred': 'A risk came true, and became an issue.',
  'risk.closed': 'A risk left the register.',
  'risk.reopened': 'A risk came back to the register.',
  'risk.flagged': 'A fact about a risk turned true or false with time.',
  'issue.created': 'An issue was opened.',
  'issue.updated': 'An issue was changed.',
  'issue.closed': 'An issue was closed.',
  'issue.reopened': 'An issue was opened again.',
  'issue.flagged': 'A fact about an issue turned true or false with time.',
  'task.created': 'A task was made.',
  'task.updated': 'A task was changed.',
  'key.created': 'An API key was issued.',
  'key.revoked': 'An API key was revoked.',
} as const satisfies Record<string, string>

export type EventType = keyof typeof events
