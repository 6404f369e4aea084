import { ReadError, type ReadFault, type Sheet } from './sheet.ts'

/** What a worker sends back. */
export type WorkerAnswer = { readonly sheet: Sheet } | { readonly fault: ReadFault }

/** An error as a value, because the class of an error does not pass between threads. */
export function answerOf(read: () => Sheet): WorkerAnswer {
  try {
    return { sheet: read() }
  } catch (error) {
    return { fault: error instanceof ReadError ? error.fault : 'not-read' }
  }
}
