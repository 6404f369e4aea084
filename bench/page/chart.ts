import type { Series } from '#bench/results'

const width = 640
const height = 240
const edge = { left: 64, right: 16, top: 32, bottom: 40 }
/** Both are readable on a light and on a dark page. */
const ink = '#767676'
const accent = '#2f7fd0'

const amountText = (value: number) => value.toLocaleString('en').replaceAll(',', ' ')

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

interface Label {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly text: string
}

const label = ({ x, y, anchor, text }: Label) =>
  `<text x="${x.toFixed(0)}" y="${y.toFixed(0)}" text-anchor="${anchor}" fill="${ink}" ` +
  `font-size="12" font-family="sans-serif">${escaped(text)}</text>`

const line = (from: readonly [number, number], to: readonly [number, number]) =>
  `<path d="M${from.join(' ')}L${to.join(' ')}" stroke="${ink}" stroke-opacity="0.4"/>`

/** A line chart of the throughput. The amounts are equally far apart, as they grow by factors. */
export function chartOf({ name, of, points }: Series): string {
  const top = Math.max(1, ...points.map(({ perSecond }) => perSecond)) * 1.1
  const right = width - edge.right
  const bottom = height - edge.bottom
  const step = (right - edge.left) / Math.max(1, points.length)
  const placed = points.map(({ amount, perSecond }, index) => ({
    amount,
    perSecond,
    x: edge.left + step * (index + 0.5),
    y: bottom - (perSecond / top) * (bottom - edge.top),
  }))
  const curve = placed.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
  const title = `${name}: requests a second`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" ` +
      `width="${width}" height="${height}" aria-label="${escaped(title)}">`,
    label({ x: edge.left, y: 18, anchor: 'start', text: title }),
    line([edge.left, bottom], [right, bottom]),
    line([edge.left, edge.top], [edge.left, bottom]),
    label({ x: edge.left - 8, y: bottom + 4, anchor: 'end', text: '0' }),
    label({
      x: edge.left - 8,
      y: edge.top + 8,
      anchor: 'end',
      text: amountText(Math.round(top)),
    }),
    label({ x: right, y: height - 4, anchor: 'end', text: of }),
    `<path d="M${curve}" fill="none" stroke="${accent}" stroke-width="2"/>`,
    ...placed.flatMap(({ x, y, amount, perSecond }) => [
      `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3" fill="${accent}"/>`,
      label({ x, y: y - 8, anchor: 'middle', text: amountText(Math.round(perSecond)) }),
      label({ x, y: bottom + 16, anchor: 'middle', text: amountText(amount) }),
    ]),
    '</svg>\n',
  ].join('\n')
}
