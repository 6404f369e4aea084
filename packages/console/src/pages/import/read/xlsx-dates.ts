import { attribute, readTags } from './xml.ts'

const dayMs = 86_400_000

/** The built-in formats that show a day. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 17) ||
  id === 22 ||
  (id >= 27 && id <= 31) ||
  id === 36 ||
  (id >= 50 && id <= 58)

/** Whether a format such as `dd.mm.yyyy` shows a day. Quoted and escaped letters are texts. */
const showsDay = (code: string) =>
  /[dy]/i.test(code.replaceAll(/"[^"]*"|\\.|_.|\[[^\]]*\]/g, '').replaceAll(/general/gi, ''))

/** Whether the cells of each style are days, by the number of the style. */
export function dateStyles(styles: string): boolean[] {
  const codes = new Map<number, string>()
  const dates: boolean[] = []
  let isInCells = false
  for (const tag of readTags(styles)) {
    if (tag.name === 'cellXfs') isInCells = !tag.isEnd
    if (tag.isEnd) continue
    if (tag.name === 'numFmt') {
      codes.set(Number(attribute(tag, 'numFmtId')), attribute(tag, 'formatCode') ?? '')
    }
    if (tag.name === 'xf' && isInCells) {
      const id = Number(attribute(tag, 'numFmtId'))
      const code = codes.get(id)
      dates.push(code === undefined ? isBuiltInDate(id) : showsDay(code))
    }
  }
  return dates
}

const serialMax = 2_958_465

/** The day of a serial number as 2027-02-28; null if it is none. */
export function dayOfSerial(serial: number, isFrom1904: boolean): string | null {
  if (!(serial >= 1) || serial > serialMax) return null
  const day = Math.floor(serial)
  // Excel counts 29 February 1900, which was no day.
  const offset = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30)
  return new Date(offset + day * dayMs).toISOString().slice(0, 10)
}
