import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'muster-release-'))
const clone = join(folder, 'muster')
after(() => rmSync(folder, { recursive: true }))

const { NODE_TEST_CONTEXT: _, ...env } = process.env
const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', env }).trim()
const git = (...args: string[]) => gitIn(clone, ...args)
const read = (path: string) => readFileSync(join(clone, path), 'utf8')

const changelog = `# Changelog

## [9.9.9] - Unreleased

### Added

- A release.

## [0.1.0] - 2026-11-15

### Added

- The beginning.
`

/** A repository with the files of this working tree and this changelog in one commit. */
function createClone(): void {
  const files = gitIn(root, 'ls-files', '--cached', '--others', '--exclude-standard').split('\n')
  for (const file of files) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(root, file), join(clone, file))
  }
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog)
  writeFileSync(join(clone, 'packages/contract/breaking-changes.json'), '{ "A change": "" }\n')
  writeFileSync(join(clone, 'packages/contract/released.json'), '{}\n')
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Release')
  git('config', 'user.email', 'release@example.com')
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n')
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  git('add', '--all')
  git('commit', '--quiet', '--message', 'repo: start')
}

function release(...args: string[]) {
  const script = join(root, 'tools/release.ts')
  const options = { cwd: clone, encoding: 'utf8', env } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options)
  return { status, stdout, stderr: stderr.replaceAll(/^npm warn .*\n/gm, '') }
}

createClone()

test('refuses what cannot be released, in one line', () => {
  const refusal = (...args: string[]) => {
    const { status, stderr } = release(...args)
    assert.equal(status, 1, stderr)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
    return stderr
  }
  assert.match(refusal(), /Name a version/)
  assert.match(refusal('next'), /Name a version/)
  assert.match(refusal('0.0.9'), /must not be before/)
  git('tag', 'v9.8.0')
  assert.match(refusal('9.8.0'), /tag v9\.8\.0 exists/)
  git('switch', '--quiet', '--create', 'topic')
  assert.match(refusal('9.9.9'), /on main, not on topic/)
  git('switch', '--quiet', 'main')
  writeFileSync(join(clone, 'new.txt'), '')
  assert.match(refusal('9.9.9'), /Commit or remove all changes/)
  rmSync(join(clone, 'new.txt'))
})

test('a release that fails leaves the working tree as it was', () => {
  mkdirSync(join(clone, 'packages/extra'))
  writeFileSync(join(clone, 'packages/extra/package.json'), '{ "version": "0.1.0" }\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'repo: add a package without npm install')
  const { status, stderr } = release('9.9.9', '--no-image')
  assert.equal(status, 1)
  assert.match(stderr, /package-lock\.json has no packages\/extra/)
  assert.equal(git('status', '--porcelain'), '')
  assert.equal(git('tag', '--list', 'v9.9.9'), '')
  git('reset', '--quiet', '--hard', 'HEAD~1')
})

test('a dry run lists the steps and changes nothing', () => {
  const before = git('rev-parse', 'HEAD')
  const { status, stdout } = release('9.9.9', '--dry-run', '--no-image')
  assert.equal(status, 0)
  assert.match(stdout, /9\.9\.9 can be released/)
  assert.match(stdout, /tag v9\.9\.9/)
  assert.equal(git('status', '--porcelain'), '')
  assert.equal(git('rev-parse', 'HEAD'), before)
  assert.equal(git('tag', '--list', 'v9.9.9'), '')
})

test('a release sets all versions, dates the changelog, commits and tags', () => {
  const { status, stdout, stderr } = release('9.9.9', '--no-image')
  assert.equal(status, 0, stderr)
  assert.match(stdout, /git push origin main v9\.9\.9/)
  assert.equal(git('status', '--porcelain'), '')
  assert.equal(git('rev-parse', 'v9.9.9^{commit}'), git('rev-parse', 'HEAD'))
  for (const path of ['package.json', ...globSync('packages/*/package.json', { cwd: clone })]) {
    assert.match(read(path), /"version": "9\.9\.9"/, path)
    assert.doesNotMatch(read(path), /"@muster\/\w+": "(?!9\.9\.9)/, path)
  }
  assert.match(read('Containerfile'), /image\.version=9\.9\.9$/m)
  assert.match(read('deploy/kubernetes/kustomization.yaml'), /newTag: 9\.9\.9$/m)
  const { info } = JSON.parse(read('packages/contract/openapi.json')) as { info: object }
  assert.equal('version' in info && info.version, '9.9.9')
  const today = new Date().toISOString().slice(0, 10)
  const released = changelog.replace('9.9.9] - Unreleased', `Unreleased]\n\n## [9.9.9] - ${today}`)
  assert.equal(read('CHANGELOG.md'), released)
  assert.equal(read('packages/contract/breaking-changes.json'), '{}\n')
  assert.match(read('packages/contract/released.json'), /^"\/v1\/personnel": \{"get"/m)
})

test('the next release needs an entry under Unreleased', () => {
  const next = () => release('9.9.10', '--dry-run', '--no-image')
  assert.match(next().stderr, /no entry under Unreleased/)
  const entry = '## [Unreleased]\n\n### Fixed\n\n- The release.'
  const withEntry = read('CHANGELOG.md').replace('## [Unreleased]', entry)
  writeFileSync(join(clone, 'CHANGELOG.md'), withEntry)
  git('commit', '--quiet', '--all', '--message', 'repo: fix the release')
  assert.equal(next().status, 0)
})

test('starts the work on the next version without a commit', () => {
  const before = git('rev-parse', 'HEAD')
  assert.match(release('9.9.9', '--next').stderr, /must be later than 9\.9\.9/)
  assert.equal(release('9.10.0', '--next').status, 0)
  assert.match(read('CHANGELOG.md'), /^## \[9\.10\.0\] - Unreleased$/m)
  assert.match(read('packages/api/package.json'), /"@muster\/contract": "9\.10\.0"/)
  assert.equal(git('rev-parse', 'HEAD'), before)
  git('reset', '--quiet', '--hard')
})

test('npm accepts the lock file of a release', () => {
  const args = ['ls', '--package-lock-only', '--all', '--json']
  const { status, stdout } = spawnSync('npm', args, { cwd: clone, encoding: 'utf8', env })
  assert.equal(status, 0, stdout)
})

test('the SBOM has the packages that ship, and no others', () => {
  const sbom = JSON.parse(read('.build/release/9.9.9/sbom.cdx.json')) as {
    bomFormat: string
    metadata: { component: { name: string; version: string } }
    components: { purl: string }[]
  }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version: string; dev?: boolean; link?: boolean }>
  }
  assert.equal(sbom.bomFormat, 'CycloneDX')
  assert.equal(sbom.metadata.component.name, 'muster')
  assert.equal(sbom.metadata.component.version, '9.9.9')
  const shipped = Object.entries(packages)
    .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    .map(([path, { version }]) => {
      const name = path.split('node_modules/').at(-1)?.replace('packages/', '@muster/') ?? ''
      return `pkg:npm/${name.replace('@', '%40')}@${version}`
    })
  assert.ok(shipped.length > 100, `${shipped.length} packages`)
  assert.deepEqual(new Set(sbom.components.map(({ purl }) => purl)), new Set(shipped))
})

const user = join(folder, 'user')
const archive = join(clone, '.build/release/9.9.9/muster-client-9.9.9.tgz')

const isLong = process.env['MUSTER_LONG'] === '1'

/** Installs the archive: with npm, or without the registry by unpacking it. */
function install(): void {
  const modules = join(user, 'node_modules')
  const client = join(modules, '@muster/client')
  mkdirSync(client, { recursive: true })
  writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }')
  if (isLong) {
    rmSync(modules, { recursive: true })
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', archive], { cwd: user, env })
  } else {
    execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', client])
  }
  symlinkSync(join(root, 'node_modules/@types'), join(modules, '@types'))
}

const program = `
import { createClient } from '@muster/client'
const fetch = async (url, { headers }) =>
  Response.json({ data: [url.href, headers.authorization], next_cursor: null })
const client = createClient({ base: 'http://muster.test', key: 'k', fetch })
console.log(JSON.stringify((await client.risks.list({ query: { level: 'high' } })).data))
`

test('the client package runs and has types where it is installed', () => {
  install()
  const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n')
  for (const name of ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']) {
    assert.ok(listed.includes(`package/${name}`), name)
  }
  assert.deepEqual(
    listed.filter((path) => /(?<!\.d)\.ts$|tsbuildinfo|\/test\//.test(path)),
    [],
  )

  writeFileSync(join(user, 'program.js'), program)
  const output = execFileSync(process.execPath, ['program.js'], { cwd: user, env })
  assert.deepEqual(JSON.parse(output.toString()), [
    'http://muster.test/v1/risks?level=high',
    'Bearer k',
  ])

  const [, example = ''] = /```ts\n([\s\S]+?)```/.exec(read('packages/client/README.md')) ?? []
  writeFileSync(join(user, 'example.ts'), example)
  writeFileSync(join(user, 'wrong.ts'), example.replace("'critical'", "'terrible'"))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node']
  const files = [...(isLong ? [] : ['--skipLibCheck']), 'example.ts', 'wrong.ts']
  const types = spawnSync(process.execPath, [tsc, ...flags, ...files], { cwd: user, env })
  assert.match(types.stdout.toString(), /^wrong\.ts\(\d+,\d+\): error .*"terrible".*\n$/)
})
