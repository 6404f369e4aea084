/** Saves a text as a file. The byte order mark tells spreadsheets that it is UTF-8. */
export function download(name: string, csv: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
