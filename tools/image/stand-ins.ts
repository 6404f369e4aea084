import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

import { build, folder, podman, root, succeeds } from './podman.ts'

/**
 * Writes a copy of a file in which official images have no digest, and returns its path. A stand-in
 * cannot have the digest of the official image.
 */
export function withoutDigests(name: string, change = (text: string) => text): string {
  const text = readFileSync(root + name, 'utf8').replaceAll(/@sha256:[0-9a-f]{64}/g, '')
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}`, change(text))
  return `${folder}/${name}`
}

const containerfile = withoutDigests('Containerfile')

/** Builds a target of the Containerfile on the stand-ins. */
export const buildTarget = (tag: string, target: string) =>
  build(tag, `--file=${containerfile}`, `--target=${target}`, '.')

/** The name of an official image in the Containerfile, without its digest. */
function officialImage(kind: string): string {
  const names = readFileSync(containerfile, 'utf8').match(/docker\.io\/library\/\S+/g)
  const name = names?.find((each) => each.includes(`/${kind}:`))
  assert.ok(name, `the Containerfile has no image ${kind}`)
  return name
}

export const debian = officialImage('debian')
const node = officialImage('node')

/** Makes an image of this name unless an earlier run did. */
async function makeOnce(name: string, make: () => Promise<unknown>): Promise<void> {
  if (!(await succeeds('image', 'exists', name))) await make()
}

/** Makes the official images of the Containerfile from Debian packages, and the Node of this project. */
export async function makeBases(): Promise<void> {
  await makeOnce(debian, async () => {
    const suite = /:(\w+)-slim$/.exec(debian)?.[1] ?? ''
    const tar = `${folder}/debian.tar`
    const withoutDocs = ['doc', 'man', 'locale', 'info'].map(
      (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
    )
    const args = ['--variant=minbase', ...withoutDocs, suite, tar, 'http://deb.debian.org/debian']
    await promisify(execFile)('mmdebstrap', args)
    await podman('import', tar, debian)
  })
  await makeOnce(node, () => {
    assert.ok(node.includes(`node:${process.versions.node.split('.')[0]}-`), `${node} is not ours`)
    return makeStandIn('node', node)
  })
}

/** Builds one target of `stand-ins.Containerfile`. */
export async function makeStandIn(target: string, name: string): Promise<void> {
  const context = `${folder}/context`
  mkdirSync(context, { recursive: true })
  copyFileSync(process.execPath, `${context}/node`)
  const npm = process.env['npm_execpath'] ?? ''
  cpSync(npm.replace(/\/bin\/npm-cli\.js$/, ''), `${context}/npm`, { recursive: true })
  copyFileSync(`${root}tools/image/postgres.sh`, `${context}/postgres.sh`)
  // The certificates with which this machine reaches the package registry.
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  writeFileSync(`${context}/ca.crt`, certificates ? readFileSync(certificates) : '')
  const file = `${root}tools/image/stand-ins.Containerfile`
  const options = [`--file=${file}`, `--target=${target}`, `--build-arg=BASE=${debian}`]
  await makeOnce(name, () => build(name, ...options, context))
}
