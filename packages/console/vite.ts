import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { build, createServer, type InlineConfig } from 'vite'

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
]

const nonceChunk = { name: 'nonce', test: /get-nonce/ }

const baseConfig: InlineConfig = {
  root: path('.'),
  configFile: false,
  logLevel: 'warn',
  plugins: [react()],
}

/** Builds the console into `packages/api/public/console`. */
export async function buildConsole(): Promise<void> {
  await build({
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
      // The first load needs the nonce, but not the dialogs that share this package.
      rolldownOptions: { output: { codeSplitting: { groups: [nonceChunk] } } },
    },
  })
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
