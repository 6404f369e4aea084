import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Checks a commit out into a temporary folder. The caller must remove it. */
export function addWorktree(ref: string): string {
  const tree = mkdtempSync(join(tmpdir(), 'muster-base-'))
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
