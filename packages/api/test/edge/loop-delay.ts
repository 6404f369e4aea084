import { spawn } from 'node:child_process'

/** How long an idle process on this machine waits for its turn: what is not the service's fault. */
export function watchIdleLoop(): () => Promise<number> {
  const source = `
    const { monitorEventLoopDelay } = require('node:perf_hooks')
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    process.stdin.on('end', () => console.log(delay.percentile(99) / 1e9)).resume()`
  const child = spawn(process.execPath, ['-e', source], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  return () =>
    new Promise((resolve) => {
      child.once('close', () => resolve(Number(said)))
      child.stdin.end()
    })
}
