import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { within } from '#test/support/processes/processor-time.ts'
import { classifySmsHttpAnswer } from './answer.ts'
import { readSmsHttpConfig } from './settings.ts'

const now = Date.UTC(2026, 2, 20, 8)

const settingsWith = (answer: object) =>
  readSmsHttpConfig({ url: 'https://sms.example/', method: 'GET', answer }, undefined).settings

const nested = settingsWith({
  reference: { pointer: '/messages/0/message-id' },
  error: { pointer: '/messages/0/status' },
  diagnostic: { pointer: '/messages/0/error-text' },
  accepted: ['0'],
  deferred: ['1', '5'],
  invalidNumber: ['3'],
  sender: ['15'],
  settings: ['4'],
})

const nestedBody = (status: unknown, more: object = {}) =>
  JSON.stringify({ messages: [{ status, 'message-id': 'A1', ...more }] })

function judged(settings: ReturnType<typeof settingsWith>, status: number, body: string, retryAfter?: string) {
  const { outcome, pauseMs } = classifySmsHttpAnswer({ id: 9, mta: 'x', now }, { status, retryAfter, body }, settings)
  return [
    outcome.result,
    'stage' in outcome ? outcome.stage : undefined,
    'gatewayCode' in outcome ? outcome.gatewayCode : 'reference' in outcome ? outcome.reference : undefined,
    pauseMs,
  ]
}

describe('response of an HTTP SMS provider', () => {
  it('is read with pointers', () => {
    const cases: [unknown, number, unknown[]][] = [
      ['0', 200, ['accepted', undefined, 'A1', undefined]],
      [0, 200, ['accepted', undefined, 'A1', undefined]],
      ['1', 200, ['deferred', 'data', '1', undefined]],
      ['3', 200, ['refused', 'rcpt', '3', undefined]],
      ['15', 200, ['refused', 'mail', '15', undefined]],
      ['4', 200, ['refused', 'connect', '4', undefined]],
      ['99', 200, ['refused', 'rcpt', '99', undefined]],
      ['3', 400, ['refused', 'rcpt', '3', undefined]],
      ['5', 500, ['deferred', 'data', '5', undefined]],
    ]
    for (const [word, status, expected] of cases) assert.deepEqual(judged(nested, status, nestedBody(word)), expected)
    const { outcome } = classifySmsHttpAnswer(
      { id: 9, mta: 'x', now },
      { status: 200, retryAfter: undefined, body: nestedBody('3', { 'error-text': 'no such\r\nnumber' }) },
      nested,
    )
    assert.ok(outcome.result === 'refused')
    assert.deepEqual([outcome.enhanced, outcome.reply], ['5.1.1', '200 no such number'])
  })

  it('is read with patterns', () => {
    const settings = settingsWith({
      reference: { pattern: '^OK: (\\S+)' },
      error: { pattern: '^ERR: (\\d+)' },
      invalidNumber: ['105'],
    })
    assert.deepEqual(judged(settings, 200, 'OK: 12ab\n'), ['accepted', undefined, '12ab', undefined])
    assert.deepEqual(judged(settings, 200, 'ERR: 105 wrong'), ['refused', 'rcpt', '105', undefined])
    assert.deepEqual(judged(settings, 202, ''), ['accepted', undefined, '9', undefined])
  })

  it('is read in bounded processor time by any pattern', () => {
    const settings = settingsWith({ error: { pattern: '^(a+)+b' } })
    const outcome = within(1000, () => judged(settings, 200, 'a'.repeat(64 * 1024)))
    assert.deepEqual(outcome, ['accepted', undefined, '9', undefined])
  })

  it('is doubtful when it does not say whether the message was accepted', () => {
    assert.equal(judged(nested, 200, '<html>')[0], 'doubtful')
    assert.deepEqual(judged(nested, 500, ''), ['doubtful', undefined, undefined, 5000])
    assert.equal(judged(nested, 504, '', '30')[3], 30_000)
  })

  it('is judged by its status when the body has no result', () => {
    const plain = settingsWith({})
    const cases: [number, unknown[]][] = [
      [204, ['accepted', undefined, '9', undefined]],
      [301, ['deferred', 'connect', '301', 60_000]],
      [400, ['refused', 'rcpt', '400', undefined]],
      [401, ['deferred', 'connect', '401', 60_000]],
      [404, ['deferred', 'connect', '404', 60_000]],
      [429, ['deferred', 'data', '429', 5000]],
      [503, ['deferred', 'data', '503', 5000]],
      [502, ['doubtful', undefined, undefined, 5000]],
    ]
    for (const [status, expected] of cases) assert.deepEqual(judged(plain, status, ''), expected, String(status))
    assert.deepEqual(judged(settingsWith({ deferredStatuses: [500] }), 500, ''), ['deferred', 'data', '500', 5000])
  })
})
