/**
 * Everything that can happen, as the change feed will tell it: the noun, and its verb in the past.
 */
export const events = {
  'person.created': 'A person was added to the roster.',
  'group.created': 'A personnel group was made.',
  'project.created': 'A project was opened.',
  'risk.created': 'A risk was entered in the register.',
  'risk.closed': 'A risk left the register.',
  'issue.created': 'An issue was opened.',
  'issue.closed': 'An issue was closed.',
  'key.created': 'An API key was issued.',
  'key.revoked': 'An API key was revoked.',
} as const satisfies Record<string, string>

export type EventType = keyof typeof events
