import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

import { boundOf, isWithin, type Judged, spreadMax } from '#bench/compare/judge'
import { foreignCoresMax } from '#bench/compare/round'
import { type Scenario, scenarios } from '#bench/compare/scenarios'

/** The machine, the versions, the commit and the date of a run. */
function originOf(base: string | null): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' })
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model})`
  const compared = base === null ? 'no base commit' : `base commit \`${base}\``
  return `The ratios are of ${date}, commit \`${commit.trim()}\`, ${compared}, Node ${process.version.slice(1)}, ${machine}.`
}

/** A state holds only if the lowest and the highest ratio agree on it. */
function stateOf({ goal }: Scenario, { lowest, highest }: Judged): string {
  const [low, high] = [isWithin(goal, lowest), isWithin(goal, highest)]
  if (low !== high) return 'unclear'
  return low ? 'reached' : 'missed'
}

function figuresOf(scenario: Scenario, judged: Judged | undefined): string[] {
  if (!judged?.isSteady) return ['–', '–', 'not published']
  const [ratio, lowest, highest] = [judged.ratio, judged.lowest, judged.highest].map((each) =>
    each.toPrecision(2),
  )
  return [ratio ?? '', `${lowest} to ${highest}`, stateOf(scenario, judged)]
}

/** The goals, with the steady ratios if there are any. */
function goalsOf(results: readonly Judged[], isEmpty: boolean): string[] {
  const columns = isEmpty ? [] : ['ratio', 'lowest to highest', 'state']
  const head = ['measured / reference', 'goal', ...columns]
  const rows = scenarios.map((scenario) => {
    const judged = results.find(({ name }) => name === scenario.name)
    const figures = isEmpty ? [] : figuresOf(scenario, judged)
    return [scenario.name, boundOf(scenario.goal), ...figures]
  })
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [lineOf(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(lineOf)]
}

/** Writes docs/performance.md. A ratio that is not steady is not published. */
export function writePage(results: readonly Judged[], base: string | null): void {
  const isEmpty = !results.some(({ isSteady }) => isSteady)
  const lines = [
    '# Performance',
    '',
    'This page has ratios only: the figure of the service divided by that of a reference, measured in turns',
    'on one machine. Other work on a machine changes every absolute figure, so none is published here.',
    '',
    'A ratio is published with the lowest and the highest one of its rounds, if both hold:',
    '',
    `- In no round did others use more than ${foreignCoresMax} of a core, CPU time that the host took included.`,
    `- The highest ratio is at most ${spreadMax} times the lowest.`,
    '',
    isEmpty
      ? 'No run has met both conditions yet, so the page has the goals alone.'
      : originOf(base),
    '',
    '## Goals',
    '',
    ...goalsOf(results, isEmpty),
    '',
    '"Bare" is a server of `node:http` alone that sends the same bytes. "pgbench" runs the statement that the',
    'service sent for the page, with eight clients against one process of the service. "Base" is the service',
    'of another commit. The load generator is a process of its own, with 32 connections unless the row names',
    'another number. A state is "unclear" if the lowest and the highest ratio do not agree on it.',
    '',
    '## Measure it yourself',
    '',
    'Use a machine that does nothing else. Absolute figures are printed and not kept:',
    '',
    '| question | command |',
    '|---|---|',
    '| What does a request cost, compared with the references above? | `npm run bench -- compare --long` |',
    '| Is this commit faster than another one? | `npm run bench -- compare --long --base REF` |',
    '| When does latency rise? | `npm run bench -- open-loop --long` |',
    '| Do many workspaces cost more than one? | `npm run bench -- mix --long` |',
    '| Does a busy workspace disturb others? | `npm run bench -- neighbours --long` |',
    '| Do more rows, keys, connections or processes cost more? | `npm run bench -- growth --long` |',
    '',
    'With `--write`, `compare` writes this page.',
  ]
  const file = new URL('../../docs/performance.md', import.meta.url)
  writeFileSync(file, `${lines.join('\n')}\n`)
}
