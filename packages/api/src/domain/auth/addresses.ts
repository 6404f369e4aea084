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

/**
 * Whether every address of a network lies in one of the others, which may cover it together. An
 * empty list names them all. It agrees with `isAllowed` about IPv4-mapped addresses.
 */
export function isWithin(cidr: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  const inner = rangeOf(cidr)
  if (inner === null) return false
  const ranges = networks.map(rangeOf).filter((range) => range !== null)
  let uncovered = inner.first
  for (const { first, last } of ranges.toSorted((one, other) =>
    one.first < other.first ? -1 : 1,
  )) {
    if (first <= uncovered && last >= uncovered) uncovered = last + 1n
  }
  return uncovered > inner.last
}

/**
 * The first and the last address of a network as 128-bit numbers. IPv4 is ::ffff:0:0/96, as it is
 * to `BlockList`: `::/0` includes every IPv4 address.
 */
function rangeOf(cidr: string): { first: bigint; last: bigint } | null {
  const network = networkOf(cidr)
  if (network === null) return null
  const { address, prefix } = network
  const is4 = network.family === 'ipv4'
  const groups = groupsOf(is4 ? `::ffff:${address}` : address)
  const number = BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`)
  const size = 1n << BigInt(is4 ? 32 - prefix : 128 - prefix)
  const first = number - (number % size)
  return { first, last: first + size - 1n }
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

/** The eight groups of an IPv6 address, in hexadecimal, without leading zeros. */
function groupsOf(address: string): string[] {
  const [plain = ''] = address.toLowerCase().split('%')
  const [head = [], tail = []] = plain
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').flatMap(hexGroups)))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => group.replace(/^0+(?=.)/, ''))
}

/** An IPv4 address at the end of an IPv6 one stands for two groups. */
function hexGroups(group: string): string[] {
  if (!group.includes('.')) return [group]
  const hex = group.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'))
  return [hex.slice(0, 2).join(''), hex.slice(2).join('')]
}
