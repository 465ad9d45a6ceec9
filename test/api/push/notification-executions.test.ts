import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { parseContactId } from '../../../src/lib/ids.ts'
import {
  type ApplicationOptions,
  storedApplication,
  storedSubscription,
} from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, gateway, other, sendDue, sender } = stage
// Every provider's gateway is the one that records.
sender.gateways = { ...sender.gateways, named: async () => gateway }

const DAY_MS = 24 * 3600 * 1000
let made = 0
const content = { title: 'Twenty off', body: 'Tonight only' }
const german = { name: 'de', condition: "data.language == 'de'", content: { ...content, title: 'Zwanzig' } }
const broken = { name: 'broken', condition: "data.language == 'xx' and (1..data.n) contains 5", content }

async function person() {
  const address = `ada${++made}@orchard.example`
  const id = await stage.contact(address, {})
  return { id, number: parseContactId(id)!, to: { type: 'contact', value: { type: 'id', value: id } } }
}

async function notification(more: object = {}, options: ApplicationOptions & { active?: boolean } = {}) {
  const application = await storedApplication(stage, {})
  const settings = { application, ...(more as { settings?: object }).settings }
  const body = { type: 'push-app', name: `Sale ${++made}`, versions: [{ master: true, content }], ...more, settings }
  const answer = await call('POST', '/notifications', { body })
  assert.equal(answer.status, 200, answer.text)
  const path = `/notifications/${answer.body.id}`
  if (options.active !== false) assert.equal((await call('POST', `${path}/activation`)).status, 204)
  return { ...answer.body, path, application }
}

const execute = (path: string, items: unknown) => call('POST', `${path}/executions`, { body: items })

async function happened(stamp: string) {
  const { rows } = await context.pool.query('select kind, detail from events where stamp = $1 order by kind', [stamp])
  return rows as { kind: string; detail: Record<string, { cancellation?: { type: string } }> }[]
}
const kinds = async (stamp: string) => (await happened(stamp)).map(({ kind }) => kind)
const text = async (stamp: string) => JSON.stringify(await happened(stamp))
const pushesOf = (stamp: string) => gateway.sentPushes.filter(({ stampId }) => stampId === stamp)

suite('notification executions', () => {
  test('a contact with two devices has one result, one execution event and two activations of one stamp', async () => {
    const one = await notification()
    const ada = await person()
    const devices = [
      await storedSubscription(stage, one.application, { contact: ada.number }),
      await storedSubscription(stage, one.application, { contact: ada.number }),
    ]
    const { status, body } = await call('POST', `${one.path}/execution`, { body: { recipient: ada.to } })
    assert.equal(status, 200)
    assert.deepEqual([body.type, body.recipient.type, body.recipient.id], ['success', 'footprint', ada.id])
    assert.deepEqual(await kinds(body.id), ['executions'])
    await sendDue()
    assert.deepEqual(await kinds(body.id), ['activations', 'activations', 'executions'])
    assert.deepEqual(
      pushesOf(body.id)
        .map(({ meta }) => meta.subscription)
        .sort(),
      devices.sort(),
    )
  })

  test('a contact without a device is a success and cancelled as "no subscription"', async () => {
    const one = await notification()
    const { body } = await call('POST', `${one.path}/execution`, { body: { recipient: (await person()).to } })
    assert.equal(body.type, 'success')
    await sendDue()
    assert.match(await text(body.id), /"no subscription"/)
    assert.equal(pushesOf(body.id).length, 0)
  })

  test('a device that was not put for 270 days gets no pushes until it is put again, and the cancellation says so', async () => {
    const one = await notification()
    const ada = await person()
    const [silent, quiet] = [
      await storedSubscription(stage, one.application, { contact: ada.number }),
      await storedSubscription(stage, one.application, { contact: ada.number }),
    ]
    const setPutDate = async (id: string, daysAgo: number) =>
      context.pool.query('update subscriptions set created_at = $2, updated_at = null, put_at = null where id = $1', [
        id,
        new Date(clock.now() - daysAgo * DAY_MS),
      ])
    const sentTo = async () => {
      const { body } = await call('POST', `${one.path}/execution`, { body: { recipient: ada.to } })
      await sendDue()
      return { stamp: body.id, devices: pushesOf(body.id).map(({ meta }) => meta.subscription) }
    }
    await setPutDate(silent, 271)
    await setPutDate(quiet, 269)
    assert.deepEqual((await sentTo()).devices, [quiet])
    await setPutDate(quiet, 271)
    const { stamp, devices } = await sentTo()
    assert.deepEqual(devices, [])
    const cancellation = { type: 'no subscription', value: { application: one.application, silent: true } }
    assert.match(await text(stamp), new RegExp(JSON.stringify(cancellation).slice(1, -1)))
    const provider = { type: 'firebase', token: randomUUID() }
    const put = await call('PUT', '/subscriptions', { body: { id: silent, application: one.application, provider } })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual((await sentTo()).devices, [silent])
  })

  test('results keep the order of the items, an unknown contact included, and 1,001 items are refused', async () => {
    const one = await notification()
    const [ada, bob] = [await person(), await person()]
    const nobody = { type: 'contact', value: { type: 'id', value: '0000ZZZZ' } }
    const items = [{ recipient: ada.to }, { recipient: nobody }, { recipient: bob.to.value }]
    const { body } = await execute(one.path, items)
    assert.deepEqual([body[0].recipient.id, body[2].recipient.id], [ada.id, bob.id])
    assert.deepEqual(body[1], { type: 'error', value: { type: 'recipient not found', recipient: nobody } })
    assert.equal((await execute(one.path, Array(1001).fill(items[0]))).status, 400)
    assert.equal((await execute(one.path, [items[0], {}])).status, 400)
    assert.deepEqual((await execute(one.path, [])).body, [])
  })

  test('a contact is named by its unicity, also as a text, and by no other value', async () => {
    const one = await notification()
    const address = 'unicity@orchard.example'
    const { body: known } = await call('POST', '/targets', { body: { Email: address } })
    const identifications = [
      { type: 'unicity', value: address },
      { type: 'unicity', value: [address] },
    ]
    const items = identifications.flatMap((value) => [{ recipient: { type: 'contact', value } }, { recipient: value }])
    const { status, body } = await execute(one.path, [...items, { recipient: { unicity: address } }])
    assert.equal(status, 200)
    assert.deepEqual(
      body.map((result: { recipient?: { id: string } }) => result.recipient?.id),
      Array(5).fill(known.id),
    )
    for (const value of [1.5, 2 ** 53, true, {}, [1.5], [[address]]])
      for (const type of ['id', 'unicity', 'hash']) {
        const answer = await execute(one.path, [{ recipient: { type: 'contact', value: { type, value } } }])
        assert.ok(answer.status < 500, JSON.stringify({ type, value }))
      }
  })

  test('a named version is sent, else the first whose condition is true, else the master', async () => {
    const one = await notification({ versions: [german, broken, { master: true, content }] })
    const ada = await person()
    await storedSubscription(stage, one.application, { contact: ada.number })
    const [de, , master] = one.versions
    const recipient = ada.to
    const asked = [{ data: { language: 'de' } }, {}, { data: { language: 'xx', n: 999999999 } }, { version: de.id }]
    const { body } = await execute(
      one.path,
      asked.map((item) => ({ ...item, recipient })),
    )
    await sendDue()
    const sent = body.map(({ id }: { id: string }) => pushesOf(id)[0]?.meta.version)
    assert.deepEqual(sent, [de.id, master.id, master.id, de.id])
    const unknown = await execute(one.path, [{ recipient, version: randomUUID() }])
    assert.equal(unknown.status, 404)
  })

  test('an item may replace texts, is refused if invalid, and sends once per stamp', async () => {
    const one = await notification()
    const ada = await person()
    await storedSubscription(stage, one.application, { contact: ada.number })
    const stamp = { id: '0198c301-0000-7000-8000-000000000001' }
    const item = { recipient: ada.to, title: 'For {{ data.name }}', data: { name: 'Ada' }, urgent: true, stamp }
    const first = await execute(one.path, [item])
    assert.equal(first.body[0].id, stamp.id)
    assert.deepEqual(
      (await execute(one.path, [item, { ...item, recipient: { type: 'id', value: '0000ZZZZ' } }])).body,
      [...first.body, ...first.body],
    )
    await sendDue()
    const [push, ...more] = pushesOf(stamp.id)
    assert.deepEqual(
      [push?.render.title, push?.render.body, push?.urgent, more.length],
      ['For Ada', 'Tonight only', true, 0],
    )
    const route = { redirection: { type: 'route', value: 'nowhere' } }
    for (const wrong of [
      { title: '{{ x' },
      route,
      { expiration: { type: 'period', value: { unit: 'SECOND', value: 3 } } },
    ]) {
      const { status, text: said } = await execute(one.path, [{ recipient: ada.to, ...wrong }])
      assert.equal(status, 400, said)
      assert.match(said, new RegExp(`/0/${Object.keys(wrong)[0]}`))
    }
  })

  test('a subscription is reached alone, with or without a contact, and one of another application is unknown', async () => {
    const one = await notification()
    const ada = await person()
    const mine = await storedSubscription(stage, one.application, { contact: ada.number })
    await storedSubscription(stage, one.application, { contact: ada.number })
    const nobodys = await storedSubscription(stage, one.application)
    const foreign = await storedSubscription(stage, await storedApplication(stage))
    const ids = [mine, nobodys, foreign]
    const { body } = await execute(
      one.path,
      ids.map((value) => ({ recipient: { type: 'subscription', value } })),
    )
    assert.equal(body[0].recipient.id, ada.id)
    assert.deepEqual(body[1].recipient, { type: 'subscription', value: nobodys })
    assert.equal(body[2].value.type, 'recipient not found')
    assert.match(await text(body[1].id), new RegExp(nobodys))
    await sendDue()
    assert.deepEqual(
      pushesOf(body[0].id).map(({ meta }) => meta.subscription),
      [mine],
    )
    assert.deepEqual(
      pushesOf(body[1].id).map(({ meta }) => meta.subscription),
      [nobodys],
    )
  })

  test('the expiration counts from the acceptance, and an expired message is cancelled', async () => {
    const expiration = { type: 'period', value: { unit: 'HOUR', value: 12 } }
    const one = await notification({ settings: { expiration } })
    const ada = await person()
    await storedSubscription(stage, one.application, { contact: ada.number })
    const short = { type: 'period', value: { unit: 'MINUTE', value: 30 } }
    const accepted = clock.now()
    const { body } = await execute(one.path, [{ recipient: ada.to }, { recipient: ada.to, expiration: short }])
    clock.advance(3_600_000)
    await sendDue()
    assert.equal(pushesOf(body[0].id)[0]?.expiresAt, accepted + 12 * 3_600_000)
    assert.equal(pushesOf(body[1].id).length, 0)
    assert.match(await text(body[1].id), /"expired"/)
  })

  test('deactivation and deletion cancel waiting messages as "action deleted"', async () => {
    for (const [method, end] of [
      ['DELETE', '/activation'],
      ['DELETE', ''],
    ] as const) {
      const one = await notification()
      const ada = await person()
      await storedSubscription(stage, one.application, { contact: ada.number })
      const { body } = await execute(one.path, [{ recipient: ada.to }])
      assert.equal((await call(method, `${one.path}${end}`)).status, 204)
      await sendDue()
      assert.match(await text(body[0].id), /"action deleted"/)
      assert.equal(pushesOf(body[0].id).length, 0)
    }
  })
})

test('templates, conditions and previews see the same notification id with the same type', async () => {
  const template =
    "{{ action.id }} {{ action.name }} {% if action.id == '0' %}{% else %}{{ action.id | json }}{% endif %}"
  const condition = 'action.id == "%ID%"'
  const one = await notification({ versions: [{ master: true, content: { title: template, body: 'Tonight' } }] })
  const chosen = { name: 'own', condition: condition.replace('%ID%', String(one.id)), content: one.versions[0].content }
  const put = await call('PUT', one.path, { body: { versions: [chosen, one.versions[0]] } })
  assert.equal(put.status, 200, put.text)
  const ada = await person()
  await storedSubscription(stage, one.application, { contact: ada.number })
  const { body } = await call('POST', `${one.path}/execution`, { body: { recipient: ada.to } })
  await sendDue()
  const [push] = pushesOf(body.id)
  assert.equal(push?.meta.version, put.body.versions[0].id)
  assert.equal(push?.render.title, `${one.id} ${one.name} "${one.id}"`)
  const preview = await call('GET', `${one.path}/render/contact/${ada.id}`)
  assert.equal(preview.body.render.title, push?.render.title)
})

suite('notification tests', () => {
  test('an inactive notification can be tested but not executed, and neither without an active application', async () => {
    const one = await notification({ versions: [{ master: true, content }, german] }, { active: false })
    const ada = await person()
    await storedSubscription(stage, one.application, { contact: ada.number })
    const body = { recipient: ada.to }
    assert.equal((await call('POST', `${one.path}/execution`, { body })).status, 409)
    const tested = await call('POST', `${one.path}/test`, { body })
    assert.deepEqual([tested.status, tested.body.length], [200, 1], tested.text)
    const other = await call('POST', `${one.path}/versions/${one.versions[1].id}/test`, { body })
    await sendDue()
    const [stamp, second] = [tested.body[0].id, other.body[0].id]
    assert.deepEqual([pushesOf(stamp)[0]?.render.title, pushesOf(second)[0]?.render.title], ['Twenty off', 'Zwanzig'])
    assert.deepEqual(await kinds(stamp), ['activations'])
    assert.match(await text(stamp), /"kind":\s*"test"/)
    await context.pool.query('update applications set active = false where id = $1', [one.application])
    assert.equal((await call('POST', `${one.path}/test`, { body })).status, 409)
    assert.equal((await call('POST', `${one.path}/versions/${randomUUID()}/test`, { body })).status, 404)
  })

  test("reach every live device of a test segment's members, and none when it has more than 200", async () => {
    const one = await notification()
    const people = [await person(), await person(), await person()]
    const devices: string[] = []
    for (const { number } of [people[0]!, people[0]!, people[1]!])
      devices.push(await storedSubscription(stage, one.application, { contact: number }))
    const segment = await stage.segment(people.map(({ id }) => id).reverse(), { isTest: true })
    const body = { recipient: { type: 'segment', value: segment } }
    const { status, body: results } = await call('POST', `${one.path}/test`, { body })
    assert.equal(status, 200)
    assert.deepEqual(
      results.map(({ recipient }: { recipient: { id: string } }) => recipient.id),
      people.map(({ id }) => id).sort(),
    )
    await sendDue()
    const stamps: string[] = results.map(({ id }: { id: string }) => id)
    const sent = stamps.flatMap((stamp) => pushesOf(stamp).map(({ meta }) => meta.subscription))
    assert.deepEqual(sent.sort(), devices.sort())
    assert.match(await text(stamps[2]!), /"no subscription"/)

    await context.pool.query(
      `with more as (
        insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
        select account, '{}', unicity || n, key || n, decode(md5(unicity || n), 'hex'), now(), now()
        from contacts, generate_series(1, 198) n where account = $1 and id = $2
        returning account, id)
      insert into segment_members (account, segment, contact) select account, $3, id from more`,
      [stage.own.account, people[0]!.number, segment],
    )
    const before = gateway.sentPushes.length
    assert.equal((await call('POST', `${one.path}/test`, { body })).status, 409)
    await sendDue()
    assert.equal(gateway.sentPushes.length, before)
  })

  test('accept only test segments', async () => {
    const one = await notification()
    const make = async (isTest: boolean) =>
      (await call('POST', '/segments', { body: { type: 'static', name: `Team ${++made}`, isTest } })).body.id
    const body = (value: number) => ({ body: { recipient: { type: 'segment', value } } })
    assert.equal((await call('POST', `${one.path}/test`, body(await make(false)))).status, 409)
    assert.equal((await call('POST', `${one.path}/test`, body(999_999))).status, 404)
    assert.deepEqual((await call('POST', `${one.path}/test`, body(await make(true)))).body, [])
  })
})

test("another account's notification, version and subscription are unknown", async () => {
  const one = await notification()
  const { to: recipient } = await person()
  const options = { body: { recipient }, key: other.key }
  for (const path of ['execution', 'test', `versions/${one.versions[0].id}/test`])
    assert.equal((await call('POST', `${one.path}/${path}`, options)).status, 404)
  assert.equal((await call('POST', `${one.path}/executions`, { ...options, body: [{ recipient }] })).status, 404)
  const application = await storedApplication(stage, { account: other.account })
  const foreign = await storedSubscription(stage, application, { account: other.account })
  const { body } = await execute(one.path, [{ recipient: { type: 'subscription', value: foreign } }])
  assert.equal(body[0].value.type, 'recipient not found')
})
