import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sealListCursor } from '../../../src/lib/crypto/cursors.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, context, own } = stage

async function made(url: string, body: object): Promise<{ id: number | string }> {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const FIRST = '0001-01-01T00:00:00.000Z'
const LAST = '9999-12-31T23:59:59.999Z'

/** Dates that the calendar of this interface does not have, some of them by their offset alone. */
const beyond: (string | number)[] = [
  '9999-12-31T23:59:59-01:00',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T24:00',
  '0000-06-01',
  '+033658-09-27T01:46:40.000Z',
  '-000001-01-01T00:00:00.000Z',
  '253402300800000',
  Date.parse(LAST) + 1,
  Date.parse(FIRST) - 1,
  1e15,
]

const birth = await made('/fields', { type: 'date', name: 'Birth' })
const { id: email } = (await call('GET', '/fields')).body[0]
const contact = await stage.contact('dated@shop.example')
const action = await stage.action()
const planned = await stage.action({ type: 'mailCampaign' })
const hook = await made('/webhooks', { name: 'Dated', url: 'https://hooks.example/x', events: ['target.created'] })
const daily = { type: 'periodic', frequency: { occurs: { type: 'daily' } } }
const dynamic = (leaf: object) => ({ type: 'dynamic', name: 'Of a day', criteria: { all: [leaf] } })
const field = { type: 'field', field: birth.id }

/** Every body that takes a date, with one at the pointer that is to be named. */
const bodies: [string, string, (date: string | number) => object, string][] = [
  ['POST', '/campaigns', (startDate) => ({ name: 'Spring', startDate }), '/startDate'],
  ['POST', '/campaigns', (endDate) => ({ name: 'Spring', endDate }), '/endDate'],
  ['POST', '/display/campaign', (startDate) => ({ name: 'Banner', startDate }), '/startDate'],
  ['POST', '/display/campaign', (endDate) => ({ name: 'Banner', endDate }), '/endDate'],
  ['POST', '/segments', (expiration) => ({ type: 'static', name: 'Members', expiration }), '/expiration'],
  ['POST', '/segments', (value) => dynamic({ ...field, operator: 'before', value }), '/criteria/all/0/value'],
  ['POST', '/segments', (date) => dynamic({ ...field, operator: 'in', value: [date] }), '/criteria/all/0/value/0'],
  [
    'POST',
    '/segments',
    (start) => dynamic({ type: 'event', event: 'hit', period: { start } }),
    '/criteria/all/0/period/start',
  ],
  [
    'PUT',
    `/actions/${planned}`,
    (startDate) => ({ scheduler: { type: 'scheduled', startDate } }),
    '/scheduler/startDate',
  ],
  ['PUT', `/actions/${planned}`, (endDate) => ({ scheduler: { endDate } }), '/scheduler/endDate'],
  [
    'POST',
    '/imports',
    (startDate) => ({ name: 'Once', scheduler: { type: 'scheduled', startDate } }),
    '/scheduler/startDate',
  ],
  [
    'POST',
    '/imports',
    (end) => ({ name: 'Daily', scheduler: { ...daily, validity: { end } } }),
    '/scheduler/validity/end',
  ],
  ['POST', '/targets', (date) => ({ Email: 'new@shop.example', Birth: date }), '/Birth'],
  ['PUT', `/targets/${contact}`, (date) => ({ Birth: date }), '/Birth'],
  ['POST', `/targets/${contact}/redlist/mail`, (timestamp) => ({ timestamp }), '/timestamp'],
  ['PUT', `/targets/${contact}/bounces/${email}`, (timestamp) => ({ timestamp }), '/timestamp'],
]

/** Every parameter that takes a date. */
const parameters: [string, string][] = [
  ['/actions', 'creation_start'],
  ['/actions', 'creation_end'],
  ['/targets/redlist/mail', 'startDate'],
  ['/targets/redlist/sms', 'endDate'],
  ['/targets/bounces', 'startDate'],
  ['/targets/bounces', 'endDate'],
  ['/actions/archives', 'startDate'],
  [`/targets/${contact}/archives`, 'endDate'],
  ['/actions/events', 'start'],
  ['/actions/events', 'end'],
  [`/targets/${contact}/events`, 'end'],
  ['/actions/reactivities', 'activationStart'],
  ['/actions/reactivities', 'reactivityEnd'],
]

suite('dates beyond the years 0001 to 9999', () => {
  for (const [method, url, bodyOf, pointer] of bodies) {
    test(`are refused at ${pointer} of ${method} ${url.replace(/[0-9A-Z]{6,}/, '{id}')}`, async () => {
      for (const date of beyond) {
        const { status, text, body } = await call(method, url, { body: bodyOf(date) })
        assert.equal(status, 400, `${date}: ${text}`)
        assert.equal(body.errors[0].pointer, pointer, text)
      }
    })
  }

  for (const [url, name] of parameters) {
    test(`are refused as ${name} of ${url.replace(/[0-9A-Z]{6,}/, '{id}')}`, async () => {
      for (const date of beyond) {
        const { status, text, body } = await call('GET', `${url}?${name}=${encodeURIComponent(date)}`)
        assert.equal(status, 400, `${date}: ${text}`)
        assert.equal(body.errors[0].pointer, name, text)
      }
    })
  }

  test('are refused in bounce queries, dead letter replays and stamps', async () => {
    for (const date of beyond) {
      const query = encodeURIComponent(`after:${date}`)
      assert.equal((await call('GET', `/targets/bounces?query=${query}`)).status, 400)
      const replay = await call('POST', `/webhooks/${hook.id}/deadletters/replay`, { body: { start: date } })
      assert.equal(replay.status, 400, replay.text)
    }
    const item = (time: number) => ({ recipient: { type: 'id', value: contact }, stamp: { time } })
    for (const time of [Date.parse(LAST) + 1, -1, 1e15])
      assert.equal((await call('POST', `/actions/${action}/executions`, { body: [item(time)] })).status, 400)
  })

  test('are refused in forged cursors', async () => {
    const lists = {
      '/actions/archives': '/actions/archives',
      '/webhooks/:id/deadletters': `/webhooks/${hook.id}/deadletters`,
    }
    for (const [route, url] of Object.entries(lists)) {
      const cursor = (key: unknown) => sealListCursor(context.masterKeys, `${own.account} ${route}`, key)
      for (const date of [9e15, '+275760-09-13T00:00:00.000Z', '0000-01-01']) {
        const key = [date, '019a0000-0000-7000-8000-000000000000']
        assert.equal((await call('GET', `${url}?limit=1&after=${cursor(key)}`)).status, 400, `${url} ${date}`)
      }
    }
  })

  test('are refused only beyond the first and last valid date, which are returned as given', async () => {
    for (const date of [FIRST, LAST]) {
      const campaign = await made('/campaigns', { name: 'Edge', startDate: date, endDate: date })
      const shown = (await call('GET', `/campaigns/${campaign.id}`)).body
      assert.deepEqual([shown.startDate, shown.endDate], [date, date])
      const banner = await made('/display/campaign', { name: 'Edge', startDate: date, endDate: date })
      const seen = (await call('GET', `/display/campaign/${banner.id}`)).body
      assert.deepEqual([seen.startDate, seen.endDate], [date, date])
      const segment = await made('/segments', { type: 'static', name: `Edge ${date}`, expiration: date })
      assert.equal((await call('GET', `/segments/${segment.id}`)).body.expiration, date)
      const scheduler = { type: 'scheduled', startDate: date }
      const load = await made('/imports', { name: 'Edge', scheduler })
      assert.equal((await call('GET', `/imports/${load.id}`)).body.scheduler.startDate, date)
      const { body } = await call('PUT', `/targets/${contact}`, { body: { Birth: date } })
      assert.equal(body.fields[birth.id], date)
    }
  })

  test('are refused where a zoned start would reach them in any time zone', async () => {
    const put = (scheduler: object) => call('PUT', `/actions/${planned}`, { body: { scheduler } })
    for (const startDate of [FIRST, LAST, '0001-01-01T13:59:59.999', '9999-12-31T10:00', '9999-12-31T10:00-14:00']) {
      const { status, body } = await put({ type: 'timeZoneSchedule', startDate })
      assert.deepEqual([status, body.errors?.[0].pointer], [400, '/scheduler/startDate'], startDate)
    }
    for (const startDate of ['0001-01-01T14:00:00.000Z', '9999-12-31T09:59:59.999Z'])
      assert.equal((await put({ type: 'timeZoneSchedule', startDate })).body.scheduler.startDate, startDate)
    // The same digits as an instant, which another type of scheduler then would be read as local time.
    assert.equal((await put({ type: 'scheduled', startDate: LAST })).status, 200)
    assert.equal((await put({ type: 'timeZoneSchedule' })).status, 400)
  })

  test('are not reached by a schedule, which has no next date after the last day of 9999', async () => {
    const { id } = await made('/imports', {
      name: 'To the end of days',
      scheduler: { ...daily, validity: { start: LAST } },
    })
    assert.equal((await call('GET', `/imports/${id}`)).body.scheduler.nextDate ?? null, null)
  })
})
