import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** An import of one file by another. Both paths are relative to the source folder. */
export interface FileImport {
  readonly from: string
  readonly to: string
}

const specifiers = /\b(?:from|import)\s*\(?\s*'([#.][^']*)'/g

/** The imports of all files in `src` of a package, also those of types. */
export function importsOf(packageFolder: string): FileImport[] {
  const source = join(packageFolder, 'src')
  const manifest = readFileSync(join(packageFolder, 'package.json'), 'utf8')
  const { imports } = JSON.parse(manifest) as { imports: Record<string, string> }
  return globSync('**/*.{ts,tsx}', { cwd: source }).flatMap((from) => {
    const text = readFileSync(join(source, from), 'utf8')
    return Array.from(text.matchAll(specifiers), ([, specifier = '']) => {
      const path = specifier.startsWith('#')
        ? join(packageFolder, targetOf(specifier, imports))
        : join(source, dirname(from), specifier)
      if (!existsSync(path)) throw new Error(`${from} imports ${specifier}, which does not exist`)
      return { from, to: relative(source, path) }
    })
  })
}

/** The file of a specifier such as `#domain/people/personnel`, by the `imports` of the package. */
function targetOf(specifier: string, imports: Readonly<Record<string, string>>): string {
  for (const [pattern, target] of Object.entries(imports)) {
    const [before = '', after] = pattern.split('*')
    if (after === undefined && specifier === pattern) return target
    if (after !== undefined && specifier.startsWith(before)) {
      return target.replace('*', specifier.slice(before.length))
    }
  }
  throw new Error(`${specifier} is not in the imports of package.json`)
}

/** The folders that import each other, directly or through others, with the files that do. */
export interface Circle {
  readonly folders: readonly string[]
  readonly imports: readonly FileImport[]
}

export function circlesOf(imports: readonly FileImport[]): Circle[] {
  const between = imports.filter(({ from, to }) => dirname(from) !== dirname(to))
  const next = Map.groupBy(between, ({ from }) => dirname(from))
  const reached = new Map(Array.from(next.keys(), (folder) => [folder, reachedFrom(folder, next)]))
  const isMutual = (one: string, other: string) =>
    reached.get(one)?.has(other) === true && reached.get(other)?.has(one) === true
  const inCircle = [...reached.keys()].filter((folder) => isMutual(folder, folder)).toSorted()
  const groups = Map.groupBy(inCircle, (folder) => inCircle.find((each) => isMutual(each, folder)))
  return Array.from(groups.values(), (folders) => ({
    folders,
    imports: between.filter(
      ({ from, to }) => folders.includes(dirname(from)) && folders.includes(dirname(to)),
    ),
  }))
}

function reachedFrom(folder: string, next: ReadonlyMap<string, readonly FileImport[]>) {
  const reached = new Set<string>()
  const pending = [folder]
  for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
    for (const { to } of next.get(from) ?? []) {
      if (reached.has(dirname(to))) continue
      reached.add(dirname(to))
      pending.push(dirname(to))
    }
  }
  return reached
}

/** The folders of a circle, then each of its imports. */
export const describeCircle = ({ folders, imports }: Circle) =>
  [folders.join(', '), ...imports.map(({ from, to }) => `  ${from} imports ${to}`)].join('\n')
