import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { build, createServer, type InlineConfig, type Plugin } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** The service replaces this by a new nonce in every page that it sends. */
const noncePlaceholder = '__NONCE__'

/** The paths that the service answers; in development Vite proxies them. */
const proxiedPaths = [
  '/v1',
  '/session',
  '^/sign-in/(?:workspaces$|[^/]+/(?:methods|link|passkey|oidc))',
  '/account/passkeys',
  '/docs',
  '/problems',
  '/openapi.json',
  '/about',
  '/assets',
  '/favicon.svg',
  '/llms.txt',
]

/** The pages that people open first. They share one chunk with the list itself. */
const firstPages = /[\\/](?:risks-page|work-page)\.tsx$/
const listPages = /[\\/](?:issues|tasks|projects|people|groups|keys)-page\.tsx$/
const recordPages = /[\\/](?:risk|issue|task|project|person|group|key)-page\.tsx$|-peek\.tsx$/

/**
 * Few chunks instead of one per module: a first load takes a handful of requests. A chunk contains
 * its modules and their dependencies, as far as no chunk before it has them.
 */
const chunks = [
  { name: 'vendor', tags: ['$initial' as const], test: /node_modules/ },
  { name: 'frame', tags: ['$initial' as const] },
  { name: 'list', test: firstPages },
  { name: 'sign-in', test: /[\\/](?:sign-in[\\/][\w-]+|first-passkey)-page\.tsx$/ },
  { name: 'xlsx', test: /[\\/]src[\\/]kit[\\/]export[\\/]export-xlsx\.ts$/ },
  { name: 'lists', test: listPages },
  { name: 'forms', test: /node_modules.*(?<!\.css)$|[\\/](?:form-dialog|[\w-]+-picker)\.tsx$/ },
  { name: 'records', test: recordPages },
  {
    name: 'dialogs',
    test: /-dialogs?\.tsx$|[\\/](?:[\w-]+-(?:popover|dropdown|drawer|menu|sheet)|editors)\.tsx$/,
  },
].map((chunk, at, all) => ({ ...chunk, priority: all.length - at }))

const stylesheetOf = (id: string) =>
  /@mantine[\\/]core[\\/]esm[\\/]components[\\/](\w+)[\\/]/.exec(id)?.[1]

/** Fails the build if a component of Mantine is used without its style sheet. */
const mantineStyles: Plugin = {
  name: 'mantine-styles',
  generateBundle(_, bundle) {
    const styles = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'))
    const listed = readFileSync(path('src/frame/mantine.css'), 'utf8')
    const used = Object.values(bundle)
      .filter((file) => file.type === 'chunk')
      .flatMap(({ modules }) => Object.entries(modules))
      .flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? (stylesheetOf(id) ?? []) : []))
    const missing = [...new Set(used)].filter(
      (name) =>
        existsSync(`${styles}/styles/${name}.css`) && !listed.includes(`/styles/${name}.css`),
    )
    if (missing.length > 0) this.error(`src/frame/mantine.css lacks ${missing.join(', ')}.`)
  },
}

const baseConfig: InlineConfig = {
  root: path('.'),
  configFile: false,
  logLevel: 'warn',
  plugins: [react(), mantineStyles],
}

/** Vite sets NODE_ENV, which a development server and child processes would inherit. */
async function buildOnly(config: InlineConfig) {
  const { NODE_ENV: before } = process.env
  try {
    return await build(config)
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}

/** Builds the console into `packages/api/public/console`. */
export async function buildConsole(): Promise<void> {
  await buildOnly({
    ...baseConfig,
    html: { cspNonce: noncePlaceholder },
    build: {
      outDir: path('../api/public/console'),
      emptyOutDir: true,
      assetsDir: 'console',
      // Inlined assets would need a weaker content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2024',
      // Browsers of the last two years. Older targets would make the build expand `light-dark()`.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      chunkSizeWarningLimit: 700,
      rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
    },
  })
}

/** Bundles the search of the documentation, which is a script of the served pages. */
export async function bundleSearch(): Promise<string> {
  const built = await buildOnly({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2024',
      lib: { entry: path('src/docs/search.ts'), formats: ['es'], fileName: 'search' },
      minify: true,
    },
  })
  const [bundle] = Array.isArray(built) ? built : []
  const [chunk] = bundle?.output ?? []
  if (!chunk) throw new Error('The bundle of the search is empty.')
  return chunk.code
}

interface DevServer {
  /** The URL of the service. */
  readonly api: string
  /** By default 5173, or the next free port. */
  readonly port: string | undefined
}

/** Serves the console from source with hot reload, beside a running service. */
export async function serveConsole({ api, port }: DevServer) {
  const handlers = process.listeners('SIGTERM')
  const server = await createServer({
    ...baseConfig,
    cacheDir: path('../../.build/vite'),
    server: {
      host: '127.0.0.1',
      port: Number(port ?? 5173),
      strictPort: port !== undefined,
      proxy: Object.fromEntries(proxiedPaths.map((each) => [each, { target: api }])),
    },
  })
  // Vite would end the process on SIGTERM before the caller has stopped the service.
  for (const handler of process.listeners('SIGTERM')) {
    if (!handlers.includes(handler)) process.off('SIGTERM', handler)
  }
  await server.listen()
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() }
}
