import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { Failure } from '#domain/engine/failure'
import { exportParts, type ExportPart } from '#domain/workspace/export'
import type { ExportSource, Lines } from '#domain/workspace/import'
import { parseJson } from '#http/request/json'
import { checkBody, compile } from '#http/request/validate'

import { exportFormat, fileOf, linesOf, type Manifest, PartChecksums } from './export-folder.ts'
import { manifestSchema } from './export-schemas.ts'
import { readLines } from './import-lines.ts'

/**
 * Opens an export, after the checksum of every file was compared with the manifest. Checksums find
 * damage only: who changes a file can change them, too. So every line is checked when it is read.
 */
export async function openExport(folder: string): Promise<ExportSource> {
  const manifest = await readManifest(folder)
  for (const part of exportParts) {
    const path = fileOf(folder, part)
    if (!(await isFile(path))) throw unusable(folder, `there is no file ${part}.ndjson.`)
    if ((await checksumOf(path)) === manifest.checksums[part]) continue
    throw unusable(folder, `${part}.ndjson does not have the checksum of the manifest.`)
  }
  const { workspace_id: workspaceId, checksums, ...exported } = manifest
  return {
    ...exported,
    workspaceId,
    batches: (part) => readBatches(folder, part, manifest),
    comparison: () => compareWith(checksums),
  }
}

const unusable = (folder: string, reason: string, cause?: unknown) =>
  new Failure('unavailable', `Cannot import from ${folder}: ${reason}`, { cause })

/** Not a device or a pipe, which may have no end. */
async function isFile(path: string, bytesMax = Infinity): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && found.isFile() && found.size <= bytesMax
}

/** Many times the size of a manifest. */
const manifestBytesMax = 64 * 1024

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json')
  const manifest = await parseManifest(path).catch((cause: unknown) => {
    throw unusable(folder, 'it has no readable manifest.json, so it is incomplete.', cause)
  })
  if (manifest.format !== exportFormat) {
    const found = JSON.stringify(manifest.format)?.slice(0, 20)
    const reason = `its format is ${found}, and this release reads ${exportFormat}.`
    throw unusable(folder, reason)
  }
  try {
    checkBody(compile(manifestSchema), manifest)
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause
    throw unusable(folder, `manifest.json: ${cause.message}`, cause)
  }
  return manifest
}

async function parseManifest(path: string): Promise<Manifest> {
  if (!(await isFile(path, manifestBytesMax))) throw new Failure('unavailable')
  const manifest = parseJson(await readFile(path))
  if (typeof manifest !== 'object' || manifest === null) throw new Failure('unavailable')
  // The cast holds because the format and the schema are checked by the caller.
  return manifest as Manifest
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path)) hash.update(bytes)
  return hash.digest('hex')
}

const batchLines = 500

async function* readBatches<P extends ExportPart>(
  folder: string,
  part: P,
  manifest: Manifest,
): AsyncGenerator<Lines[P][]> {
  let batch: Lines[P][] = []
  let count = 0
  try {
    for await (const line of readLines(part, fileOf(folder, part), manifest)) {
      count += 1
      batch.push(line)
      if (batch.length < batchLines) continue
      yield batch
      batch = []
    }
  } catch (error) {
    throw error instanceof Failure ? unusable(folder, error.message, error) : error
  }
  if (count !== manifest.counts[part]) {
    const counts = `${count} lines, and the manifest counts ${manifest.counts[part]}`
    throw unusable(folder, `${part}.ndjson has ${counts}.`)
  }
  if (batch.length > 0) yield batch
}

/** Hashes lines as an export writes them. */
function compareWith(expected: Manifest['checksums']) {
  const checksums = new PartChecksums()
  return {
    take: async (part: ExportPart, items: readonly object[]) => checksums.add(part, linesOf(items)),
    differing: () => {
      const digests = checksums.digests()
      return exportParts.filter((part) => digests[part] !== expected[part])
    },
  }
}
