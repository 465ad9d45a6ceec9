import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import { assignContactMinute } from '../../../src/sending/plan/best-times.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { action, app, call, clock, contact, context, gateway, get, own, segment, settle, validated, work } = stage
const { db } = context
const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const HOUR = 3_600_000

await call('PUT', '/settings/contacts', { body: { timeZone: 'UTC' } })
const zone = (await call('POST', '/fields', { body: { type: 'textField', name: 'Zone' } })).body.id

const shownHours = async (id: string) =>
  (
    await db
      .selectFrom('contact_hours')
      .select(['hour', 'hits'])
      .where('account', '=', own.account)
      .where('contact', '=', parseContactId(id)!)
      .orderBy('hour')
      .execute()
  ).map(({ hour, hits }) => [hour, hits])

suite('the best time', () => {
  test("is learned from hits by people only, in the account's time zone, and erased with the contact", async ({
    signal,
  }) => {
    clock.set(Date.now())
    const id = await contact('reader@best.example')
    const message = await validated(await action())
    await call('POST', `/actions/${message}/execution`, { body: { recipient: { type: 'id', value: id } } })
    await settle()
    clock.advance(HOUR)
    const mail = await simpleParser(gateway.to('reader@best.example').at(-1)!.bytes)
    const url = /\/t\/r\/[\w-]{72}/.exec(String(mail.html))![0]
    const visit = (agent: string) => app.inject({ url, headers: { 'user-agent': agent } })
    await visit(READER)
    await visit(READER)
    await visit('Googlebot/2.1 (+http://www.google.com/bot.html)')
    await eventually(async () => {
      await finalizeHits(db)
      return (await db.selectFrom('unsettled_hits').select('event').execute()).length === 0
    }, signal)
    const now = new Date(clock.now())
    const hour = ((now.getUTCDay() + 6) % 7) * 24 + now.getUTCHours()
    assert.deepEqual(await shownHours(id), [[hour, 2]])
    const all = await db
      .selectFrom('account_hours')
      .select(['hour', 'hits'])
      .where('account', '=', own.account)
      .execute()
    assert.deepEqual(
      all.map((row) => [row.hour, Number(row.hits)]),
      [[hour, 2]],
    )
    await purgeExpiredRows(context, 'forgetOldHours', clock.now() + 300 * 24 * HOUR)
    assert.equal((await shownHours(id)).length, 1)
    await purgeExpiredRows(context, 'forgetOldHours', clock.now() + 420 * 24 * HOUR)
    assert.equal((await shownHours(id)).length, 0)
  })

  test('decides when each message of a campaign leaves after startDate, and past times mean at once', async () => {
    clock.set('2027-01-14T08:00:00.000Z')
    const early = await contact('early@best.example')
    const late = await contact('late@best.example', { Zone: 'America/New_York' })
    // 2027-01-15 is a Friday: own hits at 14:00 UTC, and at 12:00 in New York.
    await sql`insert into contact_hours (account, contact, month, hour, hits) values
      (${own.account}, ${parseContactId(early)!}, '2027-01-01', ${4 * 24 + 14}, 5),
      (${own.account}, ${parseContactId(late)!}, '2027-01-01', ${4 * 24 + 12}, 5)`.execute(db)
    const nobody = await contact('nobody@best.example')
    const selected = [await segment([early, late, nobody])]
    const scheduler = {
      type: 'bestTime',
      startDate: '2027-01-15T09:30:00Z',
      segments: { selected },
      timeZoneField: zone,
    }
    const id = await validated(await action({ type: 'mailCampaign', scheduler }))
    const shown = (await get(id)).scheduler
    assert.deepEqual([shown.type, shown.windowHours, shown.startDate], ['bestTime', 24, '2027-01-15T09:30:00.000Z'])
    assert.equal(await stage.state(id), 50)
    clock.set('2027-01-15T09:30:00.000Z')
    await stage.advance()
    await work()
    assert.equal(await stage.state(id), 55)
    const { sending } = await db
      .selectFrom('actions')
      .select('sending')
      .where('id', '=', parseActionId(id)!)
      .executeTakeFirstOrThrow()
    const rows = await db
      .selectFrom('messages')
      .select(['contact', 'not_before'])
      .where('sending', '=', sending!)
      .execute()
    const dueOf = (who: string) => rows.find((row) => row.contact === parseContactId(who)!)?.not_before.toISOString()
    const minute = (who: string) => String(assignContactMinute(own.account, parseContactId(who)!)).padStart(2, '0')
    assert.equal(dueOf(early), `2027-01-15T14:${minute(early)}:00.000Z`)
    assert.equal(dueOf(late), `2027-01-15T17:${minute(late)}:00.000Z`)
    // Without habits the first hour; what of it is past is now.
    const first = `2027-01-15T09:${minute(nobody)}:00.000Z`
    assert.equal(dueOf(nobody), first < '2027-01-15T09:30' ? '2027-01-15T09:30:00.000Z' : first)
  })

  test('has a window of 1 to 24 hours, which is removed with the type', async () => {
    const startDate = '2027-03-01T09:00:00Z'
    const id = await action({ type: 'mailCampaign', scheduler: { type: 'bestTime', startDate, windowHours: 4 } })
    assert.equal((await get(id)).scheduler.windowHours, 4)
    for (const windowHours of [0, 25, 1.5])
      assert.equal((await call('PUT', `/actions/${id}`, { body: { scheduler: { windowHours } } })).status, 400)
    const changed = await call('PUT', `/actions/${id}`, { body: { scheduler: { type: 'scheduled' } } })
    assert.equal('windowHours' in changed.body.scheduler, false)
  })
})
