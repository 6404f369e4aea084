import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { constants, createGzip, createZstdCompress } from 'node:zlib'

import { Failure } from '#domain/engine/failure'
import type { Encoding } from '#http/request/negotiate'

const memoryBytesMax = 8 * 1024 * 1024
const readBytes = 32 * 1024

/** The maximum number of bytes on disk of all spools of this process. */
const diskBytesMax = 4 * 1024 ** 3
let diskBytes = 0

/**
 * A buffered response, written at the speed of the database and read at the speed of each client.
 * Up to 8 MiB are in memory. A larger one is in an unlinked file, which the kernel deletes when the
 * process ends.
 */
export class Spool extends Writable {
  #memory: Buffer[] = []
  #file: FileHandle | null = null
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#store(chunk).then(() => done(), done)
  }

  /** Call it after the last reader has finished. */
  async dispose(): Promise<void> {
    this.#memory = []
    if (this.#file === null) return
    diskBytes -= this.#bytes
    await this.#file.close()
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
    this.#bytes += chunk.length
    if (this.#file === null && this.#bytes <= memoryBytesMax) {
      this.#memory.push(chunk)
      return
    }
    if (this.#file === null) await this.#spill()
    else diskBytes += chunk.length
    if (diskBytes > diskBytesMax)
      throw new Failure('unavailable', 'Too many large lists are being sent at once.')
    await this.#file?.appendFile(chunk)
  }

  async #spill(): Promise<void> {
    const path = join(tmpdir(), `muster-${randomUUID()}`)
    this.#file = await open(path, 'wx+', 0o600)
    await unlink(path)
    diskBytes += this.#bytes
    await this.#file.writev(this.#memory)
    this.#memory = []
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
  produce: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<Spool> {
  const spool = new Spool()
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
