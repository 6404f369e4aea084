import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { settings } from '@muster/api/config'
import { parse, parseAllDocuments } from 'yaml'

/** Compares the files in deploy/ with the code and the Containerfile. */
const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')
const kubernetes = 'deploy/kubernetes/'

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Container {
  readonly image: string
  readonly args?: readonly string[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
  }[]
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly securityContext: object
}

interface Pod {
  readonly terminationGracePeriodSeconds?: number
  readonly automountServiceAccountToken: boolean
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number }
  readonly containers: readonly [Container]
}

interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: Pod }
    readonly selector: { readonly matchLabels?: object }
    readonly podSelector: { readonly matchLabels: object }
    readonly ports: readonly { readonly targetPort: string }[]
    readonly ingress?: readonly { readonly ports: readonly { readonly port: number }[] }[]
  }
}

interface Kustomization {
  readonly resources: readonly string[]
  readonly images: readonly { readonly name: string; readonly newTag: string }[]
  readonly configMapGenerator: readonly [
    { readonly name: string; readonly literals: readonly string[] },
  ]
}

const kustomization = parse(read(`${kubernetes}kustomization.yaml`)) as Kustomization
const resources = kustomization.resources.flatMap((file) =>
  parseAllDocuments(read(kubernetes + file)).map((document) => {
    assert.deepEqual(document.errors, [], file)
    return document.toJS() as Resource
  }),
)

function resource(kind: string, name = 'muster'): Resource {
  const found = resources.find((each) => each.kind === kind && each.metadata.name === name)
  assert.ok(found, `no ${kind} ${name}`)
  return found
}

const deployment = resource('Deployment').spec.template
const migrate = resource('Job', 'muster-migrate').spec.template
const [service] = deployment.spec.containers
const [migration] = migrate.spec.containers
const literals = Object.fromEntries(
  kustomization.configMapGenerator[0].literals.map((line) => line.split(/=(.*)/s).slice(0, 2)),
) as Record<string, string>

test('the kustomization lists every resource of its folder, and each has a kind and a name', () => {
  const files = globSync('*.yaml', { cwd: root + kubernetes })
  const listed = ['kustomization.yaml', ...kustomization.resources]
  assert.deepEqual(listed.toSorted(), files.toSorted())
  for (const { apiVersion, kind, metadata } of resources) {
    assert.ok(apiVersion && kind && metadata.name, JSON.stringify({ kind, metadata }))
  }
  const kinds = resources.map(({ kind }) => kind)
  const expected = ['Namespace', 'Deployment', 'Service', 'PodDisruptionBudget', 'Job']
  assert.deepEqual(kinds, [...expected, 'NetworkPolicy', 'NetworkPolicy'])
})

test('kubectl renders the kustomization', (t) => {
  const rendered = spawnSync('kubectl', ['kustomize', root + kubernetes], { encoding: 'utf8' })
  if (rendered.error) return t.diagnostic('not rendered: kubectl is not installed')
  assert.equal(rendered.stderr, '')
  const documents = parseAllDocuments(rendered.stdout).map((each) => each.toJS() as Resource)
  // The ConfigMap is generated.
  assert.equal(documents.length, resources.length + 1)
  const image = documents.find(({ kind }) => kind === 'Deployment')?.spec.template.spec
    .containers[0]
  assert.match(image?.image ?? '', /^registry\.example\.com\/muster:/)
})

test('the settings exist and are valid, and secrets are references', () => {
  const names = new Set<string>(settings.map(({ name }) => name))
  const { env } = service
  for (const { name, value, valueFrom } of [...env, ...migration.env]) {
    assert.ok(names.has(name), name)
    assert.equal(value, undefined, `${name} is written down`)
    assert.equal(valueFrom?.secretKeyRef.key, name)
  }
  for (const name of Object.keys(literals)) assert.ok(names.has(name), name)
  const config = new URL('../../packages/api/src/config/config.ts', import.meta.url).href
  const code = `import { readConfig } from '${config}'; readConfig()`
  const DATABASE_SERVICE_URL = 'postgres://muster_service@h1/muster'
  const args = ['--input-type=module', '-e', code]
  execFileSync(process.execPath, args, { env: { ...literals, DATABASE_SERVICE_URL } })
  const secretsOf = (container: Container) =>
    new Set(container.env.map(({ valueFrom }) => valueFrom?.secretKeyRef.name))
  assert.deepEqual([...secretsOf(service)], ['muster-service'])
  assert.deepEqual([...secretsOf(migration)], ['muster-admin'])
})

/** The value of an instruction of the Containerfile. */
const inImage = (pattern: RegExp) => pattern.exec(read('Containerfile'))?.[1] ?? ''

test('the ports, the user and the program are those of the image', () => {
  const ports = Object.fromEntries(
    (service.ports ?? []).map(({ name, containerPort }) => [name, containerPort]),
  )
  const expected = {
    http: Number(inImage(/ PORT=(\d+)/)),
    metrics: Number(literals['METRICS_PORT']),
  }
  assert.deepEqual(ports, expected)
  assert.equal(resource('Service').spec.ports[0]?.targetPort, 'http')
  const admitted = resource('NetworkPolicy').spec.ingress?.map((rule) => rule.ports[0]?.port)
  assert.deepEqual(admitted, Object.values(ports))
  for (const { spec } of [deployment, migrate]) {
    const { runAsUser, runAsGroup } = spec.securityContext
    assert.equal(`${runAsUser}:${runAsGroup}`, inImage(/^USER (\S+)$/m))
    assert.equal(spec.containers[0].image, kustomization.images[0]?.name)
  }
  assert.ok(existsSync(root + (migration.args?.[0] ?? 'missing')), 'the program of the Job')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  assert.equal(kustomization.images[0]?.newTag, version)
})

test('the probes call /livez and /readyz, and the service can drain before it is killed', () => {
  const health = read('packages/api/src/http/ops/health.ts')
  const paths = [service.livenessProbe, service.readinessProbe].map((probe) => probe?.httpGet.path)
  assert.deepEqual(paths, ['/livez', '/readyz'])
  for (const path of paths) assert.ok(health.includes(`'${path}'`), `no route ${path}`)
  const delay = /closeWithGrace\(\{ delay: ([\d_]+)/.exec(read('packages/api/src/main.ts'))?.[1]
  const seconds = Number(delay?.replaceAll('_', '')) / 1000
  assert.ok(seconds > Number(literals['DRAIN_SECONDS']), `${seconds} s to stop`)
  assert.ok((deployment.spec.terminationGracePeriodSeconds ?? 0) > seconds)
  const unit = read('deploy/systemd/muster@.service')
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > seconds)
})

test('every container is restricted', () => {
  const restrictions = {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  }
  for (const { spec } of [deployment, migrate]) {
    assert.deepEqual(spec.containers[0].securityContext, restrictions)
    const { runAsNonRoot, seccompProfile } = { ...spec.securityContext } as Record<string, unknown>
    assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: 'RuntimeDefault' }])
    assert.equal(spec.automountServiceAccountToken, false)
  }
})

test('every selector selects the pods that it is meant for', () => {
  const { labels } = deployment.metadata
  const { selector } = resource('Service').spec
  assert.deepEqual(selector, labels)
  for (const kind of ['Deployment', 'PodDisruptionBudget']) {
    assert.deepEqual(resource(kind).spec.selector.matchLabels, labels, kind)
  }
  assert.deepEqual(resource('NetworkPolicy').spec.podSelector.matchLabels, labels)
  const policy = resource('NetworkPolicy', 'muster-migrate').spec
  assert.deepEqual(policy.podSelector.matchLabels, migrate.metadata.labels)
})

interface Patroni {
  readonly bootstrap: { readonly dcs: Record<'ttl' | 'loop_wait' | 'retry_timeout', number> }
  readonly postgresql: { readonly authentication: Record<string, Record<string, string>> }
}

test('the Patroni example fails over within ttl, and has no password', () => {
  const { bootstrap, postgresql } = parse(read('deploy/patroni/patroni.yml')) as Patroni
  const { dcs } = bootstrap
  assert.ok(dcs.loop_wait + 2 * dcs.retry_timeout <= dcs.ttl, JSON.stringify(dcs))
  const { synchronous_mode, failsafe_mode } = { ...dcs } as Record<string, unknown>
  assert.deepEqual([dcs.ttl, synchronous_mode, failsafe_mode], [20, true, true])
  const env = read('deploy/patroni/node.env.example')
  for (const role of Object.keys(postgresql.authentication)) {
    assert.equal('password' in (postgresql.authentication[role] ?? {}), false)
    assert.ok(env.includes(`PATRONI_${role.toUpperCase()}_PASSWORD=\n`), role)
  }
})

test('the page links to every file of the folders that it names', () => {
  const page = read('docs/operate/deploy.md')
  const linked = Array.from(
    page.matchAll(/\]\(\.\.\/\.\.\/(deploy\/[^)]+)\)/g),
    ([, to = '']) => to,
  )
  const folders = new Set(linked.map((path) => path.split('/').slice(0, 2).join('/')))
  for (const name of ['haproxy', 'kubernetes', 'patroni', 'systemd']) {
    assert.ok(folders.has(`deploy/${name}`), name)
  }
  const files = [...folders].flatMap((folder) => globSync(`${folder}/*`, { cwd: root }))
  assert.deepEqual([...new Set(linked)].toSorted(), files.toSorted())
})
