import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const module = new URL('../../src/http/ops/log-output.ts', import.meta.url).href

/** Runs a program that writes to the log; `output` is the LogOutput. */
function start(program: string) {
  const source = `import { openLogOutput } from '${module}'\nconst output = openLogOutput()\n${program}`
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function outputOf(program: string): Promise<string> {
  const child = start(program)
  const [chunks] = await Promise.all([child.stdout.toArray(), once(child, 'close')])
  return Buffer.concat(chunks).toString()
}

test('writes every line in order, and a line of another log after those before it', async () => {
  const lines = await outputOf(`
    for (let number = 0; number < 5000; number++) output.append(number + '\\n')
    output.write('an error\\n')
    output.append('last\\n')`)
  const numbers = Array.from({ length: 5000 }, (_, number) => String(number))
  assert.deepEqual(lines.trimEnd().split('\n'), [...numbers, 'an error', 'last'])
})

test('writes a line 50 ms later if no others come', async () => {
  const child = start(`output.append('alone\\n'); setInterval(() => {}, 1000)`)
  const [line] = await once(child.stdout, 'data')
  assert.equal(String(line), 'alone\n')
  child.kill('SIGKILL')
})

test('writes the last lines when the process exits or an error ends it', async () => {
  assert.equal(await outputOf(`output.append('one\\n'); process.exit(3)`), 'one\n')
  const thrown = `process.on('uncaughtException', () => process.exit(1))
    output.append('two\\n'); setImmediate(() => { throw new Error() })`
  assert.equal(await outputOf(thrown), 'two\n')
})

test('drops lines while nothing reads, counts them, and holds at most 4 MiB', async () => {
  const child = start(`
    const line = ${JSON.stringify(`${'x'.repeat(199)}\n`)}
    for (let round = 0; round < 500; round++) {
      for (let number = 0; number < 100; number++) output.append(line)
      await new Promise(setImmediate)
    }
    setTimeout(() => process.stderr.write(String(output.dropped)), 200)`)
  const [dropped] = await once(child.stderr, 'data')
  const [chunks] = await Promise.all([child.stdout.toArray(), once(child, 'close')])
  const written = Buffer.concat(chunks).toString().trimEnd().split('\n')
  assert.equal(written.length + Number(dropped), 50_000)
  assert.ok(written.every((line) => line.length === 199))
  // What the pipe of the system takes is in addition.
  assert.ok(written.length * 200 > 4_000_000 && written.length * 200 < 5_000_000)
})
