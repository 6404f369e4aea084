import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'
import { createCertificate, trustCertificate } from '@muster/testing/certificate'
import { freePort } from '@muster/testing/free-port'

/** Starts HAProxy on a free port with this configuration. `.ci/run` installs it. */
export async function startHaproxy(
  configuration: (port: number) => string,
  scheme: 'http' | 'https' = 'http',
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const port = await freePort()
  writeFileSync(file, configuration(port))
  const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` }
  const child = spawn('haproxy', ['-db', '-f', file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      output += error.message
      resolve()
    })
  })
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true })
  })
  const proxy = `${scheme}://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries++) {
    const reply = await fetch(`${proxy}/livez`).catch(() => null)
    if (reply?.status === 200) return proxy
    await sleep(100)
  }
  throw new Error(`HAProxy does not start: ${output}`)
}

/** A minimal configuration in front of one service. */
export const inFrontOf = (base: string) => (port: number) =>
  `
defaults
  mode http
  timeout connect 3s
  timeout client 11s
  timeout server 11s
  timeout http-request 3s
  timeout http-keep-alive 1s
frontend http
  bind 127.0.0.1:${port}
  default_backend service
backend service
  http-reuse always
  server one ${new URL(base).host}
`

/** The configuration of the deployment guide for two local ports, without TLS. */
export const startDeployedHaproxy = (ports: readonly number[]) =>
  startDeployed(ports, 'http', (text, port) =>
    text.replace(/bind :443 .*/, `bind 127.0.0.1:${port}`),
  )

/** The same with TLS and a certificate that this process trusts: only addresses differ. */
export function startDeployedHaproxyWithTls(ports: readonly number[]) {
  const certificate = createCertificate('IP:127.0.0.1')
  trustCertificate(certificate)
  const pem = `${certificate.certFile}.all`
  writeFileSync(pem, certificate.cert + certificate.key)
  return startDeployed(ports, 'https', (text, port) =>
    text.replace(':443', `127.0.0.1:${port}`).replace('/etc/haproxy/muster.pem', pem),
  )
}

async function startDeployed(
  ports: readonly number[],
  scheme: 'http' | 'https',
  bind: (text: string, port: number) => string,
) {
  const file = new URL('../../../../deploy/haproxy/haproxy.cfg', import.meta.url)
  const [plain, rollout] = [await freePort(), await freePort()]
  const configuration = (port: number) =>
    bind(readFileSync(file, 'utf8'), port)
      .replace('bind :80', `bind 127.0.0.1:${plain}`)
      .replace(':8090', `:${rollout}`)
      .replace(':8081', `:${ports[0]}`)
      .replace(':8082', `:${ports[1]}`)
  const base = await startHaproxy(configuration, scheme)
  return { base, rollout: `http://127.0.0.1:${rollout}` }
}
