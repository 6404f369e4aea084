import { addPerson, listPersonnel, viewPerson } from '#domain/personnel'
import { addRisk } from '#domain/risks'
import type { Handlers } from '#http/bind'

// What must not compile, compiled with `tsc -b`: an error that is no longer one fails the build.

// @ts-expect-error a handler for `view` is missing
export const missing: Handlers['personnel'] = {
  list: (caller, { query }) => listPersonnel(caller, query),
  create: (caller, { body }) => addPerson(caller, body),
}

export const tooWeak: Handlers['personnel'] = {
  list: (caller, { query }) => listPersonnel(caller, query),
  create: (caller, { body }) => addPerson(caller, body),
  // @ts-expect-error `view` is checked for personnel.read, and adding needs personnel.manage
  view: (caller) => addPerson(caller, { name: 'Ada' }),
}

export const otherArea: Handlers['personnel'] = {
  list: (caller, { query }) => listPersonnel(caller, query),
  // @ts-expect-error personnel.manage does not grant projects.manage
  create: async (caller) => addRisk(caller, 'prj', { title: 'x', likelihood: 1, impact: 1 }),
  view: (caller, { params }) => viewPerson(caller, params.user_id),
}

export const noScope: Handlers['keys'] = {
  // @ts-expect-error any key may ask who it is, and not every key may read people
  whoami: (caller) => viewPerson(caller, 'usr'),
}

export const wrongShape: Handlers['risks'] = {
  // @ts-expect-error the contract promises a listing of register entries
  list: () => ({ data: [{ id: 'x' }] }),
  scale: async () => ({ likelihood: [], impact: [], levels: [] }),
}

export const unknownParameter: Handlers['groups'] = {
  // @ts-expect-error the contract has no parameter of this name
  list: (caller, { query }) => listPersonnel(caller, { q: query.search }),
}
