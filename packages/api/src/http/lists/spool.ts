import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { constants, createGzip, createZstdCompress } from 'node:zlib'

import { Failure } from '#domain/engine/failure'
import { FairShare } from '#http/edge/fair-share'
import type { Encoding } from '#http/request/negotiate'

const readBytes = 32 * 1024

/** The maximum number of bytes on disk of all spools of this process. */
const diskBytesMax = 4 * 1024 ** 3

/** The memory and the disk that the spools of all workspaces share. */
export class SpoolSpace {
  readonly memory: FairShare
  readonly disk = new FairShare(diskBytesMax)

  constructor(memoryBytes: number) {
    this.memory = new FairShare(memoryBytes)
  }
}

interface SpoolOptions {
  readonly workspaceId: string
  readonly space: SpoolSpace
}

/**
 * A buffered response, written at the speed of the database and read at the speed of each client.
 * It is in memory while there is space, else in an unlinked file, which the kernel deletes when the
 * process ends.
 */
export class Spool extends Writable {
  readonly #workspaceId: string
  readonly #space: SpoolSpace
  #memory: Buffer[] = []
  #file: FileHandle | null = null
  #bytes = 0

  constructor({ workspaceId, space }: SpoolOptions) {
    super()
    this.#workspaceId = workspaceId
    this.#space = space
  }

  get bytes(): number {
    return this.#bytes
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#store(chunk).then(() => done(), done)
  }

  /** Call it after the last reader has finished. */
  async dispose(): Promise<void> {
    this.#memory = []
    const space = this.#file === null ? this.#space.memory : this.#space.disk
    space.giveBack(this.#workspaceId, this.#bytes)
    this.#bytes = 0
    await this.#file?.close()
  }

  /** Each chunk is valid only until the next one is requested. */
  async *chunks(): AsyncGenerator<Buffer> {
    if (this.#file === null) {
      for (const chunk of this.#memory) yield* slices(chunk)
      return
    }
    for (let position = 0; position < this.#bytes;) {
      const buffer = Buffer.allocUnsafe(readBytes)
      const { bytesRead } = await this.#file.read(buffer, 0, readBytes, position)
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  async #store(chunk: Buffer): Promise<void> {
    const { memory } = this.#space
    if (this.#file === null && memory.take(this.#workspaceId, chunk.length)) {
      this.#memory.push(chunk)
      this.#bytes += chunk.length
      return
    }
    if (this.#file === null) await this.#spill()
    this.#takeDisk(chunk.length)
    this.#bytes += chunk.length
    await this.#file?.appendFile(chunk)
  }

  async #spill(): Promise<void> {
    this.#takeDisk(this.#bytes)
    const path = join(tmpdir(), `muster-${randomUUID()}`)
    this.#file = await open(path, 'wx+', 0o600)
    this.#space.memory.giveBack(this.#workspaceId, this.#bytes)
    await unlink(path)
    await this.#file.writev(this.#memory)
    this.#memory = []
  }

  #takeDisk(bytes: number): void {
    if (this.#space.disk.take(this.#workspaceId, bytes)) return
    throw new Failure('unavailable', 'Too many large lists are being sent at once.')
  }
}

function* slices(chunk: Buffer): Generator<Buffer> {
  for (let from = 0; from < chunk.length; from += readBytes) {
    yield chunk.subarray(from, from + readBytes)
  }
}

/** Fills a spool with what `produce` writes, compressed once for all readers. */
export async function fillSpool(
  encoding: Encoding,
  options: SpoolOptions,
  produce: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<Spool> {
  const spool = new Spool(options)
  const compressor = compressorFor(encoding)
  const input = compressor ?? spool
  const done = compressor ? pipeline(compressor, spool) : finished(spool)
  try {
    await Promise.race([produce((text) => write(input, text)), done])
    input.end()
    await done
    return spool
  } catch (error) {
    input.destroy()
    await done.catch(() => {})
    await spool.dispose()
    throw error
  }
}

function compressorFor(encoding: Encoding) {
  if (encoding === 'gzip') return createGzip({ level: 1 })
  if (encoding === 'zstd') {
    return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  }
  return null
}

function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
