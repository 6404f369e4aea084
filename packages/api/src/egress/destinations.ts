import { type BlockList, isIP } from 'node:net'

import { blockList, isIn, parseNetwork } from './networks.ts'

/**
 * IPv4 networks that are not on the internet (IANA special-purpose registry), and the address of
 * the Azure platform, which answers with credentials.
 */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * Global unicast. Every other IPv6 address is refused: loopback, link-local, unique local and
 * multicast, and the forms that contain an IPv4 address (mapped, compatible, NAT64).
 */
const global6 = ['2000::/3']

/** Parts of global unicast that contain an IPv4 address (6to4, Teredo) or are not routed. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const refused4 = blockList(special4)
const unicast6 = blockList(global6)
const refused6 = blockList(special6)

/** Names that only a local resolver knows (RFC 6761, RFC 6762, RFC 8375 and .internal). */
const localName = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/

const network = /^[0-9A-Fa-f.:]{2,45}(\/\d{1,3})?$/
const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62})){0,60}$/

/** Whether an entry of EGRESS_ALLOW is an address, a network or a host name. */
export function isDestination(entry: string): boolean {
  if (network.test(entry) && parseNetwork(entry) !== null) return true
  return hostName.test(entry) && !/(^|\.)\d+$/.test(entry)
}

/** The destinations that requests may reach: the public ones, and those that the operator allows. */
export class Destinations {
  readonly #networks: BlockList
  readonly #names: ReadonlySet<string>

  constructor(allowed: readonly string[]) {
    const networks = allowed.filter((entry) => parseNetwork(entry) !== null)
    this.#networks = blockList(networks)
    this.#names = new Set(allowed.filter((entry) => !networks.includes(entry)))
  }

  /** Whether the operator allows this host by its name, with any address. */
  isNamed(host: string): boolean {
    return this.#names.has(plainName(host))
  }

  /** Whether the operator allows this address. */
  isAllowed(address: string): boolean {
    return !hasZone(address) && isIn(this.#networks, address)
  }

  /** Whether a name may be resolved. One without a dot is completed with the operator's domain. */
  isPublicName(host: string): boolean {
    const name = plainName(host)
    return name.includes('.') && !localName.test(name)
  }

  /** Whether an address is on the internet. An address with a zone never is. */
  isPublic(address: string): boolean {
    if (isIP(address) === 4) return !isIn(refused4, address)
    return !hasZone(address) && isIn(unicast6, address) && !isIn(refused6, address)
  }
}

/** A name with a final dot is the same host. */
const plainName = (host: string) => host.toLowerCase().replace(/\.$/, '')

/** A zone is an interface of this machine. */
const hasZone = (address: string) => address.includes('%')
