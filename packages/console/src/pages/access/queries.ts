import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'

export const accessQuery = queryOptions({
  queryKey: ['access', 'list'],
  queryFn: ({ signal }) => client.access.view({}, { signal }),
})

/** The roles with their descriptions. They are fixed. */
export const rolesQuery = queryOptions({
  queryKey: ['access', 'roles'],
  queryFn: ({ signal }) => client.access.roles({}, { signal }),
  staleTime: Infinity,
})

const shownMembersMax = 100

/** The first members of a group, by name. */
export const membersQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['personnel', 'access-members', groupId],
    queryFn: ({ signal }) =>
      client.personnel.list(
        { query: { group_id: [groupId], sort: 'name', limit: shownMembersMax } },
        { signal },
      ),
  })

/** The account at the identity provider and the passkeys of a person. */
export const personSignInQuery = (userId: string) =>
  queryOptions({
    queryKey: ['access', 'sign-in', userId],
    queryFn: ({ signal }) =>
      client.person_sign_in.view({ params: { user_id: userId } }, { signal }),
  })

/** The browsers in which a person is signed in. */
export const personSessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['access', 'sessions', userId],
    queryFn: ({ signal }) =>
      client.sessions.list_of_person({ params: { user_id: userId } }, { signal }),
  })
