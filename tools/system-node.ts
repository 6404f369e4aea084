import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The oldest releases of Node that the client (20) and the service (24) support. Not dependencies:
 * the gate fetches them for the tests.
 */
const releases = {
  20: {
    version: '20.10.0',
    x64: 'sha512-JXLEM726l5j6rkmekxJjtZV5a80HyQYjZFwOEB+PkuqqlOU07kAGuyS6cRMauQcdsl6Yis0PGzqgoEN1YtcXug==',
    arm64:
      'sha512-QFTAQhzku76mXRBLtzRznV5sJqi0DguBRfCBYq5uQlZbznZxOjU2pfndK33w+X8srATun9yak5hBJODjSTmqPg==',
  },
  24: {
    version: '24.21.0',
    x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    arm64:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
} as const
const root = fileURLToPath(new URL('../', import.meta.url))

export type Major = keyof typeof releases

const folderOf = (major: Major) => join(root, '.build', `node-${releases[major].version}`)

/** The path of this Node, or null if `tools/fetch-nodes.ts` has not fetched it. */
export function findNode(major: Major): string | null {
  const program = join(folderOf(major), 'package/bin/node')
  return existsSync(program) ? program : null
}

/** Fetches this Node from the registry of npm. */
export function fetchNode(major: Major): void {
  const { version, ...integrities } = releases[major]
  const folder = folderOf(major)
  mkdirSync(folder, { recursive: true })
  // The .npmrc of the project forbids packages by URL, which `npm pack` uses.
  const npm = (...args: string[]) => spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  const flags = ['--json', '--allow-remote=all']
  const { status, stdout, stderr } = npm('pack', `node-linux-${process.arch}@${version}`, ...flags)
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  const [packed] = JSON.parse(stdout) as { filename: string; integrity: string }[]
  if (packed === undefined || !Object.values<string>(integrities).includes(packed.integrity)) {
    throw new Error(`npm returned another package than Node ${version}`)
  }
  const archive = join(folder, packed.filename)
  spawnSync('tar', ['-xzf', archive, '-C', folder, 'package/bin/node'])
  rmSync(archive)
}

/**
 * Copies the project to a folder in which npm scripts use the Node of the PATH, as on a platform
 * without a bundled one. Its node_modules has the same packages except Node. The folder is outside
 * the project, because npm also looks for programs in the node_modules of parent folders.
 */
export function cloneWithoutNode(): string {
  const clone = mkdtempSync(join(tmpdir(), 'muster-clone-'))
  const isLeftOut = /[\\/](node_modules|\.git|\.build|\.dev|public)$/
  cpSync(root, clone, { recursive: true, filter: (path) => !isLeftOut.test(path) })
  const [from, to] = [join(root, 'node_modules'), join(clone, 'node_modules')]
  for (const part of ['.bin', '@muster']) {
    cpSync(join(from, part), join(to, part), { recursive: true, verbatimSymlinks: true })
  }
  rmSync(join(to, '.bin/node'))
  for (const name of readdirSync(from)) {
    if (name.startsWith('node-linux-') || existsSync(join(to, name))) continue
    symlinkSync(join(from, name), join(to, name))
  }
  return clone
}
