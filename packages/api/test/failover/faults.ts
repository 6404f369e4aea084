import { setTimeout as sleep } from 'node:timers/promises'

import type { Deployment, LinkedNode } from './deployment.ts'
import type { KeyedLoad } from './load.ts'
import { promotedOf } from './patroni.ts'

/** A fault and the recovery from it. Writes must continue within the bound. */
export interface Fault {
  readonly name: string
  readonly boundMs: number
  readonly inject: (deployment: Deployment, load: KeyedLoad) => Promise<void>
}

const killBoundMs = 30_000
const switchoverBoundMs = 5000

async function switchOver(deployment: Deployment): Promise<void> {
  const primary = await deployment.synchronous()
  await deployment.switchover(primary, await deployment.syncStandbyOf(primary))
}

async function killPrimary(deployment: Deployment, load: KeyedLoad): Promise<void> {
  const primary = await deployment.synchronous()
  primary.kill()
  await promotedOf(deployment.except(primary), 60)
  await load.acknowledged(60)
  primary.start()
}

async function killStandby(deployment: Deployment, load: KeyedLoad): Promise<void> {
  const standby = await deployment.syncStandbyOf(await deployment.synchronous())
  standby.kill()
  await sleep(1000)
  await load.acknowledged(60)
  standby.start()
}

/**
 * Cuts the primary off from the standbys and from etcd. The proxies do not know which node opened
 * a connection to a REST API, so those of all nodes are cut.
 */
function isolate(deployment: Deployment, { peers, etcd }: LinkedNode) {
  const cut = [peers, ...etcd, ...deployment.nodes.map(({ api }) => api)]
  for (const proxy of cut) proxy.freeze()
  return () => {
    for (const proxy of cut) proxy.thaw()
  }
}

async function cutPrimary(deployment: Deployment, load: KeyedLoad): Promise<void> {
  const primary = await deployment.synchronous()
  const heal = isolate(deployment, primary)
  primary.clients.freeze()
  await promotedOf(deployment.except(primary), 60)
  await load.acknowledged(60)
  primary.clients.thaw()
  heal()
}

/** The service still reaches the old primary, which must acknowledge nothing. */
async function cutFromPeers(deployment: Deployment, load: KeyedLoad): Promise<void> {
  const primary = await deployment.synchronous()
  const heal = isolate(deployment, primary)
  await promotedOf(deployment.except(primary), 60)
  await load.acknowledged(60)
  heal()
}

async function killProcesses(deployment: Deployment, load: KeyedLoad): Promise<void> {
  for (const each of deployment.processes) {
    each.kill()
    await sleep(1000)
    await load.acknowledged(60)
    await each.start()
    await deployment.processesServe(30)
  }
}

export const faults: readonly Fault[] = [
  { name: 'switchover', boundMs: switchoverBoundMs, inject: switchOver },
  { name: 'kill -9 of the primary', boundMs: killBoundMs, inject: killPrimary },
  { name: 'kill -9 of the synchronous standby', boundMs: killBoundMs, inject: killStandby },
  { name: 'network cut of the primary', boundMs: killBoundMs, inject: cutPrimary },
  { name: 'network cut between the nodes', boundMs: killBoundMs, inject: cutFromPeers },
  { name: 'kill -9 of each process', boundMs: killBoundMs, inject: killProcesses },
]
