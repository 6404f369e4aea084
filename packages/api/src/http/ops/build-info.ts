import { readFileSync } from 'node:fs'

import { version } from '@muster/contract'
import { Gauge, type Registry } from 'prom-client'

const root = new URL('../../../../../', import.meta.url)

/** Adds `muster_build_info`, which is always 1: its labels name the release of the process. */
export function addBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'muster_build_info',
    help: 'The release of this process: version, commit if known, and version of Node.',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
  }).set({ version, commit: readCommit() ?? 'unknown', node: process.version }, 1)
}

/** The commit of a git checkout; null elsewhere, such as in a container image. */
function readCommit(): string | null {
  const read = (name: string) => readFileSync(new URL(`.git/${name}`, root), 'utf8').trim()
  try {
    const head = read('HEAD')
    if (!head.startsWith('ref: ')) return head
    const ref = head.slice('ref: '.length)
    try {
      return read(ref)
    } catch {
      // git gc moves branches to one file, with lines of commit and name.
      const line = read('packed-refs')
        .split('\n')
        .find((each) => each.endsWith(` ${ref}`))
      return line?.split(' ')[0] ?? null
    }
  } catch {
    return null
  }
}
