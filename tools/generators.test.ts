import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'

/**
 * `npm test -- --long generators`: the programs that integrators use with an OpenAPI document
 * accept ours, and TypeScript compiles what they generate. They have a lockfile of their own,
 * because no part of Muster uses them.
 */
const skip = process.env['MUSTER_LONG'] === '1' ? false : 'run with --long'
const document = resolve('packages/contract/openapi.json')
const folder = mkdtempSync(join(tmpdir(), 'muster-generators-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function run(program: string, ...args: string[]): void {
  const path = program === 'npm' ? 'npm' : join(folder, 'node_modules/.bin', program)
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`)
}

const modern = ['--target', 'es2022', '--module', 'preserve']
const compile = (file: string) =>
  run('tsc', '--noEmit', '--strict', '--skipLibCheck', ...modern, file)

void describe('programs that read the OpenAPI document', { skip }, () => {
  before(() => {
    cpSync('tools/generators', folder, { recursive: true })
    run('npm', 'ci', '--ignore-scripts')
  })

  test('Spectral finds no error and no warning', () => {
    run('spectral', 'lint', document, '--ruleset', 'spectral.yaml', '--fail-severity', 'warn')
  })

  test('Spectral finds an error in a broken document', () => {
    writeFileSync(join(folder, 'broken.json'), '{"openapi":"3.1.0","info":{},"paths":{}}')
    const lint = () => run('spectral', 'lint', 'broken.json', '--ruleset', 'spectral.yaml')
    assert.throws(lint, /info/)
  })

  test('openapi-typescript writes types that compile', () => {
    run('openapi-typescript', document, '--output', 'openapi.ts')
    compile('openapi.ts')
  })

  test('hey-api writes a client that compiles', () => {
    run('openapi-ts', '--input', document, '--output', 'hey-api')
    compile('hey-api/index.ts')
  })

  test('orval writes a client that compiles', () => {
    run('orval', '--input', document, '--output', 'orval.ts', '--client', 'fetch')
    compile('orval.ts')
  })
})
