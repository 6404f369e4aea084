import type { Source } from './render.ts'

interface Section {
  readonly folder: string
  readonly title: string
  readonly sources: readonly Source[]
}

const summary =
  'Muster is a self-hosted service with an HTTP API and a web console: one roster of people and ' +
  'groups, projects with their risks, issues and tasks, and two ranked lists over all projects, ' +
  'the risk register and the open issues.'

/**
 * The text of `/llms.txt` (llmstxt.org): every page of the documentation as Markdown, with the
 * words of the index about it. The service replaces `{origin}` by its address.
 */
export function llmsText(sections: readonly Section[], index: string): string {
  const about = descriptionsOf(index)
  const lineOf = ({ path, title }: Source) => {
    const text = about.get(path)
    return `- [${title}]({origin}/${path})${text === undefined ? '' : `: ${text}`}`
  }
  const lists = sections
    .filter(({ sources }) => sources.length > 0)
    .map(({ folder, title, sources }) => {
      // The convention: what can be left out is under this title.
      const heading = folder === 'docs/adr' ? 'Optional' : title
      return [`## ${heading}`, '', ...sources.map(lineOf), ''].join('\n')
    })
  const machine = [
    '## API',
    '',
    '- [OpenAPI document]({origin}/openapi.json): every operation, with schemas and examples',
    '- [Index of the documentation]({origin}/docs/README.md): all pages by subject',
    '',
  ].join('\n')
  return [`# Muster`, '', `> ${summary}`, '', machine, ...lists].join('\n')
}

/** What the tables of the index say about each page, by its path. */
function descriptionsOf(index: string): Map<string, string> {
  const rows = index.matchAll(/^\| \[[^\]]+\]\(([^)#]+\.md)\) \| (.+?) \|$/gm)
  return new Map(Array.from(rows, ([, path = '', text = '']) => [`docs/${path}`, text]))
}
