import { notifications } from '@mantine/notifications'
import { ProblemError } from '@muster/client'
import type { QueryKey } from '@tanstack/react-query'

import { cache, type Noun, refresh } from '#api/cache.ts'

import { askAboutConflict } from './conflict.ts'
import { sayDone, sayFailed } from './toast.tsx'

export interface Versioned {
  readonly version: number
}

export interface Act<T extends Versioned, R> {
  /** The thing as it was shown to whoever acts; what happened to it since is not overwritten. */
  readonly thing: T
  /** Under which key the thing itself is kept, when it is. */
  readonly key?: QueryKey
  /** How the thing will be: shown at once, and taken back when it is refused. */
  readonly expected?: Partial<T>
  readonly send: (ifMatch: number) => Promise<R>
  /** The thing as it is now, to show what someone else made of it. */
  readonly view: () => Promise<T>
  /** What to ask for anew afterwards. */
  readonly touches: readonly Noun[]
  /** What to say when it is done. */
  readonly says: string
  /**
   * How to take it back, where that can be done: to what it was just before, which is what someone
   * else made of it when they were faster.
   */
  readonly undo?: (result: R, before: T) => Promise<unknown>
}

/**
 * Does something to a thing: shown at once, sent with the version that was seen, and said when it
 * is done, with a way back. When someone else was faster, they are both shown and the choice is
 * left to whoever acts. Null when they chose to leave it.
 */
export async function act<T extends Versioned, R>(given: Act<T, R>): Promise<R | null> {
  const { thing, key, expected, touches, says, undo } = given
  if (key && expected) cache.setQueryData(key, { ...thing, ...expected })
  try {
    const done = await sendOrAsk(given)
    if (done === null) return null
    const { result, before } = done
    sayDone(says, undo && (() => takeBack(() => undo(result, before), touches)))
    return result
  } catch (error) {
    if (key && expected) cache.setQueryData(key, thing)
    throw error
  } finally {
    await refresh(...touches)
  }
}

/** Null when someone else was faster, and theirs is left. */
async function sendOrAsk<T extends Versioned, R>({ thing, expected, send, view }: Act<T, R>) {
  let before = thing
  for (;;) {
    try {
      return { result: await send(before.version), before }
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'version_mismatch') throw error
      const now = await view()
      const isMine = await askAboutConflict({ seen: before, now, wanted: expected ?? {} })
      if (!isMine) return null
      before = now
    }
  }
}

async function takeBack(undo: () => Promise<unknown>, touches: readonly Noun[]): Promise<void> {
  notifications.clean()
  try {
    await undo()
  } catch (error) {
    sayFailed(error)
  } finally {
    await refresh(...touches)
  }
}

/** As `act`, for a button without a dialog of its own: what fails is said in passing. */
export async function actAside<T extends Versioned, R>(given: Act<T, R>): Promise<void> {
  try {
    await act(given)
  } catch (error) {
    sayFailed(error)
  }
}
