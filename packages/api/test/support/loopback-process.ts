import { isLoopback, watchAttempts } from './socket-attempts.ts'

/** Loaded before `main.ts`, by `--import`: ends the process when a socket leaves loopback. */
watchAttempts((address) => {
  if (isLoopback(address)) return
  process.stdout.write(`A socket left loopback: ${address}\n`)
  process.kill(process.pid, 'SIGKILL')
})
