import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { parse, stringify } from 'yaml'

import { createDatabase, freePort, read } from './follow.ts'
import { checkRestrictions } from './image/exercise.ts'
import { configure, folder, obstacle, podman, succeeds } from './image/podman.ts'
import { buildTarget, makeBases } from './image/stand-ins.ts'

/**
 * `npm test -- --long kubernetes`: podman runs the Job and the Deployment of deploy/kubernetes, on
 * the network of the machine and on other ports. Podman ignores the other resources.
 */
const skip = obstacle('catatonit')

interface Spec {
  readonly containers: readonly [object]
}

interface Workload {
  readonly spec: { readonly template: { readonly metadata: object; readonly spec: Spec } }
}

const workload = (file: string) => parse(read(`deploy/kubernetes/${file}`)) as Workload

/** The pod of a workload. Podman publishes no ports of a pod on the network of the machine. */
function podOf({ spec }: Workload, name: string): object {
  const { metadata, spec: pod } = spec.template
  const containers = [{ ...pod.containers[0], ports: [], imagePullPolicy: 'Never' }]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name },
    // Podman would start a pod of the Deployment again after it has exited.
    spec: { ...pod, containers, hostNetwork: true, restartPolicy: 'Never' },
  }
}

/** A secret in the store of podman, which reads it as JSON with values in base64. */
async function createSecret(name: string, data: Record<string, string>): Promise<void> {
  const file = `${folder}/${name}.json`
  const encoded = Object.entries(data).map(([key, value]) => [key, btoa(value)])
  writeFileSync(file, JSON.stringify(Object.fromEntries(encoded)))
  await succeeds('secret', 'rm', name)
  after(() => podman('secret', 'rm', name))
  await podman('secret', 'create', name, file)
}

interface Kustomization {
  readonly configMapGenerator: readonly { readonly name: string; readonly literals: string[] }[]
}

/** The generated ConfigMap, with these settings as well. */
function configMap(settings: Record<string, string>): object {
  const kustomization = parse(read('deploy/kubernetes/kustomization.yaml')) as Kustomization
  const [{ name, literals } = { name: '', literals: [] }] = kustomization.configMapGenerator
  const data = Object.fromEntries(literals.map((line) => line.split(/=(.*)/s).slice(0, 2)))
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { ...data, ...settings } }
}

/** Runs these resources until the test ends. */
async function play(name: string, resources: object[]): Promise<void> {
  const file = `${folder}/${name}.yaml`
  writeFileSync(file, resources.map((each) => stringify(each)).join('---\n'))
  after(() => podman('kube', 'down', file))
  await podman('kube', 'play', file)
}

test('the Job migrates, and a pod of the Deployment serves and drains', { skip }, async (t) => {
  configure()
  await makeBases()
  await buildTarget('muster', 'muster')
  const [url, port, metrics] = [await createDatabase(), await freePort(), await freePort()]
  const suffix = `-${port}`

  await createSecret('muster-admin', { DATABASE_URL: url })
  await play(`migrate${suffix}`, [podOf(workload('migrate-job.yaml'), `migrate${suffix}`)])
  const migrated = await podman('wait', `migrate${suffix}-migrate`)
  assert.equal(migrated, '0', await podman('logs', `migrate${suffix}-migrate`))

  const name = `muster${suffix}-muster`
  await createSecret('muster-service', { DATABASE_SERVICE_URL: url })
  await play(`muster${suffix}`, [
    configMap({ PORT: port, METRICS_PORT: metrics }),
    podOf(workload('deployment.yaml'), `muster${suffix}`),
  ])
  const base = `http://127.0.0.1:${port}`
  const status = (path: string) =>
    fetch(base + path).then(
      (reply) => reply.status,
      () => 0,
    )
  const began = performance.now()
  while ((await status('/readyz')) !== 200) {
    assert.ok(performance.now() - began < 60_000, await podman('logs', name))
    await sleep(100)
  }
  t.diagnostic(`ready after ${(performance.now() - began).toFixed()} ms`)
  assert.equal(await status('/livez'), 200)
  assert.equal((await fetch(`http://127.0.0.1:${metrics}/metrics`)).status, 200)
  await checkRestrictions(name)

  const signalled = performance.now()
  await podman('kill', '--signal=TERM', name)
  while ((await status('/readyz')) !== 503) assert.ok(performance.now() - signalled < 5000)
  assert.equal(await status('/livez'), 200, 'requests are served while the process drains')
  assert.equal(await podman('wait', name), '0', 'exit code')
  t.diagnostic(`exited ${(performance.now() - signalled).toFixed()} ms after SIGTERM`)
})
