import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../lib/errors/problem.ts'
import { createSmppPace } from './pace.ts'
import { parseSmppUrl, readSmppSecrets, readSmppSettings } from './settings.ts'

function detailOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.detail
  }
  assert.fail('nothing was refused')
}

describe('settings of a message centre', () => {
  it('are read from an address, with the secrets separated', () => {
    const { settings, secrets } = parseSmppUrl(
      'smpp://shop:p%40ss@smsc.example?window=50&long=sar&bind=pair&receiptId=dec&retryStatuses=1025,1026&systemType=VMA&tls=yes',
    )
    assert.deepEqual(secrets, { systemId: 'shop', password: 'p@ss' })
    assert.deepEqual(
      settings,
      readSmppSettings({
        host: 'smsc.example',
        port: 2775,
        window: 50,
        long: 'sar',
        bind: 'pair',
        receiptId: 'dec',
        retryStatuses: [1025, 1026],
        systemType: 'VMA',
        tls: true,
      }),
    )
    assert.doesNotMatch(JSON.stringify(settings), /p@ss|shop/)
    const secure = parseSmppUrl('smpps://shop:x@smsc.example').settings
    assert.deepEqual([secure.port, secure.tls, secure.verify], [3550, true, true])
    assert.equal(parseSmppUrl('smpp://smsc.example:2776').secrets, undefined)
  })

  it('are refused with the change to make and without the password', () => {
    const wrong: [string, RegExp][] = [
      ['smsc.example', /must be like smpp:/],
      ['smtp://smsc.example', /must be like smpp:/],
      ['smpp://a:hunter2@smsc.example?windw=4', /did you mean window/],
      ['smpp://a:hunter2@smsc.example?window=0', /window/],
      ['smpp://a:hunter2@smsc.example?long=both', /long/],
      ['smpp://a:hunter2@smsc.example?retryStatuses=1,x', /retryStatuses/],
      ['smpp://a:hunter2@smsc.example?systemType=far-too-long-a-type', /systemType/],
      ['smpp://a:hunter2hunter2@smsc.example', /password/],
      ['smpp://far-too-long-a-system-id:hunter2@smsc.example', /systemId/],
    ]
    for (const [url, pattern] of wrong) {
      const detail = detailOf(() => parseSmppUrl(url))
      assert.match(detail, pattern)
      assert.doesNotMatch(detail, /hunter2/)
    }
    assert.match(
      detailOf(() => readSmppSecrets({ systemId: 'a' })),
      /password/,
    )
    assert.match(
      detailOf(() => readSmppSettings({ host: 'a', password: 'b' })),
      /password|additional/i,
    )
  })
})

describe('SMPP pace', () => {
  it('limits the rate', () => {
    const pace = createSmppPace(10)
    assert.equal(pace.waitMs(1000), 0)
    pace.spend(1000)
    assert.equal(pace.waitMs(1000), 100)
    assert.equal(pace.waitMs(1100), 0)
    assert.equal(createSmppPace(0).waitMs(0), 0)
  })

  it('slows down further while throttling continues, and recovers at the first success', () => {
    const pace = createSmppPace(0, () => 0.5)
    const pauses: number[] = []
    let now = 1000
    for (let n = 0; n < 10; n++) {
      pace.throttle(now)
      pace.throttle(now + 1)
      pauses.push(pace.waitMs(now))
      now += pace.waitMs(now)
    }
    assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
    pace.ease()
    pace.throttle(now)
    assert.equal(pace.waitMs(now), 100)
  })
})
