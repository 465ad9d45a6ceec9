import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { storeSmsReports } from '../../../src/channels/sms/inbox.ts'
import { closeFollowups } from '../../../src/features/actions/rcs/followups.ts'
import { ingestSmsReports } from '../../../src/features/inbound/sms/sms-ingest.ts'
import { AGENT, HOUR, startFallbackStage } from '../../support/stages/rcs-fallbacks.ts'

const stage = await startFallbackStage()
const { ask, call, clock, context, events, follow, followup, kinds, own, rbm, ready, report, smsPeer, texts, work } =
  stage
const { db } = context

const MINUTE = 60_000

async function flags(contact: number): Promise<number> {
  const { rows } = await sql`select from bounce_flags where account = ${own.account} and contact = ${contact}`.execute(
    db,
  )
  return rows.length
}

suite('fallbacks of refused RCS messages', () => {
  test('404 with a fallback is an activation, a soft bounce 5.3.3 and an SMS activation of the same stamp', async () => {
    const action = await ready()
    const [one] = await ask(action)
    rbm.book.unreachable.add(one!.phone)
    await work()
    const [rich, bounce, text, ...more] = await events(one!)
    assert.deepEqual(more, [])
    assert.deepEqual([rich.type, bounce.type, text.type], ['activation', 'bounce', 'activation'])
    const { analysis, status } = bounce.source.detail.bounce
    assert.deepEqual([analysis.verdict, status.type, status.code.enhanced], ['soft', 'sync', '5.3.3'])
    const [first, second] = [rich.source.detail.activation, text.source.detail.activation]
    assert.deepEqual(second.fallback, { type: 'sms', reason: 'unreachable' })
    assert.equal(first.fallback, undefined)
    for (const { stamp, phone, agent, profile } of [first, second])
      assert.deepEqual([stamp.id, phone, agent, profile], [one!.stamp, one!.phone, AGENT, stage.profile])
    assert.deepEqual([second.gateway.name, second.recipient], ['texts', one!.phone])
    assert.deepEqual(texts(one!.phone), ['Pears are in, Ada'])
    assert.equal(await flags(one!.contact), 0)
  })

  test('404 without a fallback sends no SMS and does not flag the phone', async () => {
    const [one] = await ask(await ready({ fallback: null }))
    rbm.book.unreachable.add(one!.phone)
    await work()
    assert.deepEqual(await kinds(one!), ['activations', 'bounces'])
    assert.deepEqual([texts(one!.phone), await flags(one!.contact), await followup(one!)], [[], 0, undefined])
  })

  test('400 and 403 lead to a fallback with the reason refused, a cancellation to none', async () => {
    const action = await ready()
    const [bad, denied, listed] = await ask(action, 3)
    rbm.book.plan(bad!.phone, { status: 400, body: '{"error":{"status":"INVALID_ARGUMENT"}}' })
    rbm.book.plan(denied!.phone, { status: 403, body: '{"error":{"status":"PERMISSION_DENIED"}}' })
    await sql`
      insert into red_list (account, channel, contact, origin, detail, listed_at)
      values (${own.account}, 'sms', ${listed!.contact}, 1, '{}', now()) on conflict do nothing`.execute(db)
    await work()
    for (const one of [bad!, denied!])
      assert.deepEqual(await kinds(one), ['activations', 'bounces', 'activations refused'])
    assert.deepEqual([await kinds(listed!), texts(listed!.phone)], [['cancellations'], []])
  })
})

suite('fallbacks of RCS messages that do not arrive in time', () => {
  test('an undelivered message is revoked after the delay and sent as one SMS 10 s later', async () => {
    const [one] = await ask(await ready())
    await work()
    clock.advance(MINUTE - 1)
    await work()
    assert.deepEqual([rbm.book.revoked.length, await followup(one!)], [0, 'pending'])
    clock.advance(1)
    await work()
    assert.deepEqual(
      rbm.book.revoked.map(({ messageId, agent }) => [messageId, agent]),
      [[one!.stamp, AGENT]],
    )
    clock.advance(9999)
    await work()
    assert.deepEqual([texts(one!.phone), await followup(one!)], [[], 'delayed'])
    clock.advance(1)
    await Promise.all([follow(), follow(), follow()])
    await work()
    clock.advance(HOUR)
    await work()
    assert.deepEqual(await kinds(one!), ['activations', 'activations delay'])
    assert.deepEqual([texts(one!.phone), await followup(one!)], [['Pears are in, Ada'], 'done'])
  })

  test('DELIVERED or READ before the delay, or within 10 s of the revocation, prevents the SMS', async () => {
    const action = await ready()
    const [early, under, seen] = await ask(action, 3)
    await work()
    await report('delivered', early!)
    clock.advance(MINUTE)
    await work()
    await report('delivered', under!)
    await report('read', seen!)
    clock.advance(HOUR)
    await work()
    for (const one of [early!, under!, seen!])
      assert.deepEqual([texts(one.phone), await followup(one)], [[], 'delivered'])
    assert.deepEqual(await kinds(under!), ['activations', 'deliveries'])
  })

  test('a DELIVERED after the SMS left is recorded and changes nothing else', async () => {
    const [one] = await ask(await ready())
    await work()
    clock.advance(MINUTE)
    await work()
    clock.advance(10_000)
    await work()
    await report('delivered', one!)
    await work()
    assert.deepEqual(await kinds(one!), ['activations', 'activations delay', 'deliveries'])
    const [rich, , delivery] = await events(one!)
    assert.deepEqual(delivery.source.detail.activation, rich.source.detail.activation)
    assert.deepEqual([texts(one!.phone).length, await followup(one!)], [1, 'done'])
  })

  test('REVOKE_FAILED counts as REVOKED unless DELIVERED follows within 60 s', async () => {
    const fallback = { type: 'sms', text: 'Pears are in' }
    const [arrives, lost] = await ask(await ready({ fallback }), 2)
    const [bare] = await ask(await ready({ fallback: null }))
    const [known] = await ask(await ready({ fallback: null }))
    await work()
    await report('delivered', known!)
    await report('revoke failed', arrives!, lost!, bare!, known!)
    await work()
    for (const one of [arrives!, lost!, bare!]) {
      assert.equal(await followup(one), 'expired')
      assert.ok(rbm.book.revoked.some(({ messageId }) => messageId === one.stamp))
    }
    clock.advance(59_000)
    await report('delivered', arrives!)
    clock.advance(1000)
    await work()
    assert.deepEqual(await kinds(arrives!), ['activations', 'deliveries'])
    assert.deepEqual(await kinds(known!), ['activations', 'deliveries'])
    assert.deepEqual(await kinds(lost!), ['activations', 'bounces', 'activations expired'])
    assert.deepEqual(await kinds(bare!), ['activations', 'bounces'])
    const { analysis, status } = (await events(bare!))[1].source.detail.bounce
    assert.deepEqual([status.type, status.code.enhanced, analysis.verdict], ['async', '4.4.7', 'soft'])
    assert.deepEqual([texts(arrives!.phone), texts(lost!.phone)], [[], ['Pears are in']])
    assert.equal((await flags(lost!.contact)) + (await flags(bare!.contact)), 0)
  })

  test('TTL_EXPIRATION_REVOKED is a bounce and sends the SMS at once, even without a delay', async () => {
    const [one] = await ask(await ready({ fallback: { type: 'sms', text: 'Pears are in' } }))
    await work()
    clock.advance(HOUR)
    await work()
    assert.deepEqual([await followup(one!), texts(one!.phone)], ['pending', []])
    await report('revoked', one!)
    await report('revoked', one!)
    await work()
    assert.deepEqual(await kinds(one!), ['activations', 'bounces', 'activations expired'])
    assert.equal(texts(one!.phone).length, 1)
  })

  test('an unanswered revocation is retried after a minute, for at most five minutes', async () => {
    const action = await ready()
    const [later] = await ask(action)
    await work()
    clock.advance(MINUTE)
    rbm.book.plan(later!.phone, { status: 503, body: '{}' })
    await work()
    assert.equal(await followup(later!), 'pending')
    clock.advance(MINUTE + 1)
    await work()
    assert.equal(await followup(later!), 'delayed')
    const [never] = await ask(action)
    await work()
    rbm.book.plan(never!.phone, ...Array.from({ length: 9 }, () => ({ status: 503, body: '{}' })))
    for (let minute = 0; minute < 7; minute++) {
      clock.advance(MINUTE + 1)
      await work()
    }
    clock.advance(10_000)
    await work()
    assert.deepEqual(await kinds(never!), ['activations', 'activations delay'])
  })
})

suite('the fallback SMS', () => {
  /** A message whose SMS is due at once. */
  async function refused(more?: object, how?: Parameters<typeof ask>[2]) {
    const [one] = await ask(await ready(more), 1, how)
    rbm.book.unreachable.add(one!.phone)
    return one!
  }

  test('follows the SMS rules for sender, alphabet, STOP mention and tracked short links', async () => {
    await call('PUT', '/settings/sending', { body: { stopMention: 'STOP 36000' } })
    const one = await refused({
      settings: { profile: stage.profile, purpose: { type: 'marketing' } },
      fallback: { type: 'sms', text: 'See {{ "https://orchard.example/pears" | tracked: "pears" }}' },
    })
    const before = smsPeer.requests.length
    await work()
    const sent = JSON.parse(smsPeer.requests[before]!.body)
    assert.equal(smsPeer.requests.length, before + 1)
    assert.deepEqual([sent.from, sent.to], ['ORCHARD', one.phone])
    const [, code] = /^See https?:\/\/\S+\/s\/(\w{10}) STOP 36000$/.exec(sent.text) ?? []
    assert.ok(code, sent.text)
    const { rows } = await sql`select from short_links where stamp = ${one.stamp}`.execute(db)
    assert.equal(rows.length, 1, 'the rich message stores no links of the SMS')
    const answer = await call('GET', `/s/${code}`, { key: null, headers: { 'user-agent': 'Mozilla/5.0 (iPhone)' } })
    assert.deepEqual([answer.status, answer.headers['location']], [302, 'https://orchard.example/pears'])
    const [, , text, redirection] = await events(one)
    assert.equal(redirection.source.detail.interaction.type, 'redirection')
    assert.equal(redirection.source.detail.interaction.link.name, 'pears')
    assert.deepEqual(redirection.source.detail.activation, text.source.detail.activation)
    assert.deepEqual(text.source.detail.activation.fallback, { type: 'sms', reason: 'unreachable' })
  })

  test('uses the sender that the fallback names', async () => {
    const one = await refused({ fallback: { type: 'sms', text: 'Hi', sender: '36111' } })
    await work()
    const sent = smsPeer.requests.map(({ body }) => JSON.parse(body)).find(({ to }) => to === one.phone)
    assert.equal(sent.from, '36111')
  })

  test('gives its receipts and replies its own activation, and its bounce flags the phone', async () => {
    const [good, bad] = [await refused(), await refused()]
    await work()
    const referenceOf = async (stamp: string) =>
      (await sql<{ reference: string }>`select reference from sms_sends where stamp = ${stamp}`.execute(db)).rows[0]!
        .reference
    const receipt = { time: clock.now(), error: null, diagnostic: '' }
    const [arrived, failed] = [await referenceOf(good.stamp), await referenceOf(bad.stamp)]
    const from = { gateway: 'texts', owner: null }
    const said = { id: 'r1', from: good.phone, to: 'ORCHARD', text: 'STOP', time: clock.now() }
    await storeSmsReports(
      db,
      [
        { ...from, kind: 'receipt', report: { ...receipt, reference: arrived, state: 'DELIVRD' } },
        { ...from, kind: 'receipt', report: { ...receipt, reference: failed, state: 'UNDELIV', error: '1' } },
        { ...from, kind: 'reply', report: said },
      ] as Parameters<typeof storeSmsReports>[1],
      clock.now(),
    )
    await ingestSmsReports({ db, clock, log: context.log, unmatched: { inc: () => undefined } })
    assert.deepEqual(await kinds(good), [
      'activations',
      'bounces',
      'activations unreachable',
      'deliveries',
      'responses/stop',
    ])
    assert.deepEqual(await kinds(bad), ['activations', 'bounces', 'activations unreachable', 'bounces'])
    for (const one of [good, bad]) {
      const [, , text, ...answers] = await events(one)
      for (const answer of answers) {
        assert.deepEqual(answer.source.detail.activation, text.source.detail.activation)
        assert.equal(answer.source.type, 'rcs')
      }
    }
    assert.deepEqual([await flags(good.contact), await flags(bad.contact)], [0, 1])
  })

  test('is cancelled for a contact on the red list by then, and once the action is deleted', async () => {
    const action = await ready()
    const [listed, erased, late] = await ask(action, 3)
    await work()
    await sql`
      insert into red_list (account, channel, contact, origin, listed_at)
      values (${own.account}, 'sms', ${listed!.contact}, 6, now())`.execute(db)
    assert.equal((await call('DELETE', `/targets/${erased!.id}?erase=true`)).status, 204)
    clock.advance(MINUTE)
    await work()
    assert.equal((await call('DELETE', `/channel/rcs/actions/${action}`)).status, 204)
    clock.advance(10_000)
    await work()
    for (const one of [listed!, erased!, late!]) assert.deepEqual(texts(one.phone), [])
    const cancelled = async (one: typeof listed) =>
      (await events(one!)).flatMap(({ source }) => source.detail.cancellation?.type ?? [])
    assert.deepEqual(await cancelled(late), ['action deleted'])
    assert.deepEqual(await cancelled(listed), ['action deleted'])
    assert.equal(await followup(erased!), undefined)
  })

  test('has kind test when it replaces a proof', async () => {
    const one = await refused({}, { kind: 'test' })
    await work()
    assert.deepEqual(await kinds(one), ['activations', 'bounces', 'activations unreachable'])
    for (const { source } of await events(one)) assert.equal(source.detail.activation.kind, 'test')
    assert.equal(texts(one.phone).length, 1)
  })

  test('is unknown to another account by its stamp', async () => {
    const one = await refused()
    await work()
    const answer = await call('GET', `/channel/rcs/actions/events/stamp?id=${one.stamp}`, { key: stage.other.key })
    assert.deepEqual([answer.status, answer.body], [200, []])
    await closeFollowups(db, [{ account: stage.other.account, stamp: one.stamp }])
    assert.equal(await followup(one), 'done')
  })
})
