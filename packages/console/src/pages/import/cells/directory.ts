import { fold, foldName } from '#pages/import/columns/fold.ts'

interface PersonEntry {
  readonly id: string
  readonly name: string
  readonly email: string | null
}

interface ProjectEntry {
  readonly id: string
  readonly code: string
  readonly name: string
}

/** The people and projects that cells can name. */
export interface Directory {
  /** User ids by folded email, name and id. A name can be that of several people. */
  readonly people: ReadonlyMap<string, readonly string[]>
  /** Codes by folded code, name and id. */
  readonly projects: ReadonlyMap<string, readonly string[]>
  readonly peopleOffered: readonly string[]
  readonly projectsOffered: readonly string[]
}

/** How the console offers a person or a project; a cell with this text names it as well. */
const personLabel = ({ name, email }: PersonEntry) => (email === null ? name : `${name} (${email})`)
const projectLabel = ({ code, name }: ProjectEntry) => `${code} ${name}`

/** An email with letter case folded only: its punctuation counts. */
export const emailKey = (email: string) => email.trim().toLowerCase()

function index<T>(
  entries: readonly T[],
  { keysOf, valueOf }: { keysOf: (entry: T) => readonly string[]; valueOf: (entry: T) => string },
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const entry of entries) {
    for (const key of keysOf(entry)) {
      const values = found.get(key) ?? new Set()
      found.set(key, values.add(valueOf(entry)))
    }
  }
  return new Map(Array.from(found, ([key, values]) => [key, [...values]]))
}

export const directoryOf = (
  people: readonly PersonEntry[],
  projects: readonly ProjectEntry[],
): Directory => ({
  people: index(people, {
    keysOf: (person) => [
      foldName(person.name),
      foldName(personLabel(person)),
      person.id,
      ...(person.email === null ? [] : [emailKey(person.email)]),
    ],
    valueOf: ({ id }) => id,
  }),
  projects: index(projects, {
    keysOf: (project) => [
      fold(project.code),
      fold(project.name),
      fold(projectLabel(project)),
      project.id,
    ],
    valueOf: ({ code }) => code,
  }),
  peopleOffered: people.map(personLabel),
  projectsOffered: projects.map(projectLabel),
})
