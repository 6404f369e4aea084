import assert from 'node:assert/strict'

import type { Group } from '@muster/contract'

import { apiOf, signedIn, type World } from './world.ts'

/** What the tests of groups arrange and look at. */
export async function groupsOf(world: World) {
  const api = apiOf(world, world.keys.manager)
  const { data: everyone } = await api.personnel.list({ query: { limit: 100 } })
  const userIdOf = (name: string) => {
    const person = everyone.find((each) => each.name === name)
    assert(person, `${name} is on the roster`)
    return person.id
  }
  return {
    api,
    userIdOf,
    /** A group of its own for each test, so that none is in the way of another. */
    make: (name: string, members: readonly string[] = [], leads: readonly string[] = []) =>
      api.groups.create({
        body: {
          name,
          description: 'As it was.',
          member_user_ids: members.map(userIdOf),
          lead_user_ids: leads.map(userIdOf),
        },
      }),
    view: ({ id }: Group) => api.groups.view({ params: { group_id: id } }),
    membersOf: async ({ id }: Group) => {
      const { data } = await api.personnel.list({ query: { group_id: [id], sort: 'name' } })
      return data.map(({ name }) => name)
    },
    asManager: (path: string) => signedIn(world, world.keys.manager, { path }),
  }
}

export const pathOf = ({ id }: Group) => `/groups/${id}`
