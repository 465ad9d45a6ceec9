import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { encodePostback } from '../../../src/channels/rcs/compose/postback.ts'
import { RCS_FOLLOWUP_KIND } from '../../../src/channels/rcs/followups.ts'
import { storeRcsReports } from '../../../src/features/inbound/rcs/rcs-inbox.ts'
import { ingestRcsReports } from '../../../src/features/inbound/rcs/rcs-ingest.ts'
import { moveFollowups, storeFollowups } from '../../../src/sending/record/followups.ts'
import { rbmEvents } from '../../fakes/rcs/rbm-peer-webhook.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { AGENT, noMessage, reporter, startHookStage } from '../../support/stages/rcs-hook.ts'
import { startStage } from '../../support/stages/stage.ts'

const base = await startStage()
const { call, clock, context, other, own, sendDue, settle } = base
const { db } = context
const { account } = own
const stage = await startHookStage(base)
const { url } = await stage.makeProfile()
const rbm = reporter(url)
const DAY = 24 * 3_600_000

interface Shown {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
  source: { type: string; detail: any }
}

async function read(path: string, key = own.key): Promise<Shown[]> {
  const answer = await call('GET', path, { key })
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer.body
}
const ofStamp = (stamp: string) => read(`/channel/rcs/actions/events/stamp?id=${stamp}`)
const ofContact = (id: string, key = own.key) => read(`/targets/${id}/events`, key)
const interactions = async (id: string, key?: string) =>
  (await ofContact(id, key)).filter(({ type }) => type === 'interaction')
const interactionsOf = async (id: string) =>
  (await interactions(id)).map(({ source: { detail } }) => detail.interaction)

async function redList(contact: number, owner = account) {
  const { rows } = await sql<{ origin: number; detail: object }>`
    select origin, detail from red_list where account = ${owner} and channel = 'sms' and contact = ${contact}`.execute(
    db,
  )
  return rows
}

/** Makes a row that follows a message. */
const follow = (stamp: string, state?: string) =>
  storeFollowups(db, [
    { account, stamp, kind: RCS_FOLLOWUP_KIND, due: Date.now() + DAY, payload: {}, ...(state && { state }) },
  ])

async function followup(stamp: string) {
  const { rows } = await sql<{ state: string; due: Date | null }>`
    select state, due from followups where account = ${account} and stamp = ${stamp} and kind = ${RCS_FOLLOWUP_KIND}`.execute(
    db,
  )
  return rows[0]
}
const stateOf = async (stamp: string) => (await followup(stamp))?.state

async function waiting(): Promise<number> {
  return (await db.selectFrom('rcs_inbox').select('id').execute()).length
}

/** Makes a message that a sender has claimed; gives its id. */
async function makeClaimed(stamp: string, contact: number): Promise<number> {
  await db.deleteFrom('sendings').where('source_kind', '=', 'rcs').execute()
  // Whatever channels messages have by now.
  await sql`alter table messages drop constraint if exists messages_channel_check`.execute(db)
  const { rows } = await sql<{ id: number }>`
      with version as (
        insert into content_versions (account, owner_kind, owner, source, links, created_at)
        values (${account}, 'rcs', ${stage.source}, '{}', '[]', now()) returning id
      ), sending as (
        insert into sendings (account, channel, source_kind, source, kind, version, lane, state, created_at)
        select ${account}, 'rcs', 'rcs', ${stage.source}, 'message', id, 1, 'running', now() from version returning id, version
      )
      insert into messages (account, lane, channel, kind, version, contact, stamp, thread, set, stamp_time, state, not_before,
        expires_at, created_at, sending)
      select ${account}, 1, 'rcs', 'message', version, ${contact}, ${stamp}, ${stamp}, ${stamp}, now(),
        'claimed', now(), now(), now(), id from sending returning id`.execute(db)
  return rows[0]!.id
}

suite('RBM reports', () => {
  test('become a delivery and two interactions for DELIVERED, READ and a tap, each with its activation', async () => {
    const to = await stage.makeContact()
    const send = await stage.activated(to)
    const { id } = send.stamp
    await rbm.user('DELIVERED', to.phone, id)
    await rbm.user('READ', to.phone, id)
    const tap = { type: 'REPLY', text: 'Yes', postbackData: encodePostback(id, 's0', 'yes-1') }
    await rbm.says({ suggestionResponse: tap }, to.phone)
    const [activation, delivery, readIt, suggestion] = await ofStamp(id)
    const activated = activation!.source.detail.activation
    assert.equal(activated.stamp.id, id)
    for (const { source } of [delivery!, readIt!, suggestion!]) assert.deepEqual(source.detail.activation, activated)
    assert.deepEqual(delivery!.source.detail.delivery.gateway.name, 'google-rbm')
    assert.equal(delivery!.source.detail.delivery.gateway.message, id)
    const listed = async (suffix: string) =>
      (await read(`/channel/rcs/actions/events${suffix}`)).filter(
        (one) => one.source.detail.activation?.stamp.id === id,
      )
    const [deliveries, all, reads] = [
      await listed('/deliveries'),
      await listed('/interactions'),
      await listed('/interactions/read'),
    ]
    assert.deepEqual([deliveries, all, reads], [[delivery], [readIt, suggestion], [readIt]])
    assert.deepEqual(await ofContact(to.id), [activation, delivery, readIt, suggestion])
  })

  test("become interactions for text, file, location and taps, with RBM's details", async () => {
    const to = await stage.makeContact()
    const send = await stage.activated(to)
    const file = { mimeType: 'image/jpeg', fileSizeBytes: 20480, fileUri: 'https://files.test/a', fileName: 'a.jpg' }
    await rbm.says({ text: 'Is it open?' }, to.phone)
    await rbm.says({ userFile: { payload: file } }, to.phone)
    await rbm.says({ location: { latitude: 48.85, longitude: 2.35 } }, to.phone)
    await rbm.says({ suggestionResponse: { type: 'ACTION', text: 'See', postbackData: 'bare' } }, to.phone)
    const events = await interactions(to.id)
    for (const { source } of events) {
      assert.equal(source.detail.activation.stamp.id, send.stamp.id)
      assert.deepEqual(Object.keys(source.detail.interaction.gateway), ['message'])
    }
    assert.deepEqual(
      events.map(({ source: { detail } }) => {
        const { time: _time, gateway: _gateway, classification, type, ...members } = detail.interaction
        assert.equal(classification, null)
        return [type, members]
      }),
      [
        ['text', { text: 'Is it open?' }],
        ['file', { file: { name: 'a.jpg', mime: 'image/jpeg', size: 20480, uri: 'https://files.test/a' } }],
        ['location', { location: { latitude: 48.85, longitude: 2.35 } }],
        ['suggestion', { suggestion: { type: 'action', text: 'See', postback: 'bare' } }],
      ],
    )
  })

  test('show the configured postback of a tap on a tracked openUrl, for the message that it names', async () => {
    const to = await stage.makeContact()
    const older = await stage.activated(to)
    await stage.activated(to)
    for (const postback of ['pears', '', '~odd~'])
      await rbm.says(
        {
          suggestionResponse: {
            type: 'ACTION',
            text: 'See',
            postbackData: encodePostback(older.stamp.id, 'c1s0', postback),
          },
        },
        to.phone,
      )
    const taps = (await ofStamp(older.stamp.id)).filter(({ type }) => type === 'interaction')
    assert.deepEqual(
      taps.map(({ source }) => source.detail.interaction.suggestion.postback),
      ['pears', '', '~odd~'],
    )
  })

  test("belong to the agent's last message of 30 days, else to the contacts with the phone", async () => {
    const agent = 'second_agent'
    await stage.makeProfile({ agent })
    const to = await stage.makeContact()
    const old = await stage.activated(to)
    const texts = async () =>
      (await interactions(to.id)).map(({ source }) => source.detail.activation?.stamp.id ?? null)
    await reporter(url, agent).says({ text: 'Other agent' }, to.phone)
    assert.deepEqual(await texts(), [null])
    await rbm.says({ text: 'This one' }, to.phone)
    assert.deepEqual(await texts(), [null, old.stamp.id])
    // All that was recorded is moved back beyond the 30 days, into a partition that takes it.
    await sql`create table if not exists events_earlier partition of events default`.execute(db)
    await sql`update events set at = at - interval '31 days' where stamp = ${old.stamp.id} and kind = 'activations'`.execute(
      db,
    )
    await rbm.says({ text: 'Too late' }, to.phone)
    assert.equal((await texts()).at(-1), null)
    const next = await stage.activated(to)
    await rbm.says({ text: 'Now' }, to.phone)
    assert.equal((await texts()).at(-1), next.stamp.id)
  })

  test("are stored without contact and message for an unknown phone or another account's message", async () => {
    const before = await read('/channel/rcs/actions/events/interactions')
    await rbm.says({ text: 'Who are you?' }, '+33639980099')
    const foreign = await stage.makeContact('+33639980098', other)
    await stage.record(stage.sendOf(foreign, { account: other.account }))
    const theirs = stage.sendOf(foreign, { account: other.account })
    await stage.record(theirs)
    await rbm.user('READ', '+33639980098', theirs.stamp.id)
    const added = (await read('/channel/rcs/actions/events/interactions')).slice(before.length)
    assert.deepEqual(
      added.map(({ source }) => [source.detail.interaction.type, source.detail.activation]),
      [
        ['text', null],
        ['read', null],
      ],
    )
    assert.deepEqual(await interactions(foreign.id, other.key), [])
  })

  test('wait for their message when they arrive before it is recorded', async () => {
    const to = await stage.makeContact()
    const send = stage.sendOf(to)
    const message = await makeClaimed(send.stamp.id, to.contact)
    await rbm.user('DELIVERED', to.phone, send.stamp.id)
    assert.deepEqual([await waiting(), await ofStamp(send.stamp.id)], [1, []])
    // As the sender does, in one transaction.
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('messages').where('id', '=', message).execute()
      await storeFollowups(tx, [
        { account, stamp: send.stamp.id, kind: RCS_FOLLOWUP_KIND, due: Date.now(), payload: {} },
      ])
    })
    await stage.record(send)
    clock.advance(1000)
    await ingestRcsReports(context)
    assert.equal(await waiting(), 0)
    const [, delivery] = await ofStamp(send.stamp.id)
    assert.equal(delivery!.source.detail.activation.stamp.id, send.stamp.id)
    assert.equal(await stateOf(send.stamp.id), 'delivered')
  })
})

suite('waiting RBM reports', () => {
  test('take effect in their order after the process that stored them died', async () => {
    const to = await stage.makeContact()
    const common = { agent: AGENT, phone: to.phone, at: clock.now() }
    const kinds = ['unsubscribe', 'subscribe', 'unsubscribe', 'subscribe'] as const
    const received = kinds.map((kind, n) => ({ account, report: { ...common, kind, eventId: `order-${n}` } }))
    await storeRcsReports(db, [...received, ...received], clock.now())
    await storeRcsReports(db, received, clock.now())
    assert.equal(await waiting(), kinds.length)
    await Promise.all([ingestRcsReports(context), ingestRcsReports(context)])
    assert.deepEqual((await interactionsOf(to.id)).map(({ type }) => type).sort(), [...kinds].sort())
    assert.deepEqual([await redList(to.contact), await waiting()], [[], 0])
  })

  test('do not wait for one that cannot be recorded', async () => {
    const to = await stage.makeContact()
    await sql`insert into rcs_inbox (digest, account, report, received_at, next_at)
      values ('x', ${account}, '{"kind":"text"}', ${new Date(clock.now())}, ${new Date(clock.now() - 1000)})`.execute(
      db,
    )
    await rbm.says({ text: 'Hello' }, to.phone)
    assert.equal((await interactionsOf(to.id)).length, 1)
    assert.equal(await waiting(), 1)
    await db.deleteFrom('rcs_inbox').execute()
  })

  test('wait for at most a day when their message is never recorded', async () => {
    const to = await stage.makeContact()
    const { id } = stage.sendOf(to).stamp
    await makeClaimed(id, to.contact)
    await rbm.user('READ', to.phone, id)
    assert.deepEqual([await waiting(), await interactionsOf(to.id)], [1, []])
    clock.advance(DAY + 1000)
    await ingestRcsReports(context)
    assert.equal(await waiting(), 0)
    assert.equal((await interactions(to.id))[0]!.source.detail.activation, null)
    await db.deleteFrom('messages').execute()
  })
})

suite('opt-outs and opt-ins by RCS', () => {
  test('UNSUBSCRIBE followed by "Stop" gives one red list entry, and the next send is cancelled', async () => {
    const to = await stage.makeContact()
    const send = await stage.activated(to)
    await rbm.user('UNSUBSCRIBE', to.phone)
    await rbm.says({ text: 'Stop' }, to.phone)
    assert.deepEqual(await redList(to.contact), [{ origin: 6, detail: { channel: 'rcs' } }])
    assert.deepEqual(
      (await interactionsOf(to.id)).map(({ type, text }) => [type, text]),
      [
        ['unsubscribe', null],
        ['unsubscribe', 'Stop'],
      ],
    )
    assert.ok((await interactions(to.id)).every((one) => one.source.detail.activation.stamp.id === send.stamp.id))
    const { body: made } = await call('POST', '/actions', {
      body: {
        type: 'smsMessage',
        name: 'Text',
        content: { textContent: 'Hello' },
        settings: { purpose: { type: 'service' }, sender: '36111' },
      },
    })
    await call('POST', `/actions/${made.id}/validation`, { body: { fortest: true, mediaForTest: '+33601999999' } })
    await settle()
    assert.equal((await call('POST', `/actions/${made.id}/validation`, { body: { fortest: false } })).status, 204)
    const item = { recipient: { type: 'id', value: to.id } }
    assert.equal((await call('POST', `/actions/${made.id}/execution`, { body: item })).status, 200)
    await sendDue()
    const cancelled = (await ofContact(to.id)).filter(({ type }) => type === 'cancellation')
    assert.deepEqual(
      cancelled.map(({ source }) => source.detail.cancellation),
      [{ type: 'redlist', value: { channel: 'sms' } }],
    )
  })

  test('a stop word in a text or postback unsubscribes in any form, other words do not', async () => {
    const cases: [string, boolean][] = [
      ['STOP', true],
      ['Arrêt svp', true],
      ['stop36111', true],
      ['Stopper', false],
      ['please stop', false],
      ['', false],
    ]
    for (const [words, isStop] of cases) {
      const [byText, byTap] = [await stage.makeContact(), await stage.makeContact()]
      const send = await stage.activated(byTap)
      await rbm.says({ text: words }, byText.phone)
      const postbackData = encodePostback(send.stamp.id, 's1', words)
      await rbm.says({ suggestionResponse: { type: 'REPLY', text: 'No thanks', postbackData } }, byTap.phone)
      for (const { contact } of [byText, byTap]) assert.equal((await redList(contact)).length, isStop ? 1 : 0, words)
      const [tap] = await interactionsOf(byTap.id)
      assert.deepEqual(
        [tap.type, tap.text ?? tap.suggestion],
        isStop ? ['unsubscribe', 'No thanks'] : ['suggestion', { type: 'reply', text: 'No thanks', postback: words }],
      )
    }
  })

  test("the account's own stop words unsubscribe", async () => {
    const to = await stage.makeContact()
    await rbm.says({ text: 'Genug jetzt' }, to.phone)
    const [before] = [await redList(to.contact)]
    assert.equal((await call('PUT', '/settings/events', { body: { stopWords: ['genüg'] } })).status, 200)
    const next = await stage.makeContact()
    await rbm.says({ text: 'Genug jetzt' }, next.phone)
    assert.equal((await call('PUT', '/settings/events', { body: { stopWords: [] } })).status, 200)
    assert.deepEqual([before!.length, (await redList(next.contact)).length], [0, 1])
  })

  test('SUBSCRIBE removes an entry made by RCS and logs it, and keeps one made by an SMS reply', async () => {
    const [byRcs, bySms] = [await stage.makeContact(), await stage.makeContact()]
    await rbm.user('UNSUBSCRIBE', byRcs.phone)
    await sql`insert into red_list (account, channel, contact, listed_at, origin, detail)
      values (${account}, 'sms', ${bySms.contact}, now(), 6, '{}')`.execute(db)
    await rbm.user('UNSUBSCRIBE', bySms.phone)
    for (const { phone } of [byRcs, bySms]) await rbm.user('SUBSCRIBE', phone)
    assert.deepEqual(await redList(byRcs.contact), [])
    assert.deepEqual(await redList(bySms.contact), [{ origin: 6, detail: {} }])
    const { rows } = await sql<{ contact: number; reason: string; entry: { origin: number; detail: object } }>`
      select contact, reason, entry from red_list_removals where account = ${account} and channel = 'sms'`.execute(db)
    assert.deepEqual(
      rows.map(({ contact, reason, entry }) => [contact, reason, entry.origin, entry.detail]),
      [[byRcs.contact, 'subscribed again by RCS', 6, { channel: 'rcs' }]],
    )
  })

  test('a stop applies to every contact of the account with the phone, and to no other account', async () => {
    const first = await stage.makeContact()
    const second = await stage.makeContact(first.phone)
    const foreign = await stage.makeContact(first.phone, other)
    await stage.activated(first)
    await stage.record(stage.sendOf(foreign, { account: other.account }))
    await rbm.says({ text: 'Stop' }, first.phone)
    assert.deepEqual([(await redList(first.contact)).length, (await redList(second.contact)).length], [1, 1])
    assert.deepEqual(await redList(foreign.contact, other.account), [])
    assert.deepEqual(await interactions(foreign.id, other.key), [])
  })

  test('a stop after a proof to another phone does not unsubscribe the contact whose data it shows', async () => {
    const [tester, shown] = [await stage.makeContact(), await stage.makeContact()]
    await stage.activated({ contact: shown.contact, phone: tester.phone }, { kind: 'test' })
    await rbm.says({ text: 'Stop' }, tester.phone)
    assert.deepEqual([(await redList(tester.contact)).length, await redList(shown.contact)], [1, []])
  })

  test("a stop applies to the message's contact even if its phone has changed", async () => {
    const to = await stage.makeContact()
    await stage.activated(to)
    const changed = await call('PUT', `/targets/${to.id}`, { body: { Mobile: '+33639980055' } })
    assert.ok(changed.status < 300, changed.text)
    await rbm.user('UNSUBSCRIBE', to.phone)
    assert.equal((await redList(to.contact)).length, 1)
  })
})

suite('the follow-up of an RCS message', () => {
  test('ends once, with DELIVERED or with READ', async () => {
    for (const type of ['DELIVERED', 'READ'])
      for (const state of ['pending', 'delayed', 'expiring', 'expired', 'fallback']) {
        const to = await stage.makeContact()
        const { stamp } = await stage.activated(to)
        await follow(stamp.id, state)
        await rbm.user(type, to.phone, stamp.id)
        const after = await followup(stamp.id)
        assert.equal(after?.state, state === 'fallback' ? 'fallback' : 'delivered', `${type} ${state}`)
        assert.equal(after?.due === null, state !== 'fallback')
        assert.equal((await ofStamp(stamp.id)).length, 2)
      }
  })

  test('is due when RBM reports the message expired, with one soft bounce 4.4.7', async () => {
    for (const isFollowed of [true, false]) {
      const to = await stage.makeContact()
      const { stamp } = await stage.activated(to)
      if (isFollowed) await follow(stamp.id)
      await rbm.server('TTL_EXPIRATION_REVOKED', to.phone, stamp.id)
      await rbm.server('TTL_EXPIRATION_REVOKED', to.phone, stamp.id)
      const { state, due } = (await followup(stamp.id))!
      assert.equal(state, 'fallback')
      assert.ok(due !== null && due.getTime() <= clock.now())
      const bounces = (await ofStamp(stamp.id)).filter(({ type }) => type === 'bounce')
      assert.equal(bounces.length, 1)
      const { status, analysis } = bounces[0]!.source.detail.bounce
      assert.deepEqual(
        [status.type, status.code, status.mta, analysis.verdict],
        ['async', { enhanced: '4.4.7', gateway: 'TTL_EXPIRATION_REVOKED' }, 'google-rbm', 'soft'],
      )
      const { rows } =
        await sql`select from bounce_flags where account = ${account} and contact = ${to.contact}`.execute(db)
      assert.equal(rows.length, 0)
    }
  })

  test('is postponed when RBM cannot revoke, and a later DELIVERED leaves no fallback and no bounce', async () => {
    for (const isFollowed of [true, false]) {
      const to = await stage.makeContact()
      const { stamp } = await stage.activated(to)
      if (isFollowed) await follow(stamp.id)
      await rbm.server('TTL_EXPIRATION_REVOKE_FAILED', to.phone, stamp.id)
      const { state, due } = (await followup(stamp.id))!
      assert.ok(state === 'expiring' && due !== null && due.getTime() <= clock.now())
      await rbm.user('DELIVERED', to.phone, stamp.id)
      assert.equal(await stateOf(stamp.id), 'delivered')
      await rbm.server('TTL_EXPIRATION_REVOKED', to.phone, stamp.id)
      assert.equal(await stateOf(stamp.id), 'delivered')
      const types = (await ofStamp(stamp.id)).map(({ type }) => type)
      assert.deepEqual(types, ['activation', 'delivery'])
    }
  })

  test('is not created by an expiry after DELIVERED or without a message', async () => {
    const to = await stage.makeContact()
    const { stamp } = await stage.activated(to)
    await rbm.user('DELIVERED', to.phone, stamp.id)
    for (const type of ['TTL_EXPIRATION_REVOKED', 'TTL_EXPIRATION_REVOKE_FAILED']) {
      await rbm.server(type, to.phone, stamp.id)
      const unknown = noMessage()
      await rbm.server(type, to.phone, unknown)
      await rbm.server(type, to.phone, 'no uuid')
      assert.equal(await stateOf(unknown), undefined)
    }
    assert.deepEqual(
      (await ofStamp(stamp.id)).map(({ type }) => type),
      ['activation', 'delivery'],
    )
    assert.equal(await waiting(), 0)
  })

  test('is settled once, by DELIVERED or when due, whichever is first', async () => {
    const random = seeded(7)
    for (let round = 0; round < 15; round++) {
      const to = await stage.makeContact()
      const { stamp } = await stage.activated(to)
      await follow(stamp.id)
      const step = { account, stamp: stamp.id, kind: RCS_FOLLOWUP_KIND, from: ['pending'], to: 'fallback', due: null }
      const pauses = Math.floor(random() * 40)
      const late = async () => {
        for (let n = 0; n < pauses; n++) await db.selectNoFrom(sql`1`.as('one')).execute()
        return (await moveFollowups(db, [step])).has(stamp.id)
      }
      const [isTaken] = await Promise.all([late(), rbm.user('DELIVERED', to.phone, stamp.id)])
      assert.equal(await stateOf(stamp.id), isTaken ? 'fallback' : 'delivered')
      assert.equal((await ofStamp(stamp.id)).length, 2)
    }
  })

  test('many concurrent reports, each received twice, are one event each', async () => {
    const to = await Promise.all(Array.from({ length: 30 }, () => stage.makeContact()))
    const sends = await Promise.all(to.map((one) => stage.activated(one)))
    const events = sends.flatMap(({ stamp: { id: messageId }, rcs }) =>
      ['DELIVERED', 'READ'].map((type) =>
        rbmEvents.user(type, { agentId: AGENT, senderPhoneNumber: rcs!.phone!, messageId }),
      ),
    )
    await Promise.all([...events, ...events].map((event) => rbm.post(event)))
    for (const { stamp } of sends)
      assert.deepEqual((await ofStamp(stamp.id)).map(({ type }) => type).sort(), [
        'activation',
        'delivery',
        'interaction',
      ])
  })
})
