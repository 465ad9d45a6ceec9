import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fillReportPoints } from '../../console/screens/messages/report/report-points.ts'
import { formatShare } from '../../console/text/share.ts'

const HOUR_MS = 3_600_000

suite('figures of a report', () => {
  test('a share of some is never none, and of nearly all never all', () => {
    assert.equal(formatShare('en-GB', 39_702 / 39_962, 1), '99.3%')
    assert.equal(formatShare('en-GB', 39_961 / 39_962, 1), '99.9%')
    assert.equal(formatShare('en-GB', 3 / 39_962, 1), '<0.1%')
    assert.equal(formatShare('en-GB', 3 / 39_962, 2), '<0.01%')
    assert.equal(formatShare('fr-FR', 0.0001, 1).replaceAll(/\s/gu, ' '), '<0,1 %')
    assert.deepEqual(
      [0, 0.5, 1].map((share) => formatShare('en-GB', share, 1)),
      ['0%', '50%', '100%'],
    )
    assert.equal(formatShare('en-GB', 0.004, 0), '0%')
  })

  test('one hour of activity is drawn in the day that led to it, by the hour', () => {
    const at = '2026-03-05T10:00:00.000Z'
    const { step, points } = fillReportPoints([{ at, sends: 3, opens: 2, clicks: 1 }])
    assert.equal(step, HOUR_MS)
    assert.equal(points.length, 24)
    assert.equal(points[0]!.at, '2026-03-04T11:00:00.000Z')
    assert.deepEqual(points.at(-1), { at, sends: 3, opens: 2, clicks: 1 })
  })

  test('activity over more than a week is drawn by the day', () => {
    const days = ['2026-03-01T00:00:00.000Z', '2026-03-12T00:00:00.000Z']
    const { step, points } = fillReportPoints(days.map((at) => ({ at, sends: 1, opens: 0, clicks: 0 })))
    assert.deepEqual([step, points.length], [24 * HOUR_MS, 12])
    assert.deepEqual(fillReportPoints([]).points, [])
  })
})
