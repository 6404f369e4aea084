/** Ends the turn of the event loop, so that other requests have theirs. */
export { setImmediate as nextTurn } from 'node:timers/promises'
