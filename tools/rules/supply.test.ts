import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface Locked {
  version?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string[]
  hasInstallScript?: boolean
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

interface Manifest {
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const root = new URL('../../', import.meta.url)
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
const { packages: locked } = read('package-lock.json') as { packages: Record<string, Locked> }
const floor = read('security-floor.json') as {
  checked_on: string
  floors: Record<string, { minimum: string }>
}
const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? path
const installed = Object.entries(locked).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)

/** The transitive production dependencies of a package, resolved like npm. */
function production(of = 'packages/api'): Map<string, Locked> {
  const found = new Map<string, Locked>()
  const visit = (from: string, name: string): void => {
    const path = resolve(from, name)
    const entry = path && locked[path]
    if (!path || !entry || found.has(path)) return
    const target = entry.link ? `packages/${name.split('/').at(-1)}` : path
    found.set(path, entry)
    const wanted = { ...locked[target]?.dependencies, ...locked[target]?.optionalDependencies }
    for (const each of Object.keys(wanted)) visit(target, each)
  }
  for (const name of Object.keys(locked[of]?.dependencies ?? {})) visit(of, name)
  return found
}

/** Finds a package in the nearest node_modules, upwards. */
function resolve(from: string, name: string): string | null {
  const here = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (locked[here]) return here
  if (from === '') return null
  const up = from.includes('/node_modules/')
    ? from.slice(0, from.lastIndexOf('/node_modules/'))
    : ''
  return resolve(up === from ? '' : up, name)
}

const isAtLeast = (version: string, minimum: string): boolean => {
  const [a, b] = [version, minimum].map((each) => each.split('.').map((part) => parseInt(part, 10)))
  for (const [index, part] of (b ?? []).entries()) {
    const have = a?.[index] ?? 0
    if (have !== part) return have > part
  }
  return true
}

test('no package is older than the security floor', (t) => {
  for (const [name, { minimum }] of Object.entries(floor.floors)) {
    const versions = installed.filter(([path]) => nameOf(path) === name)
    assert.ok(versions.length > 0, `${name} has a floor but is not installed`)
    for (const [path, { version = '' }] of versions) {
      assert.ok(
        isAtLeast(version, minimum),
        `${path} is ${version}, but must be at least ${minimum}`,
      )
    }
  }
  const days = (Date.now() - Date.parse(floor.checked_on)) / 86_400_000
  if (days > 90) t.diagnostic(`security-floor.json was last checked ${Math.floor(days)} days ago`)
})

test('the comparison of versions detects an older one', () => {
  assert.ok(isAtLeast('5.12.8', '5.12.5'))
  assert.ok(!isAtLeast('5.12.4', '5.12.5'))
  assert.ok(!isAtLeast('4.99.99', '5.0.0'))
  assert.ok(isAtLeast('10.0.0', '9.9.9'))
})

test('the API has at most 117 production packages, without install scripts', (t) => {
  const packages = [...production()]
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
  assert.deepEqual(
    scripted.map(([path]) => path),
    [],
  )
  assert.ok(packages.length > 40, 'the count itself works')
  assert.ok(packages.length <= 117, `${packages.length} packages`)
  t.diagnostic(`${packages.length} production packages, 0 install scripts`)
})

test('every package is locked with an integrity hash', () => {
  const loose = installed.filter(([, { integrity }]) => !integrity).map(([path]) => path)
  assert.deepEqual(loose, [])
})

test('the lockfile contains all dependencies for every platform', () => {
  for (const [path, { dependencies, optionalDependencies }] of installed) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      assert.ok(
        resolve(path, name),
        `${path} depends on ${name}. Delete node_modules and the lockfile, and run npm install`,
      )
    }
  }
})

test('npm leaves the bundled Node out where it does not run', () => {
  for (const arch of ['x64', 'arm64']) {
    const { os, cpu, libc, optional } = locked[`node_modules/node-linux-${arch}`] ?? {}
    // Its package does not name the C library. Without this field Alpine gets a Node that fails.
    const advice = `Add "libc": ["glibc"] to node-linux-${arch} in the lockfile`
    assert.deepEqual([os, cpu, libc, optional], ['linux', arch, ['glibc'], true], advice)
  }
})

/** OFL-1.1 is the licence of the font: it may be shipped with software of any licence. */
const licences = /^\(?(MIT|ISC|Apache-2\.0|BSD-\d-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|OFL-1\.1)\b/

test('every package shipped in the API and the console has a permissive licence', () => {
  const shipped = [...production(), ...production('packages/console')]
  const odd = shipped
    .filter(([, { link, license = '' }]) => !link && !licences.test(license))
    .map(([path, { license }]) => `${path}: ${license}`)
  assert.deepEqual(odd, [])
})

test('every dependency is pinned to one version', () => {
  const own = Object.keys(locked).filter((path) => !path.includes('node_modules/'))
  assert.ok(own.length > 4, 'all workspace packages are checked')
  for (const folder of own) {
    const path = folder === '' ? 'package.json' : `${folder}/package.json`
    const { dependencies, devDependencies, optionalDependencies } = read(path) as Manifest
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    })) {
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${path}: ${name}`)
    }
  }
})

test('install scripts are off, and package.json has at most fourteen scripts', () => {
  const npmrc = readFileSync(new URL('.npmrc', root), 'utf8')
  for (const line of ['ignore-scripts=true', 'save-exact=true', 'allow-git=none']) {
    assert.ok(npmrc.split('\n').includes(line), line)
  }
  assert.ok(Object.keys((read('package.json') as Manifest).scripts ?? {}).length <= 14)
})
