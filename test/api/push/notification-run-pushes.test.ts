import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startDueNotifications } from '../../../src/features/notifications/sends/runs.ts'
import { formatContactId } from '../../../src/lib/ids.ts'
import { planCampaign } from '../../../src/sending/plan/plan-campaign.ts'
import { enqueueUnfinishedPlans } from '../../../src/sending/plan/sendings.ts'
import { limit, pressureTools, rollingHour } from '../../support/stages/pressure.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'

const stage = await startPushStage()
const { advance, application, call, clock, context, device, peers, person, segment, sendPushes } = stage
const { db } = context
const pressure = pressureTools(stage)
const MINUTE = 60_000

let made = 0
const app = await application(['http', 'firebase'])

/** Contacts with a device each, ascending, and a segment of them. */
async function audience(count: number, provider: 'http' | 'firebase' = 'http') {
  const people: number[] = []
  for (let n = 0; n < count; n++) people.push(await person())
  for (const one of people) await device(app, one, provider)
  return { people, selected: [await segment(people.map(formatContactId))] }
}

/** An active notification with a task; gives its number. */
async function scheduled(selected: number[], scheduler: object, mp: object = { use: false, increment: false }) {
  const content = { title: 'For {{ contact.Email }}', body: 'Tonight only' }
  const body = {
    type: 'push-app',
    name: `Run ${++made}`,
    settings: { application: app, mp },
    versions: [{ master: true, content }],
    task: { segments: { selected, excluded: [] }, scheduler },
  }
  const { body: shown, text, status } = await call('POST', '/notifications', { body })
  assert.equal(status, 200, text)
  assert.equal((await call('POST', `/notifications/${shown.id}/activation`)).status, 204)
  return shown.id as number
}

const nextRun = async (id: number) => (await call('GET', `/notifications/${id}`)).body.task.scheduler.nextRun

/** Makes the next start of a notification due: the peers have the true time, so the clock stays. */
async function comeDue(id: number): Promise<void> {
  await sql`update notifications set next_run_at = ${new Date(clock.now())} where id = ${id} and next_run_at is not null`.execute(
    db,
  )
}

/** The number of the run that is under way. */
async function begun(id: number): Promise<number> {
  await startDueNotifications(context)
  const { rows } = await sql<{ id: number }>`
    select id from sendings where source_kind = 'notification' and source = ${id} and kind = 'campaign'
    order by id desc limit 1`.execute(db)
  return rows[0]!.id
}

/** Plans two contacts at once, with a process that dies behind so many slices. */
async function planned(sending: number, slices: number): Promise<void> {
  let left = slices
  const signal = {
    throwIfAborted(): void {
      if (left-- === 0) throw new Error('killed')
    },
  }
  await assert.rejects(planCampaign(context, { sending }, { signal, slice: 2 }), /killed/)
}

/** What became of each contact, as its last event says. */
async function fates(id: number, people: readonly number[]): Promise<(string | undefined)[]> {
  const { rows } = await sql<{ contact: number; said: string }>`
    select contact, string_agg(coalesce(detail #>> '{cancellation,type}', kind), ' ' order by id) as said
    from events where channel = 'notification' and subject = ${id} group by contact`.execute(db)
  const byContact = new Map(rows.map(({ contact, said }) => [contact, said]))
  return people.map((one) => byContact.get(one))
}

const hourly = { type: 'cron', minute: '0', timeZone: { id: 'UTC' } }
const SENT = 'activations'

suite('pushes of notification runs', { concurrency: false }, () => {
  test('a deactivation during a run cancels the rest as "action deleted" and prevents the next run', async () => {
    const { people, selected } = await audience(6)
    const id = await scheduled(selected, hourly)
    await comeDue(id)
    const sending = await begun(id)
    await planned(sending, 1)
    await sendPushes()
    await planned(sending, 1)
    const before = peers.http.requests.length
    assert.equal((await call('DELETE', `/notifications/${id}/activation`)).status, 204)
    await sendPushes()
    await advance()
    // Who was not planned yet has no message.
    const deleted = 'action deleted'
    assert.deepEqual(await fates(id, people), [SENT, SENT, deleted, deleted, undefined, undefined])
    await enqueueUnfinishedPlans(db)
    await stage.work()
    await sendPushes()
    assert.deepEqual(await fates(id, people), [SENT, SENT, deleted, deleted, undefined, undefined])
    assert.equal(peers.http.requests.length, before)
    assert.equal(await nextRun(id), null)
    clock.advance(3 * 60 * MINUTE)
    assert.equal(await begun(id), sending)
    clock.set(Date.now())
    // Another activation begins with the next match.
    assert.equal((await call('POST', `/notifications/${id}/activation`)).status, 204)
    await comeDue(id)
    assert.notEqual(await begun(id), sending)
    await stage.work()
    await sendPushes()
    assert.deepEqual(await fates(id, people.slice(4)), [SENT, SENT])
    assert.equal((await call('DELETE', `/notifications/${id}`)).status, 204)
  })

  test('a deletion during a run cancels messages that wait for a retry', async () => {
    const { people, selected } = await audience(3, 'firebase')
    peers.firebase.plan.push(
      {},
      { status: 503, headers: { 'retry-after': '60' } },
      { status: 503, headers: { 'retry-after': '60' } },
    )
    const id = await scheduled(selected, { type: 'asap' })
    await begun(id)
    await stage.work()
    await sendPushes()
    assert.equal((await fates(id, people)).filter((said) => said === SENT).length, 1)
    assert.equal((await call('DELETE', `/notifications/${id}`)).status, 204)
    await sendPushes()
    assert.deepEqual((await fates(id, people)).sort(), ['action deleted', 'action deleted', SENT])
  })

  test('a process that dies while planning leaves each contact one message', async () => {
    const { people, selected } = await audience(7)
    const id = await scheduled(selected, { type: 'asap' })
    const sending = await begun(id)
    await planned(sending, 0)
    await planned(sending, 2)
    await sendPushes()
    // What becomes of the segment meanwhile does not matter.
    await call('PUT', `/segments/${selected[0]}/targets`, { body: [formatContactId(await person())] })
    await enqueueUnfinishedPlans(db)
    await Promise.all([
      planCampaign(context, { sending }, { slice: 2 }),
      planCampaign(context, { sending }, { slice: 2 }),
    ])
    await sendPushes()
    assert.deepEqual(
      await fates(id, people),
      people.map(() => SENT),
    )
    const { rows } = await sql`select from events where channel = 'notification' and subject = ${id}`.execute(db)
    assert.equal(rows.length, people.length)
  })

  test('marketing pressure cancels or postpones by the settings from the start of the run', async () => {
    const { people, selected } = await audience(2)
    const topic = await pressure.topic()
    const rule = await pressure.rule([limit(1, { topic, period: rollingHour })])
    const marketing = { use: true, increment: true, topic }
    const first = await scheduled([await segment([formatContactId(people[0]!)])], { type: 'asap' }, marketing)
    await begun(first)
    await stage.work()
    await sendPushes()
    assert.deepEqual(await fates(first, people), [SENT, undefined])
    const stopped = await scheduled(selected, hourly, marketing)
    const waiting = await scheduled(selected, hourly, { ...marketing, onLimit: 'postpone' })
    for (const id of [stopped, waiting]) {
      await comeDue(id)
      await begun(id)
      // Settings of later hold for later runs.
      const body = { settings: { mp: { use: false, increment: false } } }
      assert.equal((await call('PUT', `/notifications/${id}`, { body })).status, 200)
      await stage.work()
      await sendPushes()
    }
    assert.deepEqual(await fates(stopped, people), ['marketing pressure', SENT])
    assert.deepEqual(await fates(waiting, people), [undefined, undefined])
    // A run is under way as long as its messages wait: the next match is skipped.
    await comeDue(waiting)
    const sending = await begun(waiting)
    assert.equal(await begun(waiting), sending)
    assert.equal((await call('DELETE', `/marketing/pressure/rules/${rule.id}`)).status, 204)
    clock.advance(2000)
    await sendPushes()
    assert.deepEqual(await fates(waiting, people), [SENT, SENT])
  })
})
