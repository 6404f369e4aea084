import { Unzip, UnzipInflate } from 'fflate'

import { bounds, bytesOfMiB } from './bounds.ts'
import { ReadError, type Sheet, sheetOf } from './sheet.ts'
import { dateStyles } from './xlsx-dates.ts'
import { type CellFormats, readSheet } from './xlsx-sheet.ts'
import { attribute, readTags } from './xml.ts'

/**
 * Reads the first visible sheet of a workbook. A formula has the value that the spreadsheet has
 * saved; nothing is evaluated, and links and macros are never read.
 */
export function readXlsx(bytes: Uint8Array<ArrayBuffer>): Sheet {
  try {
    const parts = inflate(bytes)
    const { name, path, isFrom1904 } = firstSheet(parts)
    const formats: CellFormats = {
      texts: sharedTexts(parts.get('xl/sharedStrings.xml') ?? ''),
      isDate: dateStyles(parts.get('xl/styles.xml') ?? ''),
      isFrom1904,
    }
    const rows = readSheet(partOf(parts, path), formats)
    return sheetOf(rows, { malformed: [], format: { type: 'xlsx', name } })
  } catch (error) {
    if (error instanceof ReadError) throw error
    throw new ReadError('damaged-workbook', { cause: error })
  }
}

/** The parts that a sheet needs. All others stay compressed. */
const wanted =
  /^xl\/(?:workbook|_rels\/workbook|sharedStrings|styles|worksheets\/[^/]+)\.xml(?:\.rels)?$/i

/** So little that one chunk cannot exceed the memory: data expands at most 1032 times. */
const chunkBytes = 16 * 1024

/** Decompresses the parts, and stops at the bound: the sizes that a file states can be wrong. */
function inflate(bytes: Uint8Array<ArrayBuffer>): ReadonlyMap<string, string> {
  const parts = new Map<string, { text: string; readonly decoder: TextDecoder }>()
  let size = 0
  const unzip = new Unzip((file) => {
    if (!wanted.test(file.name)) return
    const part = { text: '', decoder: new TextDecoder() }
    parts.set(file.name, part)
    file.ondata = (error, data, isLast) => {
      if (error) throw error
      size += data.length
      if (size > bytesOfMiB(bounds.inflatedMiB)) throw new ReadError('too-large-inside')
      part.text += part.decoder.decode(data, { stream: !isLast })
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    unzip.push(bytes.subarray(at, at + chunkBytes), at + chunkBytes >= bytes.length)
  }
  return new Map(Array.from(parts, ([name, { text }]) => [name, text]))
}

function partOf(parts: ReadonlyMap<string, string>, path: string): string {
  const part = parts.get(path)
  if (part === undefined) throw new ReadError('damaged-workbook')
  return part
}

interface Place {
  readonly name: string
  readonly path: string
  readonly isFrom1904: boolean
}

function firstSheet(parts: ReadonlyMap<string, string>): Place {
  const tags = [...readTags(partOf(parts, 'xl/workbook.xml'))].filter(({ isEnd }) => !isEnd)
  const sheets = tags.filter(({ name }) => name === 'sheet')
  const sheet = sheets.find((each) => (attribute(each, 'state') ?? 'visible') === 'visible')
  const settings = tags.find(({ name }) => name === 'workbookPr')
  const relationships = [...readTags(partOf(parts, 'xl/_rels/workbook.xml.rels'))]
  const id = sheet && /(?:^|\s)\w+:id\s*=\s*["']([^"']*)["']/.exec(sheet.attributes)?.[1]
  const target = relationships.find((each) => id !== undefined && attribute(each, 'Id') === id)
  const path = target && attribute(target, 'Target')
  if (!sheet || !path) throw new ReadError('damaged-workbook')
  return {
    name: attribute(sheet, 'name') ?? '',
    path: path.startsWith('/') ? path.slice(1) : `xl/${path}`,
    isFrom1904: /^(?:1|true)$/.test((settings && attribute(settings, 'date1904')) ?? ''),
  }
}

/** The texts that cells share. Phonetic guides are not a part of a text. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = []
  let text = ''
  let isPhonetic = false
  for (const tag of readTags(xml)) {
    if (tag.name === 'rPh') isPhonetic = !tag.isEnd && !tag.isEmpty
    if (tag.isEnd && tag.name === 't' && !isPhonetic) text += tag.text
    // A section of text ends before the end tag.
    if (tag.name === '' && !isPhonetic) text += tag.text
    if (tag.name !== 'si' || !(tag.isEnd || tag.isEmpty)) continue
    texts.push(text)
    text = ''
  }
  return texts
}
