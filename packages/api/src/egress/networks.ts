import { BlockList, isIP } from 'node:net'

const bits = { 4: 32, 6: 128 } as const
const families = { 4: 'ipv4', 6: 'ipv6' } as const

/** Parses CIDR notation; null if invalid. A single address is a network with the full prefix. */
export function parseNetwork(cidr: string) {
  const [address = '', length] = cidr.split('/')
  const version = isIP(address)
  if (version !== 4 && version !== 6) return null
  const prefix = length === undefined ? bits[version] : Number(length)
  return prefix <= bits[version] ? { address, prefix, family: families[version] } : null
}

/** The union of the valid networks. */
export function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const network = parseNetwork(cidr)
    if (network) list.addSubnet(network.address, network.prefix, network.family)
  }
  return list
}

/** Treats an IPv4-mapped IPv6 address as its IPv4 address. */
export function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address)
  return (version === 4 || version === 6) && list.check(address, families[version])
}
