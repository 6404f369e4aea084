/** A Markdown table. Cells must not contain line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

export const code = (text: string) => `\`${text}\``

/** Paragraphs, headings and tables, separated by empty lines. */
export const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`
