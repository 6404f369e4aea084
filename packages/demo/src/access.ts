/** A role of a person or a group of Northwater. */
export interface StoryAccess {
  readonly role: 'reader' | 'contributor' | 'manager' | 'admin'
  readonly person?: string
  readonly group?: string
}

/** Who may do what. The site managers and the project controller keep issues and tasks. */
export const access: readonly StoryAccess[] = [
  { role: 'admin', person: 'eloise' },
  { role: 'admin', person: 'tomas' },
  { role: 'manager', person: 'ragnhild' },
  { role: 'contributor', person: 'lukasz' },
  { role: 'contributor', person: 'jose' },
  { role: 'contributor', person: 'saga' },
  { role: 'manager', group: 'Project directors' },
  { role: 'contributor', group: 'Geotechnics' },
  { role: 'reader', group: 'Duty engineers' },
]

/** Reviews and accepts the risks of all projects, and administers the workspace. */
export const riskReviewer = 'eloise'

/**
 * The person of the demo link: the head of geotechnics, a manager with projects and a day of work.
 * Not an administrator, who is asked for a passkey before anything else.
 */
export const demoPerson = 'asa'
