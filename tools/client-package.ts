import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
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
 * node_modules, so the package has JavaScript. It includes the types of the contract and its
 * routes: users install one package.
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
  const { dependencies } = readManifest('packages/contract/package.json')
  return {
    name,
    version,
    description: 'A typed client for the API of Muster.',
    license,
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    imports: { '#contract/*': { types: './dist/contract/*.d.ts' } },
    files: ['dist'],
    sideEffects: false,
    engines: { node: '>=20.10' },
    // The types of the contract use it. No code does.
    dependencies,
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
  cpSync('.build/contract/src', join(dist, 'contract'), { recursive: true })
  cpSync('packages/contract/routes.json', join(dist, 'routes.json'))
  for (const file of globSync('*.{js,d.ts}', { cwd: dist })) {
    const path = join(dist, file)
    const source = readFileSync(path, 'utf8')
      .replaceAll("'@muster/contract/routes.json'", "'./routes.json'")
      .replaceAll("'@muster/contract'", "'./contract/index.js'")
    writeFileSync(path, source)
  }
}
