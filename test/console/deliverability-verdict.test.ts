import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { judgeDestination, rankDestinations } from '../../console/screens/deliverability/verdict.ts'

const figures = (
  destination: string,
  { sent = 1000, complaints = 0, hard = 0 }: { sent?: number; complaints?: number; hard?: number },
) => ({
  destination,
  sent,
  refused: 0,
  bounces: { hard, soft: 0 },
  complaints,
  bounceRate: hard / sent,
  complaintRate: complaints / sent,
})

suite('verdict on deliverability', () => {
  test('names the figure that is furthest above its limit', () => {
    assert.deepEqual(judgeDestination(figures('gmail.com', { complaints: 100, hard: 60 })), {
      level: 'bad',
      cause: { of: 'complaints', rate: 0.1, limit: 0.003 },
    })
    assert.deepEqual(judgeDestination(figures('gmail.com', { complaints: 2, hard: 0 })), {
      level: 'watch',
      cause: { of: 'complaints', rate: 0.002, limit: 0.001 },
    })
  })

  test('a single complaint, or a handful of messages, is no alarm', () => {
    assert.equal(judgeDestination(figures('small.example', { sent: 100, complaints: 1 })).level, 'good')
    assert.equal(judgeDestination(figures('tiny.example', { sent: 4, complaints: 2 })).level, 'few')
  })

  test('the worst provider is first, then the largest', () => {
    const rows = [
      figures('large.example', { sent: 90_000 }),
      figures('watched.example', { complaints: 2 }),
      figures('bouncing.example', { hard: 60 }),
      figures('larger.example', { sent: 95_000 }),
      figures('complaining.example', { complaints: 100 }),
    ]
    assert.deepEqual(
      rankDestinations(rows).map(({ row }) => row.destination),
      ['complaining.example', 'bouncing.example', 'watched.example', 'larger.example', 'large.example'],
    )
  })
})
