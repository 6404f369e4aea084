import { client } from './client.ts'

/** What the code for live changes needs from before it is loaded. */
interface LiveStart {
  /** Between the pages of this browser. */
  readonly channel: BroadcastChannel
  readonly send: (message: unknown) => void
  /** The messages of other pages since then. They are kept until this is called. */
  readonly takeEarly: () => readonly MessageEvent<unknown>[]
  /** The position before the page read its data; null if the service did not answer. */
  readonly position: Promise<string | null>
}

let start: LiveStart | null = null

/** Locks need HTTPS or localhost. */
const isPossible = () => 'locks' in navigator && 'BroadcastChannel' in window

/** Notes where the log of changes ends before the first page reads its data. */
export function noteLiveStart(): void {
  if (start !== null || !isPossible()) return
  const early: MessageEvent<unknown>[] = []
  const channel = new BroadcastChannel('muster.live')
  const note = (event: MessageEvent<unknown>) => early.push(event)
  channel.addEventListener('message', note)
  const position = client.events
    .list({ query: { after: 'now', limit: 1 } })
    .then((page) => page.position)
    .catch(() => null)
  const takeEarly = () => {
    channel.removeEventListener('message', note)
    return early
  }
  start = { channel, send: channel.postMessage.bind(channel), takeEarly, position }
}

/** Null if the browser cannot share a stream between its pages. */
export const liveStart = () => start

/** The next page of a signed-in user begins again. */
export function forgetLiveStart(): void {
  start?.channel.close()
  start = null
}
