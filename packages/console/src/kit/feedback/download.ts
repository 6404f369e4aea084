/** Saves CSV as a file. The byte order mark makes spreadsheets read it as UTF-8. */
export const download = (name: string, csv: string) =>
  saveFile(name, new Blob(['\uFEFF', csv], { type: 'text/csv' }))

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
