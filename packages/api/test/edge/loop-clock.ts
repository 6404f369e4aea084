/**
 * Loaded into the service by `--import`: measures the longest piece of work of the event loop, in
 * CPU time of its thread. Other load on the machine does not count. SIGWINCH prints it, and starts
 * again.
 */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let before = cpuMs()
let longest = 0

/** The timer runs once in each turn of the event loop, or each millisecond when it is idle. */
const timer = setInterval(() => {
  const now = cpuMs()
  longest = Math.max(longest, now - before)
  before = now
}, 1)
timer.unref()

process.on('SIGWINCH', () => {
  process.stdout.write(`longest piece ${longest}\n`)
  longest = 0
  before = cpuMs()
})
