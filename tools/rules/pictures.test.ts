import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(root + path)
const recorded: Record<string, { light: string; dark: string }> = JSON.parse(
  read('docs/images/pictures.json').toString(),
)
const files = Object.entries(recorded).flatMap(([name, { light, dark }]) => [
  { path: `docs/images/${name}.png`, checksum: light },
  { path: `docs/images/${name}-dark.png`, checksum: dark },
])

test('every picture was taken by npm run pictures', () => {
  const found = globSync('docs/images/*.{png,jpg,webp}', { cwd: root })
  assert.deepEqual(found.toSorted(), files.map(({ path }) => path).toSorted())
  for (const { path, checksum } of files) {
    assert.equal(createHash('sha256').update(read(path)).digest('hex'), checksum, path)
  }
})

test('pictures have one size, a palette and at most 120 KiB', () => {
  for (const { path } of files) {
    const bytes = read(path)
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1280, 800], path)
    assert.equal(bytes[25], 3, `${path} has a palette`)
    assert.ok(bytes.length <= 120 * 1024, `${path} has ${bytes.length} bytes`)
  }
})

/** The texts of the pictures of a page, by the name of the picture. */
function shownBy(path: string): Map<string, string> {
  const text = read(path).toString()
  const images = text.matchAll(/!\[([^\]]*)\]\([./]*images\/([\w-]+)\.png\)/g)
  const elements = text.matchAll(/<img src="docs\/images\/([\w-]+)\.png" alt="([^"]*)"/g)
  return new Map([
    ...Array.from(images, ([, alt = '', name = '']) => [name, alt] as const),
    ...Array.from(elements, ([, name = '', alt = '']) => [name, alt] as const),
  ])
}

const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]

test('every picture is shown, with a text for those who do not see it', () => {
  const shown = pages.flatMap((path) => [...shownBy(path)].map(([name, alt]) => ({ name, alt })))
  assert.deepEqual(
    [...new Set(shown.map(({ name }) => name))].toSorted(),
    Object.keys(recorded).toSorted(),
  )
  for (const { name, alt } of shown) assert.ok(alt.length >= 40, `${name}: ${alt}`)
})

test('the README and every guide for people who use the console have a picture', () => {
  assert.deepEqual([...shownBy('README.md').keys()], ['risks', 'risk', 'project'])
  const guides = ['your-first-day', 'from-risk-to-issue-to-closed', 'work-in-the-console']
  for (const name of [...guides, 'import-a-spreadsheet', 'keys', 'follow-the-audit-log']) {
    assert.ok(shownBy(`docs/guides/${name}.md`).size > 0, name)
  }
})
