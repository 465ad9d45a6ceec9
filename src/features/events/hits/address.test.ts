import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptAddress, plainAddress } from './address.ts'

test('a truncated address loses its host bits: IPv4 keeps /24 and IPv6 /48', () => {
  assert.equal(keptAddress('203.0.113.77', 'truncated'), '203.0.113.0')
  assert.equal(keptAddress('::ffff:203.0.113.77', 'truncated'), '203.0.113.0')
  assert.equal(keptAddress('2001:db8:5:1:2:3:4:5', 'truncated'), '2001:db8:5::')
  assert.equal(keptAddress('2001:0DB8:0005::1', 'truncated'), '2001:db8:5::')
  assert.equal(keptAddress('2001:db8::1', 'truncated'), '2001:db8::')
  assert.equal(keptAddress('2001::5:1', 'truncated'), '2001::')
  assert.equal(keptAddress('2001:0:5::1', 'truncated'), '2001:0:5::')
  assert.equal(keptAddress('::1', 'truncated'), '::')
  assert.equal(keptAddress('fe80::1%eth0', 'truncated'), 'fe80::')
})

test('the setting retains the whole address or nothing', () => {
  assert.equal(keptAddress('203.0.113.77', 'full'), '203.0.113.77')
  assert.equal(keptAddress('203.0.113.77', 'none'), null)
  assert.equal(keptAddress(null, 'full'), null)
})

test('invalid addresses become null', () => {
  assert.equal(plainAddress('unknown'), null)
  assert.equal(plainAddress(''), null)
  assert.equal(plainAddress(undefined), null)
})
