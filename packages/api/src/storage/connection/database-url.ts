/** A host name, an IP address or the folder of a Unix socket, and a port. */
export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** The values of `target_session_attrs` that the service supports. */
const sessionTargets = ['any', 'read-write', 'primary'] as const

export type SessionTarget = (typeof sessionTargets)[number]

interface DatabaseUrl {
  /** The URL with its first host alone, which the driver supports. */
  readonly url: URL
  /** All hosts in order. Empty if one host accepts any session: the driver supports that. */
  readonly hosts: readonly DatabaseHost[]
  readonly target: SessionTarget
}

/** Parses the URL of one or several hosts as libpq does; null if it is invalid. */
export function parseDatabaseUrl(text: string): DatabaseUrl | null {
  const { first, places } = splitHosts(text)
  if (!URL.canParse(first)) return null
  const url = new URL(first)
  const { searchParams } = url
  const given = searchParams.get('target_session_attrs') ?? 'any'
  const target = sessionTargets.find((each) => each === given)
  if (target === undefined) return null
  const hostList = searchParams.get('host')?.split(',') ?? places.map(hostOf)
  if (hostList.length === 1 && target === 'any') return { url, hosts: [], target }
  const portList = searchParams.get('port')?.split(',') ?? places.map(portOf)
  const hosts = pair(hostList, portList)
  for (const name of ['host', 'port', 'target_session_attrs']) searchParams.delete(name)
  return hosts && { url, hosts, target }
}

/** The hosts with their ports, and the URL with the first alone. */
function splitHosts(text: string) {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text)
  const [, start = '', authority = '', rest = ''] = parts ?? []
  const places = authority.split(',')
  return { places, first: places.length > 1 ? `${start}${places[0]}${rest}` : text }
}

/** `h1:5432`, for messages. Never the user or the password. */
export const nameOf = ({ host, port }: DatabaseHost) =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** An IPv6 address is in brackets. */
const place = /^(?:\[([\da-f:.]+)\]|([^:[\]]*))(?::(\d*))?$/i

/** Empty if the text is invalid. */
function hostOf(text: string): string {
  const [, address, name = ''] = place.exec(text) ?? []
  try {
    return address ?? decodeURIComponent(name)
  } catch {
    return ''
  }
}

const portOf = (text: string) => place.exec(text)?.[3] ?? ''

/** One port is the port of every host. An empty one is the default. */
function pair(hostList: readonly string[], portList: readonly string[]): DatabaseHost[] | null {
  if (portList.length > 1 && portList.length !== hostList.length) return null
  const hosts: DatabaseHost[] = []
  for (const [index, host] of hostList.entries()) {
    const port = Number((portList.length > 1 ? portList[index] : portList[0]) || '5432')
    if (host === '' || !(Number.isInteger(port) && port >= 1 && port <= 65_535)) return null
    hosts.push({ host, port })
  }
  return hosts
}
