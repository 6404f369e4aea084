import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

import { boundOf, type Judged } from '#bench/compare/judge'
import { describe, short, sizingOf } from '#bench/compare/report'
import { scenarios } from '#bench/compare/scenarios'

interface Run {
  /** The 90th percentile of each control, divided by the 10th. */
  readonly spreads: Readonly<Record<'bare' | 'select', number>>
  readonly base: string | null
}

/** The machine, the versions, the commit and the date of a run. */
function originOf({ spreads, base }: Run): string[] {
  const git = ['rev-parse', '--short', 'HEAD']
  const commit = execFileSync('git', git, { encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  const compared = base === null ? 'no base commit' : `base commit \`${base}\``
  const [bare, select] = [spreads.bare.toFixed(2), spreads.select.toFixed(2)]
  return [
    `- Run: ${date}, commit \`${commit}\`, ${compared}`,
    ...describe().map((line) => `- ${line}`),
    `- Spread of the control: ${bare} for the bare server, ${select} for pgbench`,
  ]
}

/** Every scenario with its goal, and its ratio if it was measured. */
function tableOf(results: readonly Judged[]): string[] {
  const rows = scenarios.map(({ name, goal }) => {
    const judged = results.find(({ scenario }) => scenario.name === name)
    const figures =
      judged === undefined
        ? ['–', '–', 'not measured']
        : [short(judged.ratio), `${short(judged.lowest)} to ${short(judged.highest)}`, judged.state]
    return [name, boundOf(goal), ...figures]
  })
  const head = ['measured / reference', 'goal', 'ratio', 'lowest to highest', 'state']
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [lineOf(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(lineOf)]
}

/** Replaces the section with the figures in docs/performance.md. */
export function writePage(results: readonly Judged[], run: Run): void {
  const file = new URL('../../docs/performance.md', import.meta.url)
  const lines = [...originOf(run), '', ...tableOf(results), '', ...sizingOf(results), '']
  const page = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    page.replace(/(?<=^## Figures\n\n)[^]*?(?=^## )/m, () => lines.join('\n')),
  )
}
