import { isIP } from 'node:net'

import { blockList, isIn, parseNetwork } from '#egress/networks'

export const isNetwork = (cidr: string) => parseNetwork(cidr) !== null

/** Whether the address is in one of the networks. An empty list allows every address. */
export const isAllowed = (address: string, cidrs: readonly string[]) =>
  cidrs.length === 0 || isIn(blockList(cidrs), plainAddress(address))

/**
 * Whether the union of `networks` contains every address of `cidr`. An empty list contains every
 * address. Treats IPv4-mapped addresses as `isAllowed` does.
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
 * The first and the last address of a network as 128-bit numbers. IPv4 maps to ::ffff:0:0/96 as in
 * `BlockList`, so `::/0` contains every IPv4 address.
 */
function rangeOf(cidr: string): { first: bigint; last: bigint } | null {
  const network = parseNetwork(cidr)
  if (network === null) return null
  const { address, prefix } = network
  const is4 = network.family === 'ipv4'
  const groups = groupsOf(is4 ? `::ffff:${address}` : address)
  const number = BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`)
  const size = 1n << BigInt(is4 ? 32 - prefix : 128 - prefix)
  const first = number - (number % size)
  return { first, last: first + size - 1n }
}

/** Unwraps an IPv4-mapped IPv6 address, which dual-stack sockets report for IPv4 clients. */
const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** The /24 or /48 network of an address: shows misuse, but does not identify a person. */
export const networkPrefix = (address: string) => prefixOf(address, { 4: 24, 6: 48 })

/** Rate limiting counts per IPv4 address or per IPv6 /64, because one client owns a whole /64. */
export const rateLimitPrefix = (address: string) => prefixOf(address, { 4: 32, 6: 64 })

/** The network of an address with the given prefix lengths; null if it is not an address. */
function prefixOf(address: string, length: { 4: 24 | 32; 6: 48 | 64 }): string | null {
  const plain = plainAddress(address)
  if (isIP(plain) === 4) return length[4] === 32 ? plain : `${plain.split('.', 3).join('.')}.0/24`
  if (isIP(plain) !== 6) return null
  const groups = groupsOf(plain).slice(0, length[6] / 16)
  return `${groups.join(':')}::/${length[6]}`
}

/** The eight groups of an IPv6 address, in hexadecimal, without leading zeros. */
function groupsOf(address: string): string[] {
  const [plain = ''] = address.split('%')
  // A URL has the canonical form, in which no group is decimal.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail]
}
