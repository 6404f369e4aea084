import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'

import { claimOf, inOrder, needsOwnProcess } from './test-files.ts'

/**
 * `node tools/run-files.ts COUNT FILE…` runs test files, and then lists those that took longest.
 * Up to COUNT processes run at once; each takes the next file when it has finished one.
 */
const [count = '', ...files] = process.argv.slice(2)
const worker = fileURLToPath(new URL('test-worker.ts', import.meta.url))
const claims = mkdtempSync(join(tmpdir(), 'muster-tests-'))
const own = files.filter(needsOwnProcess).length
const processes = own + Math.min(Number(count), files.length - own)

const events = run({
  files: Array.from({ length: processes }, () => worker),
  concurrency: Number(count),
  argv: [claims, ...inOrder(files)],
})
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
for await (const line of events.compose(spec)) process.stdout.write(line)

/** What the processes state about each file that ended. */
const ended = files.flatMap((file) => {
  const path = join(claimOf(claims, file), 'took.json')
  if (!existsSync(path)) return []
  const took = JSON.parse(readFileSync(path, 'utf8')) as { seconds: number; cpuSeconds: number }
  return [{ file, ...took }]
})
rmSync(claims, { recursive: true })

console.log('Slowest files, with the CPU time of their process:')
for (const each of ended.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  const { file, seconds, cpuSeconds } = each
  console.log(`${seconds.toFixed(1).padStart(7)} s ${cpuSeconds.toFixed(1).padStart(6)} s  ${file}`)
}
const isEnded = new Set(ended.map(({ file }) => file))
const others = files.filter((file) => !isEnded.has(file))
if (others.length > 0) {
  console.error(`Not finished: ${others.join(', ')}`)
  process.exitCode = 1
}
