/** The metrics URL of each service, by its base URL. */
export const metricsUrls = new Map<string, string>()

/** The metrics of the service with this base URL, as text. */
export async function readMetrics(base: string): Promise<string> {
  const url = metricsUrls.get(base)
  if (url === undefined) throw new Error(`no metrics URL for ${base}`)
  return (await fetch(url)).text()
}
