import type { Sheet } from './sheet.ts'
import { answerOf } from './worker-answer.ts'

/** The part of the global scope of a worker that is used. The console has the types of pages. */
interface WorkerScope {
  addEventListener: (
    type: 'message',
    listener: (event: MessageEvent<Uint8Array<ArrayBuffer>>) => void,
  ) => void
  postMessage: (message: unknown, options: { readonly transfer: readonly ArrayBuffer[] }) => void
}

/** Answers each file that the page sends with its sheet, or with the reason why there is none. */
export function answerInWorker(read: (bytes: Uint8Array<ArrayBuffer>) => Sheet): void {
  // The cast holds because only workers call the function.
  const scope = globalThis as unknown as WorkerScope
  scope.addEventListener('message', ({ data }) =>
    scope.postMessage(
      answerOf(() => read(data)),
      { transfer: [] },
    ),
  )
}
