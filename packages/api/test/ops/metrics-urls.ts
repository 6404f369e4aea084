/** Where the metrics of a service are, by the address of its API. */
export const metricsUrls = new Map<string, string>()

/** The metrics of the service with this address, as text. */
export async function readMetrics(base: string): Promise<string> {
  const url = metricsUrls.get(base)
  if (url === undefined) throw new Error(`No metrics are known of ${base}.`)
  return (await fetch(url)).text()
}
