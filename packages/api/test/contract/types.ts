import { addPerson, listPersonnel, viewPerson } from '#domain/people/personnel'
import { addRisk } from '#domain/projects/risks'
import type { Handlers } from '#http/operations/handlers'

// Code that must not compile. `tsc -b` fails when an expected error disappears.

// @ts-expect-error handlers for `view` and `history` are missing
export const missing: Handlers['personnel'] = {
  list: (caller, { query }) => listPersonnel(caller, query),
  create: (caller, { body }) => addPerson(caller, body),
}

export const tooWeak: Pick<Handlers['personnel'], 'view'> = {
  // @ts-expect-error `view` is checked for personnel.read, and adding needs personnel.manage
  view: (caller) => addPerson(caller, { name: 'Ada' }),
}

export const tooWeakList: Pick<Handlers['groups'], 'list'> = {
  // @ts-expect-error a list is checked for its own scope too
  list: (caller) => void addPerson(caller, { name: 'Ada' }),
}

export const otherArea: Pick<Handlers['personnel'], 'create'> = {
  // @ts-expect-error personnel.manage does not grant projects.manage
  create: async (caller) => addRisk(caller, 'prj', { title: 'x', likelihood: 1, impact: 1 }),
}

export const noScope: Handlers['keys'] = {
  // @ts-expect-error any key may ask who it is, and not every key may read people
  whoami: (caller) => viewPerson(caller, 'usr'),
}

export const wrongShape: Pick<Handlers['risks'], 'list'> = {
  // @ts-expect-error the contract promises a listing of register entries
  list: () => ({ data: [{ id: 'x' }] }),
}

export const unknownParameter: Handlers['groups'] = {
  // @ts-expect-error the contract has no parameter of this name
  list: (caller, { query }) => listPersonnel(caller, { q: query.search }),
}
