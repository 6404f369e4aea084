import type { Sheet } from '#pages/import/read/sheet.ts'

import type { Kind } from './fields.ts'
import type { Mapping } from './match.ts'

/**
 * How a row finds the record that it changes: by a column, by an external id that the console makes
 * from project and title, or not at all.
 */
export type Identity = 'id' | 'external_id' | 'ref' | 'code' | 'email' | 'made' | 'none'

const byKind: Readonly<Record<Kind, readonly Identity[]>> = {
  people: ['id', 'external_id', 'email', 'none'],
  projects: ['id', 'code', 'external_id'],
  risks: ['id', 'external_id', 'ref', 'made', 'none'],
  issues: ['id', 'external_id', 'ref', 'made', 'none'],
  tasks: ['id', 'external_id', 'ref', 'made', 'none'],
}

/** The ways that this file allows, the best first. */
export function identitiesOf(kind: Kind, { rows }: Sheet, mapping: Mapping): Identity[] {
  const has = (name: string) => mapping.some((field) => field?.name === name)
  const isFull = (name: string) => {
    const at = mapping.findIndex((field) => field?.name === name)
    return at >= 0 && rows.every(({ cells }) => (cells[at] ?? '').trim() !== '')
  }
  return byKind[kind].filter((identity) => {
    if (identity === 'none') return true
    if (identity === 'made') return !has('external_id') && has('title')
    // A row without an id is new. By every other column, each row must have it.
    return identity === 'id' ? has('id') : isFull(identity)
  })
}

/** The parameter `match` of the batch. */
export const matchOf = (identity: Identity): Exclude<Identity, 'id' | 'made' | 'none'> | null => {
  if (identity === 'made') return 'external_id'
  return identity === 'id' || identity === 'none' ? null : identity
}

const lengthMax = 180

/**
 * Makes an external id from project and title: the same file makes the same ids. A title that
 * appears again in a project gets a number.
 */
export function externalIdMaker(): (project: string, title: string) => string {
  const seen = new Map<string, number>()
  return (project, title) => {
    const text = `${project} ${title.replaceAll(/\s+/g, ' ')}`.trim()
    const id = text.length > lengthMax ? `${text.slice(0, lengthMax - 10)} ${checksum(text)}` : text
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    return count === 1 ? id : `${id} #${count}`
  }
}

/** Distinguishes long titles with the same start (FNV-1a). */
function checksum(text: string): string {
  let hash = 0x81_1c_9d_c5
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  }
  return (hash >>> 0).toString(36)
}
