import { Type, type Static } from 'typebox'

import { id, nullable, singleLine, timestamp } from '#contract/field-schemas'
import { createSchema } from '#contract/input-schemas'
import { operation } from '#contract/operation'

const name = singleLine(100, {
  description: 'The name of the passkey, such as the device.',
  example: 'Work laptop',
})

export const Passkey = Type.Object(
  {
    id: id('psk', 'The id of the passkey.'),
    name,
    last_used_at: nullable(
      timestamp({
        description: 'When the passkey was last used to sign in.',
        example: '2026-03-01T08:00:00.000Z',
      }),
    ),
    created_at: timestamp({
      description: 'When the passkey was created.',
      example: '2026-02-12T09:30:00.000Z',
    }),
  },
  { title: 'Passkey', description: 'A passkey of a person.' },
)
export type Passkey = Static<typeof Passkey>

export const PasskeyList = Type.Object(
  { data: Type.Array(Passkey, { description: 'The passkeys, oldest first.' }) },
  { title: 'PasskeyList', description: 'The passkeys of the person who is signed in.' },
)
export type PasskeyList = Static<typeof PasskeyList>

const PasskeyName = createSchema(
  { name },
  {},
  {
    title: 'PasskeyName',
    description: 'The new name of a passkey.',
    example: { name: 'Work laptop' },
  },
)

const params = Type.Object({ passkey_id: id('psk', 'The id of the passkey.') })

export const passkeys = {
  list: operation({
    summary: 'List your own passkeys.',
    description: 'A passkey is created in the console, in the browser that stores it.',
    method: 'GET',
    path: '/v1/passkeys',
    scope: 'person',
    status: 200,
    response: PasskeyList,
    cache: 'none',
    problems: [],
  }),

  rename: operation({
    summary: 'Rename one of your own passkeys.',
    description: 'The name distinguishes your passkeys.',
    method: 'PUT',
    path: '/v1/passkeys/{passkey_id}/name',
    scope: 'person',
    params,
    body: PasskeyName,
    status: 200,
    response: Passkey,
    cache: 'none',
    problems: ['not_found'],
  }),

  remove: operation({
    summary: 'Remove one of your own passkeys.',
    description:
      'The passkey no longer signs you in. Sessions that it started stay; end them separately. ' +
      'Returns the remaining passkeys.',
    method: 'DELETE',
    path: '/v1/passkeys/{passkey_id}',
    scope: 'person',
    params,
    status: 200,
    response: PasskeyList,
    cache: 'none',
    example: { data: [] },
    problems: ['not_found'],
  }),
}
