import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as fc from 'fast-check'

import { isAllowed, isWithin } from '#domain/auth/addresses'
import { size } from '#test/support/size'

const octet = fc.nat({ max: 255 })

/** A network of at most 256 addresses, in one of its notations. */
const notations = {
  ipv4: (last: number, length: number) => `10.1.2.${last}/${24 + length}`,
  mapped: (last: number, length: number) => `::ffff:10.1.2.${last}/${120 + length}`,
  hexadecimal: (last: number, length: number) =>
    `0:0:0:0:0:FFFF:0a01:02${last.toString(16).padStart(2, '0')}/${120 + length}`,
  ipv6: (last: number, length: number) => `2001:db8::${last.toString(16)}/${120 + length}`,
}
const network = fc
  .tuple(fc.constantFrom(...Object.values(notations)), octet, fc.nat({ max: 8 }))
  .map(([write, last, length]) => write(last, length))

/** Every address that these networks can contain. */
const addresses = Array.from({ length: 256 }, (_, last) => [
  `10.1.2.${last}`,
  `2001:db8::${last.toString(16)}`,
]).flat()

test('reports a network as covered exactly when all its addresses are covered', () => {
  fc.assert(
    fc.property(network, fc.array(network, { minLength: 1, maxLength: 6 }), (inner, outer) => {
      const isCovered = addresses.every(
        (address) => !isAllowed(address, [inner]) || isAllowed(address, outer),
      )
      assert.equal(isWithin(inner, outer), isCovered)
    }),
    { numRuns: size(200, 1000) },
  )
})

const cidr = fc.oneof(
  fc.tuple(fc.ipV4(), fc.nat({ max: 32 })).map(([address, length]) => `${address}/${length}`),
  fc.tuple(fc.ipV6(), fc.nat({ max: 128 })).map(([address, length]) => `${address}/${length}`),
  fc.ipV4().map((address) => `::ffff:${address}`),
)
const addressOf = (written: string) => written.split('/')[0] ?? ''

test('covers exactly the addresses of a network, for any prefix length', () => {
  fc.assert(
    fc.property(cidr, fc.array(cidr, { maxLength: 4 }), (one, others) => {
      assert.ok(isWithin(one, [one, ...others]))
      assert.ok(isWithin(one, []), 'an empty list allows every network')
      assert.ok(isWithin(one, ['::/0']))
      const all = others.length === 0 ? [one] : others
      assert.equal(isWithin(addressOf(one), all), isAllowed(addressOf(one), all))
      if (isWithin(one, all)) assert.ok(isAllowed(addressOf(one), all))
    }),
    { numRuns: size(200, 1000) },
  )
})

test('covers a network by its two halves, also at the boundary of IPv4-mapped addresses', () => {
  assert.ok(isWithin('0.0.0.0/0', ['128.0.0.0/1', '0.0.0.0/1']))
  assert.ok(isWithin('::/0', ['8000::/1', '::/1']))
  assert.ok(isWithin('::ffff:0:0/96', ['0.0.0.0/0']))
  assert.ok(!isWithin('::ffff:0:0/95', ['0.0.0.0/0']))
  assert.ok(!isWithin('::/0', ['0.0.0.0/0']))
  assert.ok(!isWithin('10.0.0.0/8', ['10.0.0.0/9', '10.128.0.0/10']))
})
