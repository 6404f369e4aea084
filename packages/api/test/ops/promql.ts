/** The vector selectors of PromQL expressions, as far as the alerts and the dashboard use it. */

export interface Selector {
  readonly metric: string
  /** Labels that must have exactly this value. */
  readonly labels: Readonly<Record<string, string>>
}

const keywords = new Set(['and', 'or', 'unless', 'by', 'without', 'bool', 'offset'])

/** Every metric of an expression. A name before a parenthesis is a function. */
export function selectorsOf(expression: string): Selector[] {
  const text = expression
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
  const names = /(?<![\w:."])([a-zA-Z_:][\w:]*)(?![\w:]|\s*\()(?:\s*\{([^}]*)\})?/g
  return Array.from(text.matchAll(names), ([, metric = '', matchers = '']) => ({
    metric,
    labels: Object.fromEntries(
      Array.from(matchers.matchAll(/(\w+)\s*=\s*"([^"]*)"/g), ([, name = '', value = '']) => [
        name,
        value,
      ]),
    ),
  })).filter(({ metric }) => !keywords.has(metric))
}

/** Prometheus adds these to every target. */
const ofTarget = new Set(['job', 'instance'])

/** Whether a service that prints these series has one for the selector. */
export function isPrinted({ metric, labels }: Selector, series: readonly string[]): boolean {
  if (metric === 'up') return true
  const own = Object.entries(labels).filter(([name]) => !ofTarget.has(name))
  return series.some(
    (each) =>
      each.split('{')[0] === metric &&
      own.every(([name, value]) => each.includes(`${name}="${value}"`)),
  )
}
