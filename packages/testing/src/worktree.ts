import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const build = join(root, '.build')

/**
 * Checks a commit out into a temporary folder. The caller must remove it. The folder is below this
 * one, because the compiler names types by packages that it finds in a folder above.
 */
export function addWorktree(ref: string): string {
  mkdirSync(build, { recursive: true })
  const tree = mkdtempSync(join(build, 'muster-base-'))
  execFileSync('git', ['worktree', 'add', '--detach', tree, ref], { cwd: root, stdio: 'ignore' })
  linkPackages(tree)
  return tree
}

export function removeWorktree(tree: string): void {
  execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: root })
}

/** Links the packages of the worktree, and the installed dependencies of this one. */
function linkPackages(tree: string): void {
  const [linked, all] = [join(tree, 'node_modules'), join(root, 'node_modules')]
  mkdirSync(join(linked, '@muster'), { recursive: true })
  for (const name of readdirSync(all)) {
    if (name !== '@muster') symlinkSync(join(all, name), join(linked, name))
  }
  for (const name of readdirSync(join(tree, 'packages'))) {
    symlinkSync(join(tree, 'packages', name), join(linked, '@muster', name))
  }
}
