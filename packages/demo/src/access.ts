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

/** Reviews and accepts the risks of all projects. */
export const riskReviewer = 'eloise'
