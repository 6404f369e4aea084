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

/** The oldest supported release of Node. Not a dependency: the gate fetches it for the tests. */
const version = '24.21.0'
const integrity =
  'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=='
const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, '.build', `node-${version}`)
const program = join(folder, 'package/bin/node')

/** The path of Node 24, or null if `tools/fetch-node24.ts` has not fetched it. */
export const findNode24 = (): string | null => (existsSync(program) ? program : null)

/** Fetches Node 24 from the registry of npm. */
export function fetchNode24(): void {
  mkdirSync(folder, { recursive: true })
  // The .npmrc of the project forbids packages by URL, which `npm pack` uses.
  const npm = (...args: string[]) => spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  const flags = ['--json', '--allow-remote=all']
  const { status, stdout, stderr } = npm('pack', `node-linux-${process.arch}@${version}`, ...flags)
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  const [packed] = JSON.parse(stdout) as { filename: string; integrity: string }[]
  if (packed === undefined || (process.arch === 'x64' && packed.integrity !== integrity)) {
    throw new Error(`npm returned another package than ${integrity}`)
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
