import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The rules that axe follows. */
interface Rules {
  readonly type: 'tag' | 'rule'
  readonly values: readonly string[]
}

export const wcag: Rules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
}
export const contrast: Rules = { type: 'rule', values: ['color-contrast'] }

interface Options {
  /** A selector of the part that axe audits: all of the page by default. */
  readonly part?: string
  /** All rules of axe by default. */
  readonly rules?: Rules
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * Returns each violation that axe finds, with the elements. The package for Playwright loads axe
 * again for each audit; here a page keeps it until it is left.
 */
export async function axeViolations(page: Page, { part = 'html', rules }: Options = {}) {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source)
  // Describing what passes takes longer than finding what does not.
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const run = `axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)})`
  const found = await page.evaluate<Violation[]>(`${run}.then(({ violations }) => violations)`)
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
}
