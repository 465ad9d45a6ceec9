import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import type { ScriptWriteCaller } from '../../../src/features/script-host/writes/write-types.ts'
import { applyScriptWrites, prepareScriptWrites } from '../../../src/features/script-host/writes/writes.ts'
import { formatContactId, parseContactId } from '../../../src/lib/ids.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'
import { scriptHost } from '../../support/stages/script-host.ts'
import { workflowSends } from '../../support/stages/workflow-sends.ts'

const stage = await startPushStage()
const { call, context, own, other, gateway, sendDue, peers, sendPushes } = stage
const { db } = context
const { sending, person, made, activate, work, run } = workflowSends(stage)
const { value, refused, stamp, host } = scriptHost(stage)
await call('PUT', '/settings/sending', { body: { testRequired: false } })
const mail = await sending()

const to = (id: string, more = '') => `{ receiver: { type: "id", value: "${id}" } ${more} }`

interface Recorded {
  kind: string
  contact: number | null
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of an event.
  detail: any
  stamp: string
  thread: string
  depth: number
}
const recorded = async (id: string): Promise<Recorded[]> => {
  const { rows } = await sql<Recorded>`
    select kind, contact, detail, stamp, thread, depth from events
    where account = ${own.account} and stamp = ${id}::uuid order by id`.execute(db)
  return rows
}
const messages = async (): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from messages where account = ${own.account}`.execute(db)).rows[0]!.n

describe('actions.execute', () => {
  test('sends one message under the stamp returned to the script, with its origin', async () => {
    const { id, contact, address } = await person()
    const sent = await value(`return actions.execute("${mail}", ${to(id, ', data: { cart: 7 }')})`, { depth: 2 })
    assert.deepEqual(sent, { type: 'success', id: sent.id })
    const [execution, ...rest] = await recorded(sent.id)
    assert.deepEqual([rest.length, execution!.contact, execution!.depth], [0, contact, 2])
    const { origin, data, stamp: said } = execution!.detail.execution
    assert.deepEqual([origin, data], [{ type: 'webtask', id: 7 }, { cart: 7 }])
    assert.deepEqual(said, { ...stamp, id: sent.id, time: stage.clock.now() })
    await sendDue()
    assert.equal(gateway.to(address).length, 1)
  })

  test('repeating a run with the same seed sends once', async () => {
    const { id, address } = await person()
    const body = `return actions.execute("${mail}", ${to(id)}).id`
    const [first, second] = [await value(body, { seed: 'repeated' }), await value(body, { seed: 'repeated' })]
    assert.equal(first, second)
    await sendDue()
    assert.equal(gateway.to(address).length, 1)
    assert.equal((await recorded(first)).filter(({ kind }) => kind === 'executions').length, 1)
  })

  test('a stamp in the item is returned and stored, and a known stamp sends nothing again', async () => {
    const { id, address } = await person()
    const [given, thread] = [randomUUID(), randomUUID()]
    const body = `return actions.execute("${mail}", ${to(id, `, stamp: { id: "${given.toUpperCase()}", thread: "${thread}" }`)}).id`
    assert.deepEqual([await value(body), await value(body)], [given, given])
    const lost = `return actions.execute("${mail}", ${to('ZZZZZZZZ', `, stamp: { id: "${given}" }`)}).id`
    assert.equal(await value(lost), given)
    await sendDue()
    assert.equal(gateway.to(address).length, 1)
    assert.equal((await recorded(given))[0]!.thread, thread)
  })

  test("an item's own content is compiled before anything is written", async () => {
    const { id, address } = await person()
    const own41 = await sending({ settings: { templating: { version: '4.1' } } })
    const content = (html: string) => to(id, `, subject: "Own", content: { type: "template", html: "${html}" }`)
    await value(`actions.execute("${own41}", ${content('<p>For {{ contact.Email }}</p>')})`)
    await sendDue()
    assert.match(String(gateway.to(address)[0]!.bytes), new RegExp(`For ${address}`))
    const before = await messages()
    assert.deepEqual(
      await refused(
        `actions.execute("${mail}", ${to(id)}); actions.execute("${own41}", ${content('<p>{% if %}</p>')})`,
      ),
      [2, 'actions.execute', 400, 'invalid-request'],
    )
    assert.equal(await messages(), before)
  })

  test('a contact created by the script gets its message', async () => {
    const id = await value(`
      const id = targets.create({ Email: "fresh@orchard.example" });
      actions.execute("${mail}", { receiver: { type: "id", value: id } });
      return id`)
    await sendDue()
    assert.equal(gateway.to('fresh@orchard.example').length, 1)
    assert.ok(parseContactId(id))
  })

  test('a refused call or an item error rolls back all writes', async () => {
    const { id } = await person({ Email: 'refused@orchard.example' })
    const paused = await sending()
    assert.equal((await call('DELETE', `/actions/${paused}/validation`)).status, 204)
    const content = { subject: 'Hello', html: '<html><body>Hello</body></html>' }
    const foreign = await call('POST', '/actions', {
      body: { type: 'mailMessage', name: 'Theirs', content },
      key: other.key,
    })
    const before = await messages()
    const faults: [string, number, string][] = [
      [`actions.execute("${foreign.body.id}", ${to(id)})`, 404, 'not-found'],
      [`actions.execute("ZZZZZZ", ${to(id)})`, 404, 'not-found'],
      [`actions.execute("x", ${to(id)})`, 404, 'not-found'],
      [`actions.execute(7, ${to(id)})`, 404, 'not-found'],
      ['actions.execute()', 404, 'not-found'],
      [`actions.execute("${paused}", ${to(id)})`, 409, 'action-state'],
      [`actions.execute("${mail}", ${to('ZZZZZZZZ')})`, 404, 'recipient-not-found'],
      [
        `actions.execute("${mail}", ${to(id, ', related: { type: "id", value: "ZZZZZZZZ" }')})`,
        404,
        'related-not-found',
      ],
      [`actions.execute("${mail}", ${to(id, ', data: { much: "x".repeat(270000) }')})`, 400, 'data'],
      [`actions.execute("${mail}", ${to(id, ', subject: 7')})`, 400, 'invalid-request'],
      [`actions.execute("${mail}", ${to(id, ', stamp: { id: "x" }')})`, 400, 'invalid-request'],
      [`actions.execute("${mail}", ${to(id, ', stamp: 3')})`, 400, 'invalid-request'],
      [`actions.execute("${mail}", {})`, 400, 'invalid-request'],
      [`actions.execute("${mail}")`, 400, 'invalid-request'],
    ]
    for (const [bad, status, kind] of faults)
      assert.deepEqual(
        await refused(`actions.execute("${mail}", ${to(id)}); ${bad}`),
        [2, 'actions.execute', status, kind],
        bad,
      )
    assert.equal(await messages(), before)
  })

  test('a contact on the red list is sent nothing', async () => {
    const { id, address } = await person()
    assert.equal((await call('POST', `/targets/${id}/redlist/mail`)).status, 204)
    const sent = await value(`return actions.execute("${mail}", ${to(id)}).id`)
    await sendDue()
    assert.equal(gateway.to(address).length, 0)
    assert.deepEqual(
      (await recorded(sent)).map(({ kind }) => kind),
      ['executions', 'cancellations'],
    )
  })
})

describe('notifications.execute', () => {
  test('sends the notification to the devices of a contact', async () => {
    const app = await stage.application(['http'])
    const sale = await stage.notification(app)
    const contact = await stage.person()
    await stage.device(app, contact, 'http')
    const before = peers.http.requests.length
    const item = to(formatContactId(contact), ', title: "Parcel", body: "At {{ data.door }}", data: { door: "D7" }')
    const sent = await value(
      `return [notifications.execute(${sale}, ${item}), notifications.execute("${sale}", ${item})]`,
    )
    await sendPushes()
    assert.equal(peers.http.requests.length, before + 2)
    assert.match(String(peers.http.requests.at(-1)!.body), /At D7/)
    const [execution] = await recorded(sent[0].id)
    assert.deepEqual([execution!.contact, execution!.detail.execution.origin], [contact, { type: 'webtask', id: 7 }])
  })

  test('records an execution for a contact created by the script', async () => {
    const app = await stage.application(['http'])
    const sale = await stage.notification(app)
    const id = await value(`
      const id = targets.create({ Email: "pushed@orchard.example" });
      notifications.execute(${sale}, { receiver: { type: "id", value: id }, title: "T", body: "B" });
      return id`)
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from events where account = ${own.account} and contact = ${parseContactId(id)!} and kind = 'executions'`.execute(
      db,
    )
    assert.deepEqual(rows, [{ n: 1 }])
  })

  test('a notification changed between the run and its writes is sent as changed', async () => {
    const app = await stage.application(['http'])
    const sale = await stage.notification(app)
    const contact = await stage.person()
    await stage.device(app, contact, 'http')
    const caller: ScriptWriteCaller = {
      account: own.account,
      depth: 0,
      contact: null,
      workflow: null,
      now: stage.clock.now(),
      stamp,
      origin: { type: 'webtask', id: 7 },
    }
    const args = [sale, { receiver: { type: 'id', value: formatContactId(contact) } }]
    const answer = { type: 'success', id: randomUUID() }
    const prepared = await prepareScriptWrites(host, caller, [{ name: 'notifications.execute', args, answer }])
    const { versions } = (await call('GET', `/notifications/${sale}`)).body
    const content = { title: 'Changed', body: 'In between' }
    const changed = { versions: [{ ...versions[0], content }] }
    assert.equal((await call('PUT', `/notifications/${sale}`, { body: changed })).status, 200)
    const applied = await inTransaction(db, (tx) => applyScriptWrites(tx, host, caller, prepared))
    assert.equal(applied.type, 'applied')
    await sendPushes()
    assert.match(String(peers.http.requests.at(-1)!.body), /In between/)
  })

  test('unknown, foreign and inactive notifications and invalid items are refused', async () => {
    const sale = await stage.notification(await stage.application(['http']))
    const contact = formatContactId(await stage.person())
    const sleeping = await stage.notification(await stage.application(['http']))
    assert.equal((await call('DELETE', `/notifications/${sleeping}/activation`)).status, 204)
    const foreign = await call('POST', '/notifications', {
      body: { type: 'push-app', name: 'Theirs', versions: [{ master: true, content: { title: 'T', body: 'B' } }] },
      key: other.key,
    })
    const faults: [string, number, string][] = [
      [`${foreign.body.id}, ${to(contact)}`, 404, 'not-found'],
      [`999999, ${to(contact)}`, 404, 'not-found'],
      [`"x", ${to(contact)}`, 404, 'not-found'],
      [`1e12, ${to(contact)}`, 404, 'not-found'],
      [`${sleeping}, ${to(contact)}`, 409, 'notification-inactive'],
      [`${sale}, ${to('ZZZZZZZZ')}`, 404, 'recipient-not-found'],
      [`${sale}, ${to(contact, ', title: 7')}`, 400, 'invalid-request'],
      [`${sale}, {}`, 400, 'invalid-request'],
    ]
    for (const [args, status, kind] of faults)
      assert.deepEqual(
        await refused(`notifications.execute(${args})`),
        [1, 'notifications.execute', status, kind],
        args,
      )
  })
})

describe('rcs.execute', async () => {
  const { id: field } = await made('/fields', { type: 'phone', name: 'Mobile' })
  const profile = (
    await made('/channel/rcs/profiles', { name: 'Orchard', agent: 'orchard', provider: { type: 'capture' } })
  ).id
  const body = { type: 'rcsMessage', name: 'Pears', content: { type: 'text', text: 'Pears' } }
  const action = (await made('/channel/rcs/actions', { ...body, settings: { profile, field } })).id

  test("sends the validated action or the item's own content", async () => {
    stage.sender.gateways = { ...stage.sender.gateways, named: async () => gateway }
    const { id } = await made('/targets', { Email: 'rich@orchard.example', Mobile: '+33601020305' })
    assert.deepEqual(await refused(`rcs.execute(${action}, ${to(id)})`), [1, 'rcs.execute', 409, 'action-state'])
    await made(`/channel/rcs/actions/${action}/validation`, {})
    const content = ', content: { type: "text", text: "For {{ data.name }}" }, data: { name: "Ann" }'
    const sent = await value(`return [rcs.execute(${action}, ${to(id)}), rcs.execute("${action}", ${to(id, content)})]`)
    await sendDue()
    const texts = gateway.sentRcs.map((one) => JSON.stringify(one))
    assert.deepEqual([texts.length, /Pears/.test(texts[0]!), /For Ann/.test(texts[1]!)], [2, true, true])
    const [execution] = await recorded(sent[0].id)
    assert.deepEqual(execution!.detail.execution.origin, { type: 'webtask', id: 7 })
    assert.deepEqual(await refused(`rcs.execute(999999, ${to(id)})`), [1, 'rcs.execute', 404, 'not-found'])
    assert.deepEqual(await refused(`rcs.execute("${mail}", ${to(id)})`), [1, 'rcs.execute', 404, 'not-found'])
    assert.deepEqual(await refused(`rcs.execute(${action}, ${to('ZZZZZZZZ')})`), [
      1,
      'rcs.execute',
      404,
      'recipient-not-found',
    ])
  })
})

describe('workflows.execute', () => {
  const nodes = [{ id: 'end', type: 'terminal', default: true, settings: { outcome: 'ok' } }]

  test('starts a run under the id returned to the script', async () => {
    const { id: who, contact } = await person()
    const workflow = await activate({ nodes })
    const started = await value(`return workflows.execute(${workflow}, ${to(who, ', data: { n: 3 }')})`, { depth: 4 })
    const stored = await run(started.id)
    assert.deepEqual(
      [started.type, stored['workflow'], stored['contact'], stored['data'], stored['depth'], stored['start_type']],
      ['success', workflow, contact, { n: 3 }, 4, 'execution'],
    )
    await work()
    assert.equal((await run(started.id))['outcome'], 'ok')
    const empty = await value(`return workflows.execute(${workflow}).id`)
    assert.equal((await run(empty))['contact'], null)
  })

  test('an id in the item starts a run and later resumes it', async () => {
    const { id: who } = await person()
    const workflow = await activate({
      nodes: [
        {
          id: 'answer',
          type: 'wait',
          default: true,
          next: 'end',
          settings: { event: { type: 'custom', names: ['answer'] }, into: 'got' },
        },
        { id: 'end', type: 'terminal', settings: { outcome: 'ok' } },
      ],
    })
    const started = await value(`return workflows.execute(${workflow}, ${to(who, ', id: "order-7"')}).id`)
    await work()
    assert.equal((await run(started))['status'], 'waiting')
    const resolutions = '{ id: "order-7", resolutions: [{ key: "answer", value: { n: 1 } }] }'
    assert.equal(await value(`return workflows.execute(${workflow}, ${resolutions}).id`), started)
    await work()
    const { outcome, variables } = await run(started)
    assert.deepEqual([outcome, variables], ['ok', { got: { n: 1 } }])
    assert.deepEqual(await refused(`workflows.execute(${workflow}, ${resolutions})`), [
      1,
      'workflows.execute',
      409,
      'run-id-used',
    ])
  })

  test('a stamp that has already started a run returns that run, whether a script or a request started it', async () => {
    const { id: who } = await person()
    const workflow = await activate({ nodes })
    const stamped = (stamp: string) => `workflows.execute(${workflow}, ${to(who, `, stamp: { id: "${stamp}" }`)}).id`
    const own = randomUUID()
    const started = await value(`return ${stamped(own)}`)
    assert.equal((await run(started))['stamp'], own)
    assert.deepEqual(await value(`return [${stamped(own.toUpperCase())}, ${stamped(own)}]`), [started, started])
    const [asked, named] = [randomUUID(), randomUUID()]
    const execute = async (body: object) =>
      (await call('POST', `/scripting/workflows/${workflow}/execution`, { body })).body.id
    const first = await execute({ stamp: { id: asked } })
    assert.equal(await execute({ stamp: { id: asked } }), first)
    assert.equal(await value(`return ${stamped(asked)}`), first)
    assert.equal(await execute({ stamp: { id: own } }), started)
    // Of an id that was wished for beside the stamp the script cannot know.
    await execute({ id: 'order-8', stamp: { id: named } })
    assert.deepEqual(await refused(stamped(named)), [1, 'workflows.execute', 409, 'stamp-used'])
  })

  test('refused executions are reported as problems, and nothing is written', async () => {
    const { id: who } = await person()
    const workflow = await activate({ nodes })
    const once = await activate({ nodes, settings: { reentry: { mode: 'never' } } })
    const sleeping = (await made('/scripting/workflows', { name: 'Sleeping' })).id
    const foreign = await call('POST', '/scripting/workflows', { body: { name: 'Theirs' }, key: other.key })
    await value(`workflows.execute(${once}, ${to(who)})`)
    const before = await messages()
    const faults: [string, number, string][] = [
      [`${foreign.body.id}, ${to(who)}`, 404, 'not-found'],
      [`999999, ${to(who)}`, 404, 'not-found'],
      [`1e12, ${to(who)}`, 404, 'not-found'],
      [`"x", ${to(who)}`, 404, 'not-found'],
      [`${sleeping}, ${to(who)}`, 409, 'workflow-inactive'],
      [`${workflow}, ${to('ZZZZZZZZ')}`, 404, 'recipient-not-found'],
      [`${workflow}, { node: "gone" }`, 400, 'invalid-request'],
      [`${workflow}, { data: 3 }`, 400, 'invalid-request'],
      [`${workflow}, 3`, 400, 'invalid-request'],
      [`${workflow}, { debug: { nodes: [] } }`, 400, 'invalid-request'],
      [`${workflow}, { event: { text: "x".repeat(70000) } }`, 400, 'invalid-request'],
      [`${once}, ${to(who)}`, 409, 're-entry-refused'],
      [`${workflow}, { resolutions: [{ key: "end" }] }`, 409, 'run-not-waiting'],
    ]
    for (const [args, status, kind] of faults)
      assert.deepEqual(
        await refused(`actions.execute("${mail}", ${to(who)}); workflows.execute(${args})`),
        [2, 'workflows.execute', status, kind],
        args,
      )
    assert.deepEqual(await refused(`workflows.execute(${workflow}, ${to(who)})`, { depth: 11 }), [
      1,
      'workflows.execute',
      409,
      're-entry-refused',
    ])
    assert.equal(await messages(), before)
  })
})
