import type { Key, NewKey, NewSecret, Rotation } from '@muster/contract'

import { refresh } from '#api/cache.ts'
import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { act, type Act } from '#ui/act.ts'
import { asBefore, changesTo, isNothing } from '#ui/changes.ts'

import { keyKey } from './queries.ts'

const touches = ['keys'] as const

/** What all that is done to a key has in common. */
const onKey = (key: Key) => {
  const params = { key_id: key.id }
  return {
    params,
    common: {
      thing: key,
      key: keyKey(key.id),
      view: () => client.keys.view({ params }),
      touches,
    } as const satisfies Partial<Act<Key, unknown>>,
  }
}

/** The answer holds the secret: it is given to whoever asked, and kept nowhere on the way. */
export async function createKey(body: NewKey): Promise<NewSecret> {
  try {
    return await client.keys.create({ body })
  } finally {
    // Also when the answer was lost: a key may have been made that nobody can use.
    await refresh(...touches)
  }
}

/** What can be said of a key anew. */
export type Wording = Pick<Key, 'name' | 'allowed_cidrs'>

/** A caller whose own key is bound cannot take back narrower networks: it cannot widen any. */
export async function updateKey(key: Key, wanted: Wording, own: Key): Promise<Key | null> {
  const { params, common } = onKey(key)
  const body = changesTo<Wording>(key, wanted)
  if (isNothing(body)) return key
  return act<Key, Key>({
    ...common,
    expected: body,
    send: (ifMatch) => client.keys.update({ params, body }, { ifMatch }),
    says: t('key.updated', { name: wanted.name }),
    ...((own.allowed_cidrs.length === 0 || body.allowed_cidrs === undefined) && {
      undo: ({ version }, before) =>
        client.keys.update({ params, body: asBefore(before, body) }, { ifMatch: version }),
    }),
  })
}

/** Null when someone else was faster, and theirs is left. */
export function rotateKey(key: Key, body: Rotation): Promise<NewSecret | null> {
  const { params, common } = onKey(key)
  return act<Key, NewSecret>({
    ...common,
    send: (ifMatch) => client.keys.rotate({ params, body }, { ifMatch }),
    says: t('key.rotated', { name: key.name }),
  })
}

export function revokeKey(key: Key): Promise<Key | null> {
  const { params, common } = onKey(key)
  return act<Key, Key>({
    ...common,
    send: (ifMatch) => client.keys.revoke({ params }, { ifMatch }),
    says: t('key.revoked', { name: key.name }),
  })
}

/** Nothing is asked for anew afterwards: whoever did this is no longer signed in. */
export const revokeOwnKey = () => client.keys.revoke_self()
