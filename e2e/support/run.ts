import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'

import { removePictures } from './screenshots.ts'

const worker = fileURLToPath(new URL('worker.ts', import.meta.url))

/** Runs the files in this many workers; each takes the next file when it has finished one. */
async function runFiles(count: number, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  const claims = mkdtempSync(join(tmpdir(), 'muster-e2e-'))
  const events = run({
    files: Array.from({ length: Math.min(count, files.length) }, () => worker),
    concurrency: count,
    argv: [claims, ...files],
  })
  events.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1
  })
  for await (const line of events.compose(spec)) process.stdout.write(line)
  rmSync(claims, { recursive: true })
}

removePictures()

/** The longest file comes first, so that the workers end at about the same time. */
const isLongest = (file: string) => file.endsWith('/every-page.test.ts')

const given = process.argv.slice(2)
const files = [...given.filter(isLongest), ...given.filter((file) => !isLongest(file))]
const isAlone = (file: string) => file.endsWith('.alone.test.ts')
await runFiles(
  Math.min(4, availableParallelism()),
  files.filter((file) => !isAlone(file)),
)
// Tests that measure run one at a time, after the others.
await runFiles(1, files.filter(isAlone))
