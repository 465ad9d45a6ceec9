import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZoneOrOffset, parseTimeZone } from './zones.ts'

test('the name of a zone stays the one that was given, in the spelling of the IANA database', () => {
  for (const name of [
    'Europe/Kyiv',
    'Europe/Kiev',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'EST',
    'US/Eastern',
    'UTC',
    'Etc/UTC',
  ])
    assert.equal(parseTimeZone(name), name)
  assert.equal(parseTimeZone('europe/paris'), 'Europe/Paris')
})

test('offsets, dates and other words are no names of zones', () => {
  for (const text of [
    '',
    '+02:00',
    '-05:00',
    'Paris',
    'Europe/Atlantis',
    '2026-01-01T00:00Z',
    '2026-01-01[Europe/Paris]',
    ' UTC',
  ])
    assert.equal(parseTimeZone(text), undefined, text)
})

test('clocks go by names and by offsets', () => {
  for (const text of ['Europe/Kyiv', 'est', '+02:00', '-03:30']) assert.ok(isTimeZoneOrOffset(text), text)
  for (const text of ['2', '02:00', '+2', 'Z', '2026-01-01T00:00Z']) assert.ok(!isTimeZoneOrOffset(text), text)
})
