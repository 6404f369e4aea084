import { bounds, bytesOfMiB } from './bounds.ts'
import { ReadError, type Sheet } from './sheet.ts'
import type { WorkerAnswer } from './worker-answer.ts'

const startCsv = () => new Worker(new URL('./csv-worker.ts', import.meta.url), { type: 'module' })
/** The code that reads workbooks is loaded with the first workbook. */
const startXlsx = () => new Worker(new URL('./xlsx-worker.ts', import.meta.url), { type: 'module' })

/** Reads a CSV file or a workbook within the bounds, in a worker. */
export async function readFile(file: File): Promise<Sheet> {
  if (file.size > bytesOfMiB(bounds.fileMiB)) throw new ReadError('too-large')
  const content = await file.arrayBuffer().catch((error: unknown) => {
    throw new ReadError('not-read', { cause: error })
  })
  const bytes = new Uint8Array(content)
  const answer = await readInWorker(workerFor(bytes), bytes)
  if ('fault' in answer) throw new ReadError(answer.fault)
  return answer.sheet
}

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte)

/** By the first bytes, because a name can be wrong. */
function workerFor(bytes: Uint8Array): Worker {
  // An XLS file, or a workbook with a password.
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) throw new ReadError('old-workbook')
  return startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) ? startXlsx() : startCsv()
}

async function readInWorker(worker: Worker, bytes: Uint8Array<ArrayBuffer>): Promise<WorkerAnswer> {
  const { promise, resolve } = Promise.withResolvers<WorkerAnswer>()
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => resolve(data))
  worker.addEventListener('error', () => resolve({ fault: 'not-read' }))
  const timer = setTimeout(() => resolve({ fault: 'too-slow' }), bounds.seconds * 1000)
  worker.postMessage(bytes, [bytes.buffer])
  const answer = await promise
  clearTimeout(timer)
  worker.terminate()
  return answer
}
