import assert from 'node:assert/strict'

import type { Group } from '@muster/contract'

import { apiOf, signIn, type Environment } from './environment.ts'

/** Shared steps of the group tests. */
export async function groupSteps(env: Environment) {
  const api = apiOf(env, env.keys.manager)
  const { data: everyone } = await api.personnel.list({ query: { limit: 100 } })
  const userIdOf = (name: string) => {
    const person = everyone.find((each) => each.name === name)
    assert(person, `${name} is on the roster`)
    return person.id
  }
  return {
    api,
    userIdOf,
    /** Creates a group for one test, so that tests are independent. */
    createGroup: (name: string, members: readonly string[] = [], leads: readonly string[] = []) =>
      api.groups.create({
        body: {
          name,
          description: 'Original.',
          member_user_ids: members.map(userIdOf),
          lead_user_ids: leads.map(userIdOf),
        },
      }),
    view: ({ id }: Group) => api.groups.view({ params: { group_id: id } }),
    membersOf: async ({ id }: Group) => {
      const { data } = await api.personnel.list({ query: { group_id: [id], sort: 'name' } })
      return data.map(({ name }) => name)
    },
    asManager: (path: string, isLive = true) => signIn(env, env.keys.manager, { path, isLive }),
  }
}

export const pathOf = ({ id }: Group) => `/groups/${id}`
