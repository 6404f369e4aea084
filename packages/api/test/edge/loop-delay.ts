import { spawn } from 'node:child_process'

/** The event loop delay of an idle process: the part of a delay that the machine causes. */
export function watchIdleLoop(): () => Promise<number> {
  const source = `
    const { monitorEventLoopDelay } = require('node:perf_hooks')
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    process.stdin.on('end', () => console.log(delay.percentile(99) / 1e9)).resume()`
  const child = spawn(process.execPath, ['-e', source], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  return () =>
    new Promise((resolve) => {
      child.once('close', () => resolve(Number(output)))
      child.stdin.end()
    })
}
