import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeIpAddress, truncateIpAddress } from './address.ts'

test('a truncated address loses its host bits: IPv4 keeps /24 and IPv6 /48', () => {
  assert.equal(truncateIpAddress('203.0.113.77', 'truncated'), '203.0.113.0')
  assert.equal(truncateIpAddress('::ffff:203.0.113.77', 'truncated'), '203.0.113.0')
  assert.equal(truncateIpAddress('2001:db8:5:1:2:3:4:5', 'truncated'), '2001:db8:5::')
  assert.equal(truncateIpAddress('2001:0DB8:0005::1', 'truncated'), '2001:db8:5::')
  assert.equal(truncateIpAddress('2001:db8::1', 'truncated'), '2001:db8::')
  assert.equal(truncateIpAddress('2001::5:1', 'truncated'), '2001::')
  assert.equal(truncateIpAddress('2001:0:5::1', 'truncated'), '2001:0:5::')
  assert.equal(truncateIpAddress('::1', 'truncated'), '::')
  assert.equal(truncateIpAddress('fe80::1%eth0', 'truncated'), 'fe80::')
})

test('the setting retains the whole address or nothing', () => {
  assert.equal(truncateIpAddress('203.0.113.77', 'full'), '203.0.113.77')
  assert.equal(truncateIpAddress('203.0.113.77', 'none'), null)
  assert.equal(truncateIpAddress(null, 'full'), null)
})

test('invalid addresses become null', () => {
  assert.equal(normalizeIpAddress('unknown'), null)
  assert.equal(normalizeIpAddress(''), null)
  assert.equal(normalizeIpAddress(undefined), null)
})
