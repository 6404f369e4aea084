import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { startEnvironment } from './support/environment.ts'
import { openPictures, picturesOf, textsOf } from './support/pictures.ts'
import { compressPng } from './support/png.ts'

/** What is recorded of a picture: the checksum of its two files, and the texts of its page. */
interface Recorded {
  readonly light: string
  readonly dark: string
  readonly texts: readonly string[]
}

/**
 * The pictures of the README and the guides. `npm run pictures` takes all of them from the running
 * demo, in light and dark, and records the texts of each page. Otherwise this test compares the
 * texts, because dates, and so pixels, change every day.
 */
const folder = new URL('../docs/images/', import.meta.url)
const record = new URL('pictures.json', folder)

async function startDemo() {
  const env = await startEnvironment()
  return { env, pictures: Object.entries(await picturesOf(env)) }
}

async function take(): Promise<void> {
  const { env, pictures } = await startDemo()
  const all: Record<string, Recorded> = {}
  const [light, dark] = [await openPictures(env, 'light'), await openPictures(env, 'dark')]
  const save = async (file: string, page: Page) => {
    const content = compressPng(await page.screenshot())
    writeFileSync(new URL(file, folder), content)
    return createHash('sha256').update(content).digest('hex')
  }
  for (const [name, picture] of pictures) {
    const page = await light(picture)
    all[name] = {
      light: await save(`${name}.png`, page),
      dark: await save(`${name}-dark.png`, await dark(picture)),
      texts: await textsOf(page),
    }
  }
  writeFileSync(record, `${JSON.stringify(all, null, 2)}\n`)
}

async function compare(): Promise<void> {
  const { env, pictures } = await startDemo()
  const recorded: Record<string, Recorded> = JSON.parse(readFileSync(record, 'utf8'))
  const open = await openPictures(env, 'light')
  const advice = 'the page changed. Run: npm run pictures'
  const names = pictures.map(([name]) => name)
  assert.deepEqual(Object.keys(recorded), names, advice)
  for (const [name, picture] of pictures) {
    const texts = await textsOf(await open(picture))
    assert.deepEqual(texts, recorded[name]?.texts, `${name}: ${advice}`)
  }
}

test('the pages of the pictures have the recorded texts', () =>
  process.env['UPDATE_PICTURES'] === '1' ? take() : compare())
