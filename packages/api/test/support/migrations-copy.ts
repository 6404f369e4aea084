import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { atEnd } from '@muster/testing/at-end'

const migrations = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** A copy of the migrations with one file changed, removed when the test file ends. */
export function copyMigrations(file: string, change: (text: string) => string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'muster-migrations-'))
  atEnd(async () => rmSync(folder, { recursive: true }))
  cpSync(migrations, folder, { recursive: true })
  const path = join(folder, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  return pathToFileURL(`${folder}/`)
}
