import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { packClient } from './client-package.ts'
import { writeReleased } from './compatibility/released.ts'
import { currentVersion, setVersions } from './version.ts'

/**
 * `npm run release -- 0.2.0`: sets the version, dates the changelog, writes the client package and
 * the SBOM to `.build/release`, builds the image, commits and tags. Publishes nothing: see
 * RELEASING.md.
 *
 * - `--dry-run` checks the same conditions, lists the steps and changes nothing.
 * - `--no-image` leaves out the image.
 * - `--next` starts the work on a version: sets it and names its section, and does nothing else.
 */
const { values, positionals } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    image: { type: 'boolean', default: true },
    next: { type: 'boolean', default: false },
  },
  allowPositionals: true,
  allowNegative: true,
})

/** A reason not to release, for one line of output. */
class Refusal extends Error {}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const writeJson = (path: string, value: unknown) =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

/** Whether one version of three numbers is greater than another. */
function isAfter(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => each.split('.').map(Number))
  const index = [0, 1, 2].find((each) => a?.[each] !== b?.[each]) ?? 0
  return (a?.[index] ?? 0) > (b?.[index] ?? 0)
}

/** The changelog with a date for this version, or null without an entry to release. */
function dateChangelog(changelog: string, version: string): string | null {
  const named = version.replaceAll('.', String.raw`\.`)
  const heading = new RegExp(String.raw`^## \[(?:Unreleased|${named}\] - Unreleased)\]?$`, 'm')
  const [, section] = changelog.split(heading)
  if (!section || !/^- /m.test(section.split(/^## /m)[0] ?? '')) return null
  const today = new Date().toISOString().slice(0, 10)
  return changelog.replace(heading, `## [Unreleased]\n\n## [${version}] - ${today}`)
}

/** The reason why this version cannot be released from this working tree, or null. */
function findObstacle(version: string): string | null {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return 'Name a version: npm run release -- 0.2.0'
  const current = currentVersion()
  if (isAfter(current, version)) return `The version must not be before ${current}.`
  const branch = git('branch', '--show-current')
  if (branch !== 'main') return `A release is made on main, not on ${branch}.`
  if (git('status', '--porcelain') !== '') return 'Commit or remove all changes first.'
  if (git('tag', '--list', `v${version}`) !== '') return `The tag v${version} exists.`
  return dateChangelog(readFileSync('CHANGELOG.md', 'utf8'), version)
    ? null
    : 'CHANGELOG.md has no entry under Unreleased.'
}

interface Sbom {
  metadata: { component: { 'bom-ref': string; name: string } }
  components: { 'bom-ref': string; properties: { name: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Writes the packages that the service and the console contain, in CycloneDX. `npm sbom --omit=dev`
 * also omits packages that a development dependency shares, such as pg, so the list is filtered.
 */
function writeSbom(path: string): void {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  const output = execFileSync('npm', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  })
  const sbom = JSON.parse(output.toString()) as Sbom
  const { component } = sbom.metadata
  // npm uses the name of the folder.
  component.name = 'muster'
  const isDevelopment = 'cdx:npm:package:development'
  sbom.components = sbom.components.filter(
    ({ properties }) => !properties.some(({ name }) => name === isDevelopment),
  )
  const shipped = new Set([component, ...sbom.components].map((each) => each['bom-ref']))
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((each) => shipped.has(each)),
    }))
  writeJson(path, sbom)
}

/** The command that builds the image, or null where no builder runs. */
function imageCommand(version: string): string[] | null {
  const rest = ['--file', 'Containerfile', '--tag', `muster:${version}`, '.']
  // The default format of podman has no HEALTHCHECK.
  const builders = [
    ['podman', 'build', '--format', 'docker', ...rest],
    ['docker', 'build', ...rest],
  ]
  const isUsable = ([name = '']: string[]) => spawnSync(name, ['info']).status === 0
  return builders.find(isUsable) ?? null
}

function buildImage(command: string[] | null): void {
  const [name, ...args] = command ?? []
  if (name) execFileSync(name, args, { stdio: 'inherit' })
}

function setEveryVersion(version: string): void {
  const reason = setVersions(version)
  if (reason) throw new Refusal(reason)
}

/** Sets the version of the next release. Its section of the changelog gets the number. */
function startNext(version: string): void {
  if (!isAfter(version, currentVersion())) {
    throw new Refusal(`The version must be later than ${currentVersion()}.`)
  }
  setEveryVersion(version)
  const heading = `## [${version}] - Unreleased`
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  writeFileSync('CHANGELOG.md', changelog.replace(/^## \[Unreleased\]$/m, heading))
  console.log(`The next version is ${version}. Review the diff and commit it.`)
}

function release(version: string, image: string[] | null): void {
  const folder = resolve('.build/release', version)
  mkdirSync(folder, { recursive: true })
  try {
    setEveryVersion(version)
    const changelog = dateChangelog(readFileSync('CHANGELOG.md', 'utf8'), version)
    if (changelog) writeFileSync('CHANGELOG.md', changelog)
    writeReleased()
    console.log(`Wrote ${packClient(folder)}.`)
    writeSbom(join(folder, 'sbom.cdx.json'))
    console.log(`Wrote ${join(folder, 'sbom.cdx.json')}.`)
    buildImage(image)
    git('commit', '--quiet', '--all', '--message', `repo: release ${version}`)
    git('tag', '--annotate', `v${version}`, '--message', `Muster ${version}`)
  } catch (error) {
    // The tree was clean before.
    git('reset', '--quiet', '--hard')
    throw error
  }
}

function main(): void {
  const [version = ''] = positionals
  if (values.next) return startNext(version)
  const obstacle = findObstacle(version)
  if (obstacle) throw new Refusal(obstacle)
  const image = values.image ? imageCommand(version) : null
  const imageStep = image?.join(' ') ?? `no image: ${values.image ? 'no builder runs' : 'left out'}`
  if (values['dry-run']) {
    console.log(`Version ${version} can be released. These steps were not run:`)
    for (const step of [
      `set ${version} in every file that states the version`,
      'date the section of CHANGELOG.md',
      'write released.json of the contract',
      `write the client package and the SBOM to .build/release/${version}`,
      imageStep,
      `commit, and tag v${version}`,
    ]) {
      console.log(`  ${step}`)
    }
    return
  }
  release(version, image)
  console.log(`Released ${version} locally (${imageStep}). RELEASING.md lists how to publish it:`)
  console.log(`  git push origin main v${version}`)
}

try {
  main()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 1
}
