import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { isSmsCallbackSigned, parseSmsCallback, type SmsCallbackRequest } from './hook.ts'
import { readSmsHttpConfig } from './settings.ts'

const now = Date.UTC(2026, 2, 20, 8)

const settingsWith = (more: object) =>
  readSmsHttpConfig({ url: 'https://sms.example/', method: 'GET', ...more }, undefined).settings

const get = (query: string): SmsCallbackRequest => ({
  method: 'GET',
  query,
  contentType: undefined,
  body: Buffer.alloc(0),
})
const post = (body: string | object, contentType = 'application/json'): SmsCallbackRequest => ({
  method: 'POST',
  query: '',
  contentType,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

const report = {
  type: 'report',
  id: 'A1',
  status: 'failed',
  error: '27',
  from: 'SHOP',
  to: '+33601020304',
  time: '2026-03-20T07:59:00Z',
}
const reply = { type: 'reply', id: 'R1', from: '+33601020304', to: '36111', text: 'STOP' }

describe('callbacks of an HTTP SMS provider', () => {
  it('are read the same from JSON, a form and a query', () => {
    const form = new URLSearchParams(report).toString()
    const expected = {
      reference: 'A1',
      state: 'UNDELIV',
      error: '027',
      from: 'SHOP',
      to: '+33601020304',
      time: Date.UTC(2026, 2, 20, 7, 59),
      diagnostic: JSON.stringify(report),
    }
    for (const request of [post(report), post(form, 'application/x-www-form-urlencoded'), get(form)])
      assert.deepEqual(parseSmsCallback(request, settingsWith({}), now), { receipts: [expected], replies: [] })
    assert.deepEqual(parseSmsCallback(post([report, reply]), settingsWith({}), now)?.replies, [
      { id: 'R1', from: '+33601020304', to: '36111', text: 'STOP', time: now },
    ])
  })

  it('map every known status, and treat unknown ones as not final', () => {
    const states = ['delivered', 'failed', 'expired', 'rejected', 'unknown', 'DELIVERED', 'sent', undefined].map(
      (status) => parseSmsCallback(post({ ...report, status }), settingsWith({}), now)?.receipts[0]?.state,
    )
    assert.deepEqual(states, ['DELIVRD', 'UNDELIV', 'EXPIRED', 'REJECTD', 'UNKNOWN', 'DELIVRD', 'ENROUTE', 'ENROUTE'])
  })

  it('are read from the members named in the settings', () => {
    const settings = settingsWith({
      numbers: 'digits',
      hook: {
        list: '/results',
        type: 'kind',
        id: '/message/id',
        status: '/message/state',
        error: 'err-code',
        from: 'msisdn',
        to: 'recipient',
        text: 'content',
        time: 'ts',
        types: { dlr: 'report', mo: 'reply' },
        statuses: { D: 'delivered', X: 'rejected', buffered: 'pending' },
      },
    })
    const dlr = (state: string) => ({
      kind: 'dlr',
      message: { id: 7, state },
      'err-code': 0,
      msisdn: '36111',
      recipient: '33601020304',
      ts: '1773993540',
    })
    const mo = {
      kind: 'mo',
      message: { id: 'm1' },
      msisdn: '33601020304',
      recipient: '36111',
      content: 'hi',
      ts: 1773993540123,
    }
    const found = parseSmsCallback(post({ results: [dlr('D'), dlr('X'), dlr('buffered'), mo] }), settings, now)
    assert.deepEqual(
      found?.receipts.map(({ reference, state, error, to, time }) => [reference, state, error, to, time]),
      [
        ['7', 'DELIVRD', null, '+33601020304', 1773993540000],
        ['7', 'REJECTD', null, '+33601020304', 1773993540000],
        ['7', 'ENROUTE', null, '+33601020304', 1773993540000],
      ],
    )
    assert.deepEqual(found?.replies, [{ id: 'm1', from: '+33601020304', to: '36111', text: 'hi', time: 1773993540123 }])
  })

  it('without a type are recognised by their members', () => {
    const { type: _, ...untyped } = report
    assert.equal(parseSmsCallback(post(untyped), settingsWith({}), now)?.receipts.length, 1)
    assert.equal(parseSmsCallback(post({ from: 'a', to: 'b', text: 'c' }), settingsWith({}), now)?.replies.length, 1)
  })

  it('get the current time when theirs is implausible', () => {
    for (const time of ['1', '99999999999999', 'yesterday', '', null])
      assert.equal(
        parseSmsCallback(post({ ...report, time }), settingsWith({}), now)?.receipts[0]?.time,
        now,
        String(time),
      )
  })

  it('are not read when they are not objects or more than 1,000', () => {
    const malformed = ['', '{', '7', 'null', '[1]', '[[]]', JSON.stringify(Array(1001).fill(report))]
    for (const body of malformed)
      assert.ok(parseSmsCallback(post(body), settingsWith({}), now) === undefined, body.slice(0, 20))
    assert.deepEqual(parseSmsCallback(post('[]'), settingsWith({}), now), { receipts: [], replies: [] })
    assert.equal(parseSmsCallback(post({}), settingsWith({ hook: { list: '/none' } }), now), undefined)
    const odd = parseSmsCallback(post('{"__proto__": {"id": "x"}, "type": "report"}'), settingsWith({}), now)
    assert.equal(odd?.receipts[0]?.reference, '')
  })

  it('are signed over the body or the query', () => {
    const sign = (data: string) => createHmac('sha256', 'key').update(data).digest('hex')
    const request = post(report)
    assert.ok(isSmsCallbackSigned('key', request, sign(JSON.stringify(report))))
    assert.ok(isSmsCallbackSigned('key', request, sign(JSON.stringify(report)).toUpperCase()))
    assert.ok(isSmsCallbackSigned('key', get('a=1'), sign('a=1')))
    for (const signature of [undefined, '', 'zz', sign('other'), `${sign(JSON.stringify(report))}00`])
      assert.ok(!isSmsCallbackSigned('key', request, signature), String(signature))
  })
})
