import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { contractTypes } from './client-types.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly license: string
}

const readManifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest

function run(command: string, args: string[], cwd = '.'): string {
  const shell = process.platform === 'win32'
  return execFileSync(command, args, {
    cwd,
    shell,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).toString()
}

/**
 * Packs the client for npm and returns the path of the archive. Node runs no TypeScript from
 * node_modules, so the package has JavaScript. It includes the types of the contract as
 * plain declarations, and its routes: users install one package without dependencies.
 */
export function packClient(folder: string): string {
  const staged = resolve('.build/client-package')
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(staged, { recursive: true })
  compile(join(staged, 'dist'))
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  cpSync('LICENSE', join(staged, 'LICENSE'))
  cpSync('packages/client/README.md', join(staged, 'README.md'))
  const packed = run('npm', ['pack', '--json', `--pack-destination=${resolve(folder)}`], staged)
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  return join(folder, filename)
}

function manifest(): object {
  const { name, version, license } = readManifest('packages/client/package.json')
  return {
    name,
    version,
    description: 'A typed client for the API of Muster.',
    license,
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    sideEffects: false,
    engines: { node: '>=20.10' },
  }
}

function compile(dist: string): void {
  const build = resolve('.build/client-package/tsc')
  const tsc = resolve('node_modules/typescript/bin/tsc')
  run(process.execPath, [tsc, '-b', 'packages/client'])
  const toJavaScript = ['--emitDeclarationOnly', 'false', '--outDir', build]
  run(process.execPath, [tsc, '-p', 'packages/client', ...toJavaScript])
  cpSync(join(build, 'src'), dist, { recursive: true })
  rmSync(build, { recursive: true })
  writeFileSync(join(dist, 'contract.d.ts'), contractTypes())
  // Node 20 warns about each import of JSON.
  const routes = readFileSync('packages/contract/routes.json', 'utf8')
  writeFileSync(join(dist, 'routes.js'), `export default ${routes}`)
  for (const file of globSync('*.{js,d.ts}', { cwd: dist })) {
    const path = join(dist, file)
    const source = readFileSync(path, 'utf8')
      .replaceAll("'@muster/contract/routes.json' with { type: 'json' }", "'./routes.js'")
      .replaceAll("'@muster/contract'", "'./contract.js'")
    writeFileSync(path, source)
  }
}
