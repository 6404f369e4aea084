import MiniSearch, { type SearchResult } from 'minisearch'

/**
 * The search of the documentation. It runs on the served pages, without React and without the API:
 * the index is a module that the build wrote, loaded when the field gets the focus. The policy of
 * these pages allows scripts of this service and no connections.
 */
type Entry = readonly [url: string, page: string, heading: string, text: string]

interface Section {
  readonly id: number
  readonly url: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

const resultsMax = 20
const excerptLetters = 160

const field = document.querySelector<HTMLInputElement>('.search input')
const panel = document.querySelector<HTMLElement>('.search [data-results]')
if (field && panel) start(field, panel)

/** A part of a word finds it, and a longer word may have a wrong letter. */
function newIndex(sections: readonly Section[]): MiniSearch<Section> {
  const index = new MiniSearch<Section>({
    fields: ['heading', 'page', 'text'],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  index.addAll(sections)
  return index
}

interface Loaded {
  readonly index: MiniSearch<Section>
  readonly sections: readonly Section[]
}

async function load(): Promise<Loaded> {
  const address = '/docs/search-index.js'
  const { default: entries } = (await import(/* @vite-ignore */ address)) as {
    default: readonly Entry[]
  }
  const sections = entries.map(([url, page, heading, text], id) => {
    return { id, url, page, heading, text }
  })
  return { index: newIndex(sections), sections }
}

function start(input: HTMLInputElement, results: HTMLElement): void {
  let loading: Promise<Loaded> | null = null
  const loadOnce = () => {
    loading ??= load()
    loading.catch(() => (loading = null))
    return loading
  }
  const update = async () => {
    const query = input.value.trim()
    results.hidden = query === ''
    if (query === '') return
    const loaded = await loadOnce().catch(() => null)
    // Another letter was typed while the index was loading.
    if (query !== input.value.trim()) return
    if (loaded) show(results, query, find(loaded, query))
    else results.replaceChildren(status('The search index did not load. Reload the page.'))
  }
  input.addEventListener('focus', () => void loadOnce().catch(() => {}))
  input.addEventListener('input', () => void update())
  addKeys(input, results)
}

interface Match {
  readonly section: Section
  readonly terms: readonly string[]
}

function find({ index, sections }: Loaded, query: string): Match[] {
  return index.search(query).flatMap(({ id, terms }: SearchResult) => {
    const section = sections[Number(id)]
    return section ? [{ section, terms }] : []
  })
}

function show(results: HTMLElement, query: string, matches: readonly Match[]): void {
  const list = document.createElement('ul')
  list.append(...matches.slice(0, resultsMax).map(itemOf))
  results.replaceChildren(status(summaryOf(query, matches.length)), list)
}

function summaryOf(query: string, count: number): string {
  if (count === 0) return `Nothing found for “${query}”.`
  if (count > resultsMax) return `The best ${resultsMax} of ${count} results`
  return count === 1 ? '1 result' : `${count} results`
}

/** Screen readers announce it when it changes. */
function status(text: string): HTMLElement {
  const element = document.createElement('p')
  element.setAttribute('role', 'status')
  element.textContent = text
  return element
}

function itemOf({ section: { url, page, heading, text }, terms }: Match): HTMLElement {
  const link = document.createElement('a')
  link.href = url
  const parts = [
    { tag: 'small', content: [page] },
    { tag: 'strong', content: marked(heading, terms) },
    { tag: 'span', content: marked(excerptOf(text, terms), terms) },
  ]
  for (const { tag, content } of parts) {
    const element = document.createElement(tag)
    element.append(...content)
    link.append(element)
  }
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** Matches each of the words. They come from the index, so they can contain any letter. */
function patternOf(terms: readonly string[]): RegExp {
  const escaped = terms.map((term) => term.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  return new RegExp(`(${escaped.join('|')})`, 'i')
}

/** The text around the first word that was found. */
function excerptOf(text: string, terms: readonly string[]): string {
  const found = Math.max(0, text.search(patternOf(terms)))
  const begin = found < excerptLetters / 2 ? 0 : text.indexOf(' ', found - excerptLetters / 3) + 1
  const end = text.indexOf(' ', begin + excerptLetters)
  const cut = end === -1 ? text.slice(begin) : `${text.slice(begin, end)} …`
  return begin === 0 ? cut : `… ${cut}`
}

/** The text with the found words marked. Parts at odd places match the pattern. */
function marked(text: string, terms: readonly string[]): (Node | string)[] {
  return text.split(patternOf(terms)).map((part, at) => {
    if (at % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

/** `/` focuses the field, arrows move through the results, Enter opens one, Escape closes. */
function addKeys(input: HTMLInputElement, results: HTMLElement): void {
  const links = () => [...results.querySelectorAll('a')]
  const close = () => (results.hidden = true)
  const move = (step: number) => {
    const places = [input, ...links()]
    const at = places.findIndex((each) => each === document.activeElement)
    places[Math.min(Math.max(at + step, 0), places.length - 1)]?.focus()
  }
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Escape: () => {
      // The focus would open the results again.
      input.focus()
      close()
    },
  }
  input.parentElement?.addEventListener('keydown', (event) => {
    const isOpening = event.key === 'Enter' && event.target === input
    const action = isOpening ? () => links()[0]?.click() : actions[event.key]
    if (!action || results.hidden) return
    event.preventDefault()
    action()
  })
  input.parentElement?.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && input.parentElement?.contains(relatedTarget))) close()
  })
  results.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) close()
  })
  input.addEventListener('focus', () => (results.hidden = input.value.trim() === ''))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}
