import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { build, createServer, type InlineConfig } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** The service puts a new nonce in the place of this into every page that it sends. */
const nonceMark = '__NONCE__'

/** What the service answers itself; in development Vite passes it on. */
const served = ['/v1', '/session', '/docs', '/problems', '/openapi.json', '/about', '/assets']

const common: InlineConfig = {
  root: path('.'),
  configFile: false,
  logLevel: 'warn',
  plugins: [react()],
}

/** Writes what the service serves into `packages/api/public/console`. */
export async function buildConsole(): Promise<void> {
  await build({
    ...common,
    html: { cspNonce: nonceMark },
    build: {
      outDir: path('../api/public/console'),
      emptyOutDir: true,
      assetsDir: 'console',
      // What would be inlined would need a policy that allows it.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2024',
      // Browsers of the last two years; for older ones `light-dark()` would be taken apart.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      chunkSizeWarningLimit: 700,
    },
  })
}

/** Serves the console from its source, anew at every change, beside a service that runs. */
export async function serveConsole({ api, port }: { api: string; port: number }) {
  const server = await createServer({
    ...common,
    cacheDir: path('../../.build/vite'),
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      proxy: Object.fromEntries(served.map((each) => [each, { target: api }])),
    },
  })
  return server.listen()
}
