import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { measure } from '@muster/testing/measure'

import { blocksOf, createDatabase, freePort, read } from './follow.ts'
import { checkRestrictions, exercise, keyIn } from './image/exercise.ts'
import {
  configure,
  folder,
  obstacle,
  podman,
  root,
  runHealthChecks,
  serveApi,
  socket,
  succeeds,
} from './image/podman.ts'
import { buildTarget, debian, makeBases, makeStandIn, withoutDigests } from './image/stand-ins.ts'

/**
 * `npm test -- --long image`: builds the image and runs it, alone and with compose.yaml. Images of
 * the same names, made from Debian packages, stand in for the official ones: no registry is needed.
 */
const skip = obstacle() || (await prepare())

/** Returns why containers do not run on this machine, or false. */
async function prepare(): Promise<string | false> {
  configure()
  await makeBases()
  const ended = podman('run', '--rm', '--network=host', debian, 'true')
  return await ended.then(
    () => false,
    (error: unknown) => `this machine cannot run containers: ${String(error)}`,
  )
}

const megabytesOf = async (image: string) =>
  Number(await podman('image', 'inspect', '--format={{.Size}}', image)) / 1e6

test('the image is built with a bounded size', { skip }, async (t) => {
  const began = performance.now()
  for (const [tag, target] of [['muster', 'muster'] as const, ['muster-demo', 'demo'] as const]) {
    await buildTarget(tag, target)
    const [size, base] = [await megabytesOf(tag), await megabytesOf(debian)]
    t.diagnostic(`${tag}: ${size.toFixed()} MB, of which Debian ${base.toFixed()} MB`)
    assert.ok(size - base < 200, 'at most 200 MB more than Debian')
  }
  t.diagnostic(`both targets were built in ${((performance.now() - began) / 1000).toFixed()} s`)
})

/** The commands of the self-hosting guide: build, migrate, start. */
function guideCommands(): string[] {
  const block = blocksOf(read('docs/guides/self-host.md')).find(({ text }) =>
    text.startsWith('podman build'),
  )
  return (block?.text ?? '').trim().replaceAll('\\\n', '').split('\n')
}

test('the container of the guide becomes healthy, serves and stops', { skip }, async (t) => {
  const [url, port] = [await createDatabase(), await freePort()]
  const name = `muster-${port}`
  after(() => podman('rm', '--force', '--ignore', name))
  writeFileSync(`${folder}/admin.env`, `DATABASE_URL=${url}\n`)
  writeFileSync(`${folder}/service.env`, `DATABASE_SERVICE_URL=${url}\n`)
  const follow = (command = '') => {
    const here = command.replace('/etc/muster', folder).replace('8081', port)
    const words = here.replace('--name muster', `--name ${name}`).split(/\s+/)
    return podman(...words.slice(1))
  }
  const [, migrate, start] = guideCommands()
  await follow(migrate)
  const printed = await podman(
    'run',
    '--rm',
    '--network=host',
    `--env=DATABASE_URL=${url}`,
    'muster-demo',
  )

  const began = performance.now()
  await follow(start)
  while (!(await succeeds('healthcheck', 'run', name))) {
    assert.ok(performance.now() - began < 60_000, await podman('logs', name))
    await sleep(100)
  }
  measure(t, 'time to healthy', { value: performance.now() - began, atMost: 10_000 })
  await exercise(`http://127.0.0.1:${port}`, keyIn(printed, 'manager'))
  await checkRestrictions(name)
  const format = '--format={{json .Config.Healthcheck.Test}}'
  const [, ...check] = JSON.parse(await podman('inspect', format, name))
  assert.equal(await succeeds('exec', '--env=PORT=1', name, ...check), false, 'a failed check')

  const signalled = performance.now()
  await podman('kill', '--signal=TERM', name)
  assert.equal(await podman('wait', name), '0', 'exit code')
  measure(t, 'SIGTERM to exit', { value: performance.now() - signalled, atMost: 10_000 })
})

test('compose.yaml starts the service, with and without the demo', { skip }, async (t) => {
  const file = withoutDigests('compose.yaml', (text) =>
    text.replaceAll('dockerfile: Containerfile', `dockerfile: ${folder}/Containerfile`),
  )
  const postgres = /docker\.io\/library\/postgres:[\w.-]+/.exec(read('compose.yaml'))?.[0] ?? ''
  await makeStandIn('postgres', postgres)
  await makeStandIn('compose', 'compose')
  const stop = new AbortController()
  const background = [serveApi(stop.signal), runHealthChecks(stop.signal)]
  const port = await freePort()
  const passwords = ['POSTGRES', 'MUSTER_ADMIN', 'MUSTER_SERVICE'].map(
    (name) => `--env=${name}_PASSWORD=${randomBytes(24).toString('hex')}`,
  )
  const compose = composeWith(file, [`--env=MUSTER_PORT=${port}`, ...passwords])
  try {
    const began = performance.now()
    await compose('--profile=demo', 'up', '--build', '--wait')
    t.diagnostic(`compose up: ${((performance.now() - began) / 1000).toFixed()} s`)
    const key = keyIn(await compose('logs', '--no-log-prefix', 'demo'), 'manager')
    await exercise(`http://127.0.0.1:${port}`, key)

    await compose('--profile=demo', 'down')
    await compose('up', '--wait')
    const headers = { authorization: `Bearer ${key}` }
    const again = await fetch(`http://127.0.0.1:${port}/v1/personnel`, { headers })
    assert.equal(again.status, 200, 'the data and the key are still there')
    const bootstrap = ['packages/api/src/admin.ts', 'bootstrap', '--workspace=Acme']
    const held = await compose('exec', '-T', 'muster', 'env')
    assert.match(held, /^DATABASE_SERVICE_URL=postgres:\/\/muster_service:/m)
    assert.doesNotMatch(held, /^DATABASE_URL=|^POSTGRES_|muster_admin/m)
    assert.match(await compose('run', '--rm', '-T', 'migrate', ...bootstrap), /^muster_key_\S+$/m)
  } finally {
    await compose('--profile=demo', 'down', '--volumes')
    stop.abort()
    await Promise.all(background)
  }
})

/** Docker Compose in a container of its own, which talks to podman. */
const composeWith =
  (file: string, settings: string[]) =>
  (...args: string[]) => {
    const volumes = [`--volume=${socket}:/var/run/docker.sock`, `--volume=${root}:${root}:ro`]
    const options = ['--rm', '--network=host', `--workdir=${root}`, ...volumes, ...settings]
    // Podman has no BuildKit.
    const project = [`--file=${file}`, `--project-directory=${root}`]
    return podman('run', ...options, '--env=DOCKER_BUILDKIT=0', 'compose', ...project, ...args)
  }
