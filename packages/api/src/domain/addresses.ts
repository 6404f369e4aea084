import { BlockList, isIP } from 'node:net'

const bits = { 4: 32, 6: 128 } as const
const family = { 4: 'ipv4', 6: 'ipv6' } as const

/** A network in CIDR notation, taken apart; null when it is none. One address is a network too. */
function networkOf(cidr: string) {
  const [address = '', length] = cidr.split('/')
  const version = isIP(address)
  if (version !== 4 && version !== 6) return null
  const prefix = length === undefined ? bits[version] : Number(length)
  return prefix <= bits[version] ? { address, prefix, family: family[version] } : null
}

export const isNetwork = (cidr: string) => networkOf(cidr) !== null

/** Whether the address lies in one of the networks. An empty list names them all. */
export function isAllowed(address: string, cidrs: readonly string[]): boolean {
  if (cidrs.length === 0) return true
  const plain = plainAddress(address)
  const version = isIP(plain)
  if (version !== 4 && version !== 6) return false
  const list = new BlockList()
  for (const cidr of cidrs) {
    const network = networkOf(cidr)
    if (network) list.addSubnet(network.address, network.prefix, network.family)
  }
  return list.check(plain, family[version])
}

/** An IPv4 address that came over an IPv6 socket is an IPv4 address. */
const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** From where, in the large: enough to notice a stranger, and too little to find a person. */
export const networkPrefix = (address: string) => prefixOf(address, { 4: 24, 6: 48 })

/**
 * Whose failures are counted together: an IPv4 address, or the 64 leading bits of an IPv6 one,
 * since whoever has one of those has all of them.
 */
export const neighbourhood = (address: string) => prefixOf(address, { 4: 32, 6: 64 })

/** The network that an address lies in, of so many bits; null when it is no address. */
function prefixOf(address: string, length: { 4: 24 | 32; 6: 48 | 64 }): string | null {
  const plain = plainAddress(address)
  if (isIP(plain) === 4) return length[4] === 32 ? plain : `${plain.split('.', 3).join('.')}.0/24`
  if (isIP(plain) !== 6) return null
  const groups = groupsOf(plain).slice(0, length[6] / 16)
  return `${groups.join(':')}::/${length[6]}`
}

/** The groups of an IPv6 address, those that `::` leaves out included. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const split = (part: string) => (part === '' ? [] : part.split(':'))
  // An IPv4 address at the end stands for two groups.
  const length = split(tail).length + (tail.includes('.') ? 1 : 0)
  const zeros = Array.from({ length: Math.max(8 - split(head).length - length, 0) }, () => '0')
  return [...split(head), ...zeros, ...split(tail)].map((group) => group.replace(/^0+(?=.)/, ''))
}
