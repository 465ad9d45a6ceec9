import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatAgo } from '../../console/text/format.ts'
import { createPresentTime } from '../../console/text/present.ts'

const NOON = Date.UTC(2026, 2, 20, 12)
const MINUTE_MS = 60_000

suite('times of the console', () => {
  test('the present is read again after no time was shown for a while', () => {
    let clock = NOON
    const readPresent = createPresentTime(() => clock)
    clock += 6 * MINUTE_MS
    assert.equal(readPresent(), clock)
  })

  test('the present stays the same within half a minute, so that one rendering sees one time', () => {
    let clock = NOON
    const readPresent = createPresentTime(() => clock)
    clock += 20_000
    assert.equal(readPresent(), NOON)
  })

  test('what was just saved is never in the future while the clock moves', () => {
    let clock = NOON
    const readPresent = createPresentTime(() => clock)
    const shown: (string | undefined)[] = []
    for (const step of [0, 25_000, 6 * MINUTE_MS, 65 * MINUTE_MS]) {
      clock = NOON + step
      shown.push(formatAgo('en-GB', clock, readPresent()))
    }
    assert.deepEqual(shown, ['now', 'now', 'now', 'now'])
  })

  test('a moment of a service whose clock is ahead is now, not later', () => {
    assert.equal(formatAgo('en-GB', NOON + 6 * MINUTE_MS, NOON), 'now')
    assert.equal(formatAgo('fr-FR', NOON + 6 * MINUTE_MS, NOON), 'maintenant')
  })

  test('a moment is told in minutes, then in hours, and as a date from a day on', () => {
    const ago = (minutes: number) => formatAgo('en-GB', NOON - minutes * MINUTE_MS, NOON)
    assert.deepEqual(
      [ago(1), ago(59), ago(60), ago(23 * 60 + 59), ago(24 * 60)],
      ['1 minute ago', '59 minutes ago', '1 hour ago', '23 hours ago', undefined],
    )
  })
})
