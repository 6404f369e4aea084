import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

interface Lock extends Manifest {
  packages: Record<string, Manifest>
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const writeJson = (path: string, value: unknown) =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

/** Files with the version in their text, beside package.json and the lockfile. */
const stamped: Readonly<Record<string, RegExp>> = {
  Containerfile: /(?<=^LABEL org\.opencontainers\.image\.version=)\S+$/m,
  'deploy/kubernetes/kustomization.yaml': /(?<=^ {4}newTag: )\S+$/m,
  'packages/contract/openapi.json': /(?<=^ {4}"title": "Muster",\n {4}"version": ")[^"]+/m,
}

/** The version of this working tree: that of package.json. All other files repeat it. */
export const currentVersion = () => (readJson('package.json') as Manifest).version

/** The folders of all packages. The root is the empty one. */
const folders = () => [
  '',
  ...globSync('packages/*/package.json').map((path) =>
    path.slice(0, -'/package.json'.length).replaceAll('\\', '/'),
  ),
]

const ownDependencies = ({ dependencies, devDependencies }: Manifest) =>
  [dependencies, devDependencies].flatMap((each) =>
    Object.entries(each ?? {}).filter(([name]) => name.startsWith('@muster/')),
  )

/** Every place that states the version, with what it states. */
export function statedVersions(): Map<string, string | undefined> {
  const stated = new Map<string, string | undefined>()
  const lock = readJson('package-lock.json') as Lock
  stated.set('package-lock.json', lock.version)
  for (const folder of folders()) {
    const path = join(folder, 'package.json')
    const manifest = readJson(path) as Manifest
    stated.set(path, manifest.version)
    stated.set(`package-lock.json: ${path}`, lock.packages[folder]?.version)
    for (const [name, version] of ownDependencies(manifest)) stated.set(`${path}: ${name}`, version)
  }
  for (const [path, pattern] of Object.entries(stamped)) {
    stated.set(path, pattern.exec(readFileSync(path, 'utf8'))?.[0])
  }
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  stated.set('CHANGELOG.md', /^## \[(\d[^\]]*)\]/m.exec(changelog)?.[1])
  return stated
}

/** Sets the version of a package, and of the packages of this repository that it depends on. */
function setVersion(manifest: Manifest, version: string): void {
  Object.assign(manifest, { version })
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(dependencies ?? {})) {
      if (name.startsWith('@muster/')) Object.assign(dependencies ?? {}, { [name]: version })
    }
  }
}

/** Writes the version to every file but the changelog. Returns a reason why it cannot, or null. */
export function setVersions(version: string): string | null {
  const lock = readJson('package-lock.json') as Lock
  Object.assign(lock, { version })
  for (const folder of folders()) {
    const path = join(folder, 'package.json')
    const manifest = readJson(path) as Manifest
    const locked = lock.packages[folder]
    if (!locked) return `package-lock.json has no ${folder}. Run npm install.`
    for (const each of [manifest, locked]) setVersion(each, version)
    writeJson(path, manifest)
  }
  writeJson('package-lock.json', lock)
  for (const [path, pattern] of Object.entries(stamped)) {
    writeFileSync(path, readFileSync(path, 'utf8').replace(pattern, version))
  }
  return null
}
