import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** Images and containers of `npm test -- --long image`, apart from those of the machine. */
export const folder = `${root}.build/image`
export const socket = `${folder}/podman.sock`

const programs = ['podman', 'runc', 'mmdebstrap', 'netavark', 'aardvark-dns', 'iptables']
const isInstalled = (program: string) =>
  spawnSync('sh', ['-c', `PATH=$PATH:/usr/lib/podman command -v ${program}`]).status === 0

/** Why no image can be built on this machine with these programs as well, or false. */
export function obstacle(...others: string[]): string | false {
  if (process.env['MUSTER_LONG'] !== '1') return 'runs only with --long'
  if (process.getuid?.() !== 0) return 'requires Linux and root'
  const missing = [...programs, ...others].filter((program) => !isInstalled(program))
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : false
}

const env = {
  ...process.env,
  CONTAINERS_CONF: `${folder}/containers.conf`,
  CONTAINERS_STORAGE_CONF: `${folder}/storage.conf`,
  // Build steps need no namespaces, so a container can build images too.
  BUILDAH_ISOLATION: 'chroot',
}

/** Writes the configuration of podman. The lower limits work where the machine has low ones. */
export function configure(): void {
  mkdirSync(folder, { recursive: true })
  const hasOverlay = readFileSync('/proc/filesystems', 'utf8').includes('\toverlay\n')
  const storage = `[storage]
driver = "${hasOverlay ? 'overlay' : 'vfs'}"
graphroot = "${folder}/storage"
runroot = "${folder}/run"
`
  const containers = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`
  writeFileSync(env.CONTAINERS_STORAGE_CONF, storage)
  writeFileSync(env.CONTAINERS_CONF, containers)
}

/** Runs podman and returns what it prints. If it fails, the error has the end of its output. */
export function podman(...args: string[]): Promise<string> {
  const child = spawn('podman', args, { env, cwd: root })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      const end = `${stdout.slice(-2000)}${stderr.slice(-2000)}`
      if (code === 0) resolve(stdout.trim())
      else reject(new Error(`podman ${args[0]} ended with ${code}:\n${end}`))
    })
  })
}

/** Whether podman succeeds with these arguments. */
export const succeeds = (...args: string[]) =>
  podman(...args).then(
    () => true,
    () => false,
  )

/** Builds an image. The format keeps the health check, which the default format omits. */
export const build = (tag: string, ...args: string[]) =>
  podman('build', '--network=host', '--pull=never', '--format=docker', `--tag=${tag}`, ...args)

/** Serves the Docker API on `socket` until it is aborted. */
export async function serveApi(signal: AbortSignal): Promise<void> {
  const args = ['system', 'service', '--time=0', `unix://${socket}`]
  const server = spawn('podman', args, { env, stdio: 'ignore' })
  signal.addEventListener('abort', () => server.kill())
  await once(server, 'exit')
  if (!signal.aborted) throw new Error('podman system service ended')
}

/**
 * Podman leaves the schedule of health checks to systemd. This takes its place: it runs the checks
 * of all containers each second until it is aborted.
 */
export async function runHealthChecks(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ids = (await podman('ps', '--quiet')).split('\n').filter((id) => id !== '')
    await Promise.all(ids.map((id) => succeeds('healthcheck', 'run', id)))
    await sleep(1000)
  }
}
