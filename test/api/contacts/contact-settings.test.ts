import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHarness } from '../../support/harness.ts'

const { call, context, makeKey, other, own } = await startHarness()

const defaults = {
  defaultCountry: 'FRA',
  timeZone: 'UTC',
  dateOrder: 'dmy',
  decimalMark: 'point',
  softBounce: { count: 5, days: 30 },
  forgetRedListOnDelete: false,
  importMaxBytes: 5_368_709_120,
  sourceRetentionDays: 30,
  rejectsRetentionDays: 90,
}

test('a new account has the default contact settings', async () => {
  assert.deepEqual((await call('GET', '/settings/contacts')).body, defaults)
})

test('a partial change of contact settings leaves the others and the other account unchanged', async () => {
  const body = { defaultCountry: 'gb', timeZone: 'europe/paris', softBounce: { count: 3 }, unknown: 1 }
  const expected = { ...defaults, defaultCountry: 'GBR', timeZone: 'Europe/Paris', softBounce: { count: 3, days: 30 } }
  const answer = await call('PUT', '/settings/contacts', { body })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, expected)
  assert.deepEqual((await call('GET', '/settings/contacts')).body, expected)
  assert.deepEqual((await call('PUT', '/settings/contacts', { body: {} })).body, expected)
  assert.deepEqual((await call('GET', '/settings/contacts', { key: other.key })).body, defaults)
})

test('only contact settings that differ from the defaults are stored, next to those of other areas', async () => {
  await context.pool.query(
    `update accounts set settings = settings || '{"sending": {"culture": "fr-FR"}}' where id = $1`,
    [own.account],
  )
  await call('PUT', '/settings/contacts', { body: { ...defaults, dateOrder: 'mdy', decimalMark: 'comma' } })
  const { rows } = await context.pool.query('select settings from accounts where id = $1', [own.account])
  assert.deepEqual(rows[0].settings, {
    contacts: { dateOrder: 'mdy', decimalMark: 'comma' },
    sending: { culture: 'fr-FR' },
  })
  await call('PUT', '/settings/contacts', { body: defaults })
})

test('invalid contact settings are 400 with pointers and change nothing', async () => {
  const cases: [object, string][] = [
    [{ defaultCountry: 'ZZZ' }, '/defaultCountry'],
    [{ timeZone: 'Mars/Phobos' }, '/timeZone'],
    [{ timeZone: '+02:00' }, '/timeZone'],
    [{ dateOrder: 'ymd' }, '/dateOrder'],
    [{ decimalMark: '.' }, '/decimalMark'],
    [{ softBounce: { count: 0 } }, '/softBounce/count'],
    [{ forgetRedListOnDelete: 'yes' }, '/forgetRedListOnDelete'],
    [{ importMaxBytes: 1.5 }, '/importMaxBytes'],
    [{ sourceRetentionDays: 0 }, '/sourceRetentionDays'],
  ]
  for (const [body, pointer] of cases) {
    const answer = await call('PUT', '/settings/contacts', { body: { rejectsRetentionDays: 7, ...body } })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.equal(answer.body.errors[0].pointer, pointer)
  }
  assert.deepEqual((await call('GET', '/settings/contacts')).body, defaults)
})

test('contact settings require the admin right to change', async () => {
  const key = await makeKey(own.account, ['read', 'write', 'send'])
  assert.equal((await call('GET', '/settings/contacts', { key })).status, 200)
  assert.equal((await call('PUT', '/settings/contacts', { key, body: {} })).status, 403)
})

test('contact settings respect If-Match', async () => {
  const { headers } = await call('GET', '/settings/contacts')
  const ifMatch = { 'if-match': String(headers['etag']) }
  const change = (days: number) =>
    call('PUT', '/settings/contacts', { body: { sourceRetentionDays: days }, headers: ifMatch })
  const changed = await change(7)
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers['etag'], headers['etag'])
  assert.equal((await change(8)).status, 412)
  assert.equal((await call('GET', '/settings/contacts')).body.sourceRetentionDays, 7)
  await call('PUT', '/settings/contacts', { body: defaults })
})
