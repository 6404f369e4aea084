import { consoleHeader } from '#data/browser-routes.ts'
import { forgetLiveStart, liveStart } from '#data/live-start.ts'
import { queryClient } from '#data/query-client.ts'

import { follow, type Message } from './follow.ts'
import { readStream } from './read-stream.ts'
import { applyChanges } from './refetch.ts'

/** After a longer time out of sight, everything is read again instead of every change. */
const hiddenMsMax = 60_000

/**
 * Shows changes of others until the signal is aborted. One visible page of the browser holds a lock
 * (Web Locks), reads the stream of the service, and sends its messages to the other pages by
 * BroadcastChannel. A hidden page gives the lock up, so no stream is open while no page is visible.
 */
export async function startLive(signal: AbortSignal): Promise<void> {
  const start = liveStart()
  if (start === null) return
  const { channel, send, takeEarly } = start
  let position = await start.position
  if (signal.aborted) return
  let hiddenAt: number | null = null
  let following: AbortController | null = null

  const take = (message: Message) => {
    position = message.position
    if (message.isReset) void readAllAgain()
    else applyChanges(message.changes)
  }
  // The cast holds because only this function sends.
  const onReceived = ({ data }: MessageEvent<unknown>) => take(data as Message)
  const lead = (leading: AbortSignal) =>
    follow({
      position,
      signal: leading,
      read: (after, onChanges) =>
        readStream({ after, headers: consoleHeader, signal: leading, onChanges }),
      wait: (ms) => pause(ms, leading),
      untilAnswered: () => nextAnswer(leading),
      onMessage: (message) => {
        send(message)
        take(message)
      },
    })
  const followWhileVisible = () => {
    if (document.hidden) {
      hiddenAt ??= Date.now()
      following?.abort()
      following = null
      return
    }
    if (hiddenAt !== null && Date.now() - hiddenAt > hiddenMsMax) position = null
    hiddenAt = null
    following ??= leadInTurn(lead)
  }

  takeEarly().forEach(onReceived)
  channel.addEventListener('message', onReceived)
  document.addEventListener('visibilitychange', followWhileVisible)
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', followWhileVisible)
    following?.abort()
    forgetLiveStart()
  })
  followWhileVisible()
}

/** Leads when no other page does, until the returned controller is aborted. */
function leadInTurn(lead: (signal: AbortSignal) => Promise<void>): AbortController {
  const controller = new AbortController()
  const { signal } = controller
  // An aborted request for the lock rejects.
  navigator.locks.request('muster.live', { signal }, () => lead(signal)).catch(() => {})
  return controller
}

/** Reads again what is on screen. A hidden page does so when it is shown. */
const readAllAgain = () =>
  queryClient.invalidateQueries({ refetchType: document.hidden ? 'none' : 'active' })

/** Waits; less if the signal is aborted. */
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })

/** Resolves with the next successful read of the page: the session is valid again. */
const nextAnswer = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const stop = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => {
      stop()
      resolve()
    })
  })
