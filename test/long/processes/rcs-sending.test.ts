import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createUuidV7, formatContactId } from '../../../src/lib/ids.ts'
import { rbmError } from '../../fakes/rcs/rbm-peer-api.ts'
import { startRcsStage } from '../../support/stages/rcs-stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startRcsStage()
const { clock, peer, profile, rcsAction, person, request, sendRcs, kinds, events, context } = stage
const { book } = peer
const HOUR = 3_600_000

const takenBy = (agent: string) => book.taken.filter((one) => one.agent === agent)
const tries = (stamp: string) => book.attempts.filter(({ messageId }) => messageId === stamp).length

async function agentOf(id: number): Promise<string> {
  const row = await context.db.selectFrom('rcs_profiles').select('agent').where('id', '=', id).executeTakeFirstOrThrow()
  return row.agent
}

async function flags(): Promise<number> {
  return (await context.db.selectFrom('bounce_flags').selectAll().execute()).length
}

suite('RCS message sending', () => {
  test('messages are sent and recorded with their phone, agent and profile', async () => {
    const id = await profile()
    const agent = await agentOf(id)
    const [stamp] = await request({ action: await rcsAction(id), contact: await person('+33639980012') })
    await sendRcs()
    const [taken] = takenBy(agent)
    assert.deepEqual(book.faults, [])
    assert.deepEqual([taken?.phone, taken?.messageId], ['+33639980012', stamp])
    assert.deepEqual(taken?.body.contentMessage, { text: 'Pears' })
    assert.equal(taken?.body.messageTrafficType, 'PROMOTION')
    assert.deepEqual(await kinds(stamp!), ['activations'])
    const [activation] = await events(stamp!, 'activations')
    const { phone, profile: of, agent: by, gateway, kind } = activation.detail.activation
    assert.deepEqual([phone, of, by, kind], ['+33639980012', id, agent, 'message'])
    assert.deepEqual(gateway, { name: 'google-rbm', message: stamp })
    assert.deepEqual([activation.phone, activation.agent], ['+33639980012', agent])
  })

  test('a sent message is not sent again by the next round, nor when its stamp is repeated', async () => {
    const action = await rcsAction(await profile())
    const contact = formatContactId(await person('+33639980013'))
    const stamp = { id: createUuidV7(clock.now()) }
    const body = { recipient: { type: 'id', value: contact }, stamp }
    const execute = () => stage.call('POST', `/channel/rcs/actions/${action}/execution`, { body })
    const first = await execute()
    assert.deepEqual([first.status, first.body.type, first.body.id], [200, 'success', stamp.id])
    await sendRcs()
    assert.equal(tries(stamp.id), 1)
    await sendRcs()
    assert.equal(tries(stamp.id), 1)
    const again = await execute()
    assert.deepEqual([again.status, again.body], [200, first.body])
    await sendRcs()
    assert.equal(tries(stamp.id), 1)
    assert.deepEqual(await kinds(stamp.id), ['executions', 'activations'])
  })

  test('simultaneous executions with one stamp all succeed and send one request', async () => {
    const action = await rcsAction(await profile())
    const { id: contact } = (
      await stage.call('POST', '/targets', { body: { Email: 'raced@shop.example', Mobile: '+33639980098' } })
    ).body
    const stamp = { id: createUuidV7(clock.now()) }
    const body = { recipient: { type: 'id', value: contact }, stamp }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => stage.call('POST', `/channel/rcs/actions/${action}/execution`, { body })),
    )
    for (const answer of answers) assert.deepEqual([answer.status, answer.body], [200, answers[0]!.body])
    assert.deepEqual([answers[0]!.body.type, answers[0]!.body.id], ['success', stamp.id])
    await sendRcs()
    assert.equal(tries(stamp.id), 1)
    assert.deepEqual(await kinds(stamp.id), ['executions', 'activations'])
  })

  test('a dropped connection is retried with the same messageId and recorded as one activation', async () => {
    const id = await profile()
    const [stamp] = await request({ action: await rcsAction(id), contact: await person('+33639980014') })
    book.plan('+33639980014', { how: 'drop' })
    await sendRcs()
    assert.deepEqual(await kinds(stamp!), [])
    await eventually(async () => {
      clock.advance(10_000)
      await sendRcs()
      return (await kinds(stamp!)).length > 0
    })
    assert.deepEqual(await kinds(stamp!), ['activations'])
    assert.equal(tries(stamp!), 2)
    assert.equal(book.taken.filter(({ messageId }) => messageId === stamp).length, 1)
  })

  test('a 404 is recorded as an activation and a soft bounce 5.3.3, and cached as not reachable without a flag', async () => {
    const id = await profile({ capability: { check: true, cacheHours: 24 } })
    book.unreachable.add('+33639980015')
    const action = await rcsAction(id)
    const contact = await person('+33639980015')
    const [stamp] = await request({ action, contact })
    await sendRcs()
    assert.deepEqual(await kinds(stamp!), ['activations', 'bounces'])
    const [{ detail }] = await events(stamp!, 'bounces')
    const { status, analysis } = detail.bounce
    assert.deepEqual([status.type, status.code.enhanced, status.code.gateway], ['sync', '5.3.3', '404 NOT_FOUND'])
    assert.deepEqual([status.mta, analysis.verdict], ['google-rbm', 'soft'])
    assert.equal(await flags(), 0)
    // It is known now: neither a look-up nor a message.
    const before = [book.lookups.length, book.attempts.length]
    const [again] = await request({ action, contact })
    await sendRcs()
    assert.deepEqual(await kinds(again!), ['activations', 'bounces'])
    assert.deepEqual([book.lookups.length, book.attempts.length], before)
  })

  test('404, 403 and 400 for the message are bounces, and 401 is a cancellation due to configuration', async () => {
    const action = await rcsAction(await profile())
    for (const [status, phone, enhanced] of [
      [404, '+33639980030', '5.3.3'],
      [403, '+33639980031', '5.7.1'],
      [400, '+33639980032', '5.6.0'],
      [401, '+33639980033', undefined],
    ] as const) {
      book.plan(phone, rbmError(status), ...(status === 401 ? [rbmError(401)] : []))
      const [stamp] = await request({ action, contact: await person(phone) })
      await sendRcs()
      const expected = enhanced ? ['activations', 'bounces'] : ['cancellations']
      assert.deepEqual(await kinds(stamp!), expected, String(status))
      if (enhanced) {
        const [{ detail }] = await events(stamp!, 'bounces')
        assert.equal(detail.bounce.status.code.enhanced, enhanced)
        assert.match(detail.bounce.status.code.gateway, new RegExp(`^${status} `))
      } else {
        const [{ detail }] = await events(stamp!, 'cancellations')
        assert.equal(detail.cancellation.type, 'configuration')
      }
    }
    assert.equal(await flags(), 0)
  })

  test('a message that expires after an attempt bounces with 4.4.7, and before any attempt is cancelled', async () => {
    const id = await profile()
    const action = await rcsAction(id)
    const contact = await person('+33639980034')
    book.plan('+33639980034', { how: 'drop' }, { how: 'drop' }, { how: 'drop' }, { how: 'drop' })
    const [tried] = await request({ action, contact, expirationMs: 60_000 })
    await sendRcs()
    const [untried] = await request({ action, contact: await person('+33639980035'), expirationMs: 60_000 })
    clock.advance(61_000)
    await eventually(async () => {
      await sendRcs()
      clock.advance(1000)
      return (await kinds(tried!)).length > 0
    })
    assert.deepEqual(await kinds(tried!), ['activations', 'bounces'])
    const [{ detail }] = await events(tried!, 'bounces')
    assert.equal(detail.bounce.status.code.enhanced, '4.4.7')
    const [cancelled] = await events(untried!, 'cancellations')
    assert.equal(cancelled.detail.cancellation.type, 'expired')
  })

  test('the ttl is the time left until the expiration', async () => {
    const id = await profile()
    const [stamp] = await request({
      action: await rcsAction(id),
      contact: await person('+33639980036'),
      expirationMs: HOUR,
    })
    clock.advance(20 * 60_000)
    await sendRcs()
    const ttl = book.taken.find(({ messageId }) => messageId === stamp)?.body.ttl
    assert.match(ttl, /^\d+s$/)
    assert.ok(Number.parseInt(ttl, 10) <= 2400 && Number.parseInt(ttl, 10) > 2300, ttl)
  })

  test('after a 429 with Retry-After: 3, the profile pauses for 3 s, others continue and nothing is lost', async () => {
    const [slow, free] = [await profile(), await profile()]
    const action = await rcsAction(slow)
    const phones = Array.from({ length: 30 }, (_, n) => `+3363998${String(1000 + n)}`)
    const contacts = await Promise.all(phones.map(person))
    const toOther = { action: await rcsAction(free), contact: await person('+33639982000') }
    book.plan(phones[0]!, rbmError(429, 'slow down', { 'retry-after': '3' }))
    const [refused] = await request({ action, contact: contacts[0]! })
    await sendRcs()
    const toldAt = book.attempts.find(({ messageId }) => messageId === refused)!.at
    const stamps = [refused!, ...(await request(...contacts.slice(1).map((contact) => ({ action, contact }))))]
    const [other] = await request(toOther)
    await sendRcs()
    assert.deepEqual(await kinds(other!), ['activations'])
    await eventually(async () => {
      clock.advance(500)
      await sendRcs()
      const all = await Promise.all(stamps.map(kinds))
      return all.every(([kind]) => kind === 'activations')
    })
    const after = book.attempts.filter(({ messageId, at }) => stamps.includes(messageId) && at > toldAt)
    assert.equal(after.length, stamps.length)
    for (const { at } of after) assert.ok(at >= toldAt + 2900, `sent ${at - toldAt} ms after the 429`)
    assert.equal(new Set(book.taken.map(({ messageId }) => messageId)).size, book.taken.length)
  })

  test('an inactive profile sends nothing until it is active again', async () => {
    const id = await profile()
    const [stamp] = await request({ action: await rcsAction(id), contact: await person('+33639980037') })
    const put = (active: boolean) => stage.call('PUT', `/channel/rcs/profiles/${id}`, { body: { active } })
    assert.equal((await put(false)).status, 200)
    await sendRcs()
    assert.deepEqual([await kinds(stamp!), tries(stamp!)], [[], 0])
    assert.equal((await put(true)).status, 200)
    await stage.reopen()
    clock.advance(16_000)
    await sendRcs()
    assert.deepEqual(await kinds(stamp!), ['activations'])
  })

  test("numbers stored as digits or in the profile's national form are recognized", async () => {
    const id = await profile({ country: 'FRA' })
    const action = await rcsAction(id)
    const numbers = ['33639980038', '0639980039', '123']
    const stamps = await request(
      ...(await Promise.all(
        numbers.map(async (number) => ({ action, contact: await person(number.padStart(6, '0')) })),
      )),
    )
    await sendRcs()
    const phones = stamps.map((stamp) => book.taken.find(({ messageId }) => messageId === stamp)?.phone)
    assert.deepEqual(phones, ['+33639980038', '+33639980039', undefined])
    const [{ detail }] = await events(stamps[2]!, 'cancellations')
    assert.equal(detail.cancellation.type, 'invalid address')
  })

  test('messages of a capture profile are kept and reported as delivered', async () => {
    const id = await profile({ provider: { type: 'capture' } })
    const [stamp] = await request({ action: await rcsAction(id), contact: await person('+33639980040') })
    await sendRcs()
    assert.deepEqual(await kinds(stamp!), ['activations', 'deliveries'])
    const [{ detail, phone }] = await events(stamp!, 'deliveries')
    assert.deepEqual([detail.delivery.gateway.message, phone], [stamp, '+33639980040'])
  })
})

suite('RCS look-ups before the first message', () => {
  const check = { capability: { check: true, cacheHours: 24 } }

  test('an answer is cached for 24 hours', async () => {
    const action = await rcsAction(await profile(check))
    const contact = await person('+33639980050')
    const lookups = () => book.lookups.filter(({ phone }) => phone === '+33639980050').length
    const seen: number[] = []
    for (const hours of [0, 23, 2]) {
      clock.advance(hours * HOUR)
      await request({ action, contact })
      await sendRcs()
      seen.push(lookups())
    }
    assert.deepEqual(seen, [1, 1, 2])
  })

  test('a message that needs a feature the phone lacks is treated as not reachable', async () => {
    const action = await rcsAction(await profile(check), {
      content: { type: 'text', text: 'Where?', suggestions: [{ type: 'shareLocation', text: 'Here', postback: 'h' }] },
    })
    const [stamp] = await request({ action, contact: await person('+33639980051') })
    await sendRcs()
    assert.deepEqual(await kinds(stamp!), ['activations', 'bounces'])
    assert.equal(tries(stamp!), 0)
    const [{ detail }] = await events(stamp!, 'bounces')
    assert.match(detail.bounce.status.diagnostic, /ACTION_SHARE_LOCATION/)
  })

  test('the message is sent anyway if the look-up fails', async () => {
    const action = await rcsAction(await profile(check))
    for (const [status, phone] of [
      [429, '+33639980052'],
      [503, '+33639980053'],
    ] as const) {
      book.plan(phone, rbmError(status))
      const [stamp] = await request({ action, contact: await person(phone) })
      await sendRcs()
      assert.deepEqual(await kinds(stamp!), ['activations'], String(status))
    }
  })

  test('for service messages, "not reachable" is cached for an hour', async () => {
    const action = await rcsAction(await profile(check), { settings: { purpose: { type: 'service' } } })
    const contact = await person('+33639980054')
    book.unreachable.add('+33639980054')
    await request({ action, contact })
    await sendRcs()
    book.unreachable.delete('+33639980054')
    clock.advance(HOUR + 1000)
    const [stamp] = await request({ action, contact })
    await sendRcs()
    assert.deepEqual(await kinds(stamp!), ['activations'])
  })
})
