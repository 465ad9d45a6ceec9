import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { limit, pressureTools } from '../../support/stages/pressure.ts'
import { startStage } from '../../support/stages/stage.ts'
import { literal, path, workflowSends } from '../../support/stages/workflow-sends.ts'

const stage = await startStage()
const { call, gateway, sendDue, clock } = stage
const { sending, person, chain, begin, work, runOf, recordsOf, made, engine } = workflowSends(stage)
await call('PUT', '/settings/sending', { body: { testRequired: false } })
const CONTENT = { subject: 'Cart {{ data.cart }}', html: '<html><body>Hello</body></html>' }
const mail = await sending({ content: CONTENT })

suite('emails sent by workflows', () => {
  test("sendMail sends the action to the run's contact once, with the run's thread, set and origin", async () => {
    const { contact, address } = await person()
    const settings = { action: mail, data: { cart: path('data.cart') }, into: 'sent' }
    const workflow = await chain([{ type: 'sendMail', id: 'mail', settings }])
    const id = await begin(workflow, { contact, data: { cart: 7 }, depth: 2 })
    await work()
    const { status, trace, variables, thread, set, sends } = await runOf(id)
    assert.equal(status, 'completed')
    const [execution, ...others] = await recordsOf(id)
    assert.deepEqual(others, [])
    const { stamp } = trace[0].detail
    assert.deepEqual([trace[0].outcome, trace[0].detail], ['accepted', { stamp }])
    assert.equal(execution!.kind, 'executions')
    assert.deepEqual([execution!.contact, execution!.depth], [contact, 3])
    const { recipient, origin, data, stamp: said } = execution!.detail.execution
    assert.deepEqual(origin, { type: 'workflow', id: workflow })
    assert.deepEqual(data, { cart: 7 })
    assert.deepEqual(said, { id: stamp, thread, set, time: clock.now() })
    assert.deepEqual(variables.sent, { type: 'success', id: stamp, recipient })
    assert.deepEqual([sends.mail, sends[''], sends['at mail']], [stamp, stamp, sends['at ']])
    await sendDue()
    assert.equal(gateway.to(address).length, 1)
    assert.match(String(gateway.to(address)[0]!.bytes), /Subject: Cart 7/)
    assert.deepEqual(
      (await recordsOf(id)).map(({ kind, depth }) => [kind, depth]),
      [
        ['executions', 3],
        ['activations', 3],
      ],
    )
  })

  test('the templates of a message read the last event of the run, on the mirror page too; that of a run without one is null', async () => {
    const html = '<html><body>{{ event.data.cart }}|{{ event.type }}|<a href="{{ links.mirror }}">M</a></body></html>'
    const action = await sending({ content: { subject: 'S', html } })
    const workflow = await chain([
      {
        type: 'sendMail',
        id: 'mail',
        settings: { action, copies: literal([{ type: 'address', value: 'copy@reader.example' }]) },
      },
    ])
    const [told, untold] = [await person(), await person()]
    const event = { type: 'cart.left', data: { cart: 'C<7>' } }
    await begin(workflow, { contact: told.contact, event })
    await begin(workflow, { contact: untold.contact })
    await work()
    await sendDue()
    const mailsTo = (address: string) => gateway.to(address).map(({ bytes }) => String(bytes).replaceAll('=\r\n', ''))
    const mailTo = (address: string) => String(mailsTo(address)[0])
    assert.match(mailTo(told.address), /C&lt;7&gt;\|cart\.left\|/)
    assert.equal(mailsTo('copy@reader.example').filter((mail) => mail.includes('C&lt;7&gt;|cart.left|')).length, 1)
    assert.match(mailTo(untold.address), /<body>\|\|/)
    await stage.settle()
    const [, mirror] = /href=(?:3D)?"[^"]*?(\/t\/m\/[^"]+)"/.exec(mailTo(told.address)) ?? []
    const page = await stage.app.inject({ url: String(mirror) })
    assert.match(page.payload, /C&lt;7&gt;\|cart\.left\|/)
  })

  test('a send without a contact or with an empty receiver fails permanently with "no receiver"', async () => {
    const { contact } = await person()
    const alone = await chain([{ type: 'sendMail', id: 'mail', settings: { action: mail } }])
    const empty = await chain([
      { type: 'sendMail', id: 'mail', settings: { action: mail, receiver: path('data.who') } },
    ])
    for (const id of [await begin(alone), await begin(empty, { contact })]) {
      await work()
      const { status, last, attempt } = await runOf(id)
      assert.deepEqual([status, last.error.type, attempt], ['failed', 'no receiver', 1])
      assert.deepEqual(await recordsOf(id), [])
    }
  })

  test('a send can go to another receiver, and an unknown receiver is a permanent error', async () => {
    const [one, other] = [await person(), await person()]
    const settings = { action: mail, receiver: { type: 'path', value: 'data.who' } }
    const workflow = await chain([{ type: 'sendMail', id: 'mail', settings }])
    const found = await begin(workflow, { contact: one.contact, data: { who: { type: 'id', value: other.id } } })
    const lost = await begin(workflow, { contact: one.contact, data: { who: { type: 'id', value: 'ZZZZZZZZ' } } })
    await work()
    await sendDue()
    assert.deepEqual([gateway.to(one.address).length, gateway.to(other.address).length], [0, 1])
    assert.equal((await runOf(found)).status, 'completed')
    const { status, last } = await runOf(lost)
    assert.deepEqual([status, last.error.type], ['failed', 'recipient not found'])
  })

  test("a node's own content is compiled, and content that does not compile fails permanently", async () => {
    const { contact, address } = await person()
    const action = await sending({ settings: { templating: { version: '4.1' } } })
    const content = (html: string) => ({
      action,
      content: literal({ type: 'template', html }),
      subject: literal('Own'),
    })
    const right = await chain([{ type: 'sendMail', id: 'mail', settings: content('<p>For {{ contact.Email }}</p>') }])
    const wrong = await chain([{ type: 'sendMail', id: 'mail', settings: content('<p>{% if %}</p>') }])
    const [sent, failed] = [await begin(right, { contact }), await begin(wrong, { contact })]
    await work()
    await sendDue()
    assert.equal((await runOf(sent)).status, 'completed')
    assert.match(String(gateway.to(address)[0]!.bytes), new RegExp(`For ${address}`))
    const { status, last } = await runOf(failed)
    assert.deepEqual([status, last.error.type], ['failed', 'invalid-request'])
    assert.match(last.error.message, /content\/html/)
  })

  test('an action that is not in its sending state is retried and sent once it is', async () => {
    const { contact, address } = await person()
    const action = await sending()
    assert.equal((await call('DELETE', `/actions/${action}/validation`)).status, 204)
    const workflow = await chain([{ type: 'sendMail', id: 'mail', settings: { action } }])
    const id = await begin(workflow, { contact })
    await work()
    const { status, attempt, phase } = await runOf(id)
    assert.deepEqual([status, attempt, phase], ['waiting', 2, 'retry'])
    await made(`/actions/${action}/validation`, { fortest: false })
    clock.advance(70_000)
    await work()
    await sendDue()
    const after = await runOf(id)
    assert.deepEqual([after.status, after.trace[0].attempt, after.trace[0].visit], ['completed', 2, 1])
    assert.equal(gateway.to(address).length, 1)
  })

  test('wrong members and an action of another account fail permanently without stopping other runs', async () => {
    const { contact, address } = await person()
    const theirs = await call('POST', '/actions', {
      body: { type: 'mailMessage', name: 'Theirs', content: CONTENT },
      key: stage.other.key,
    })
    const given = [{ subject: literal(7) }, { data: { much: path('data.much') } }, { action: theirs.body.id }]
    const ids: string[] = []
    for (const more of given) {
      const settings = { action: mail, ...more }
      const workflow = await chain([{ type: 'sendMail', id: 'mail', settings }])
      ids.push(await begin(workflow, { contact, data: { much: 'x'.repeat(270_000) } }))
    }
    const right = await begin(await chain([{ type: 'sendMail', id: 'mail', settings: { action: mail } }]), { contact })
    await work()
    await sendDue()
    const failed = await Promise.all(ids.map(runOf))
    assert.deepEqual(
      failed.map(({ status, attempt, last }) => [status, attempt, last.error.type]),
      [
        ['failed', 1, 'invalid-request'],
        ['failed', 1, 'data'],
        ['failed', 1, 'not-found'],
      ],
    )
    assert.equal((await runOf(right)).status, 'completed')
    assert.equal(gateway.to(address).length, 1)
  })

  test('a visit whose transaction was rolled back sends one message', async () => {
    const { contact, address } = await person()
    const workflow = await chain([{ type: 'sendMail', id: 'mail', settings: { action: mail } }])
    const id = await begin(workflow, { contact })
    const { effects } = engine.performers
    const send = effects.send!
    let lost = 0
    effects.send = async (step, requests) => {
      const answers = await send(step, requests)
      if (lost++ === 0) throw new Error('the connection was lost')
      return answers
    }
    await work()
    effects.send = send
    await sendDue()
    assert.equal(lost, 2)
    const { status, trace } = await runOf(id)
    assert.deepEqual([status, trace.length, trace[0].visit], ['completed', 1, 1])
    assert.equal((await recordsOf(id)).filter(({ kind }) => kind === 'executions').length, 1)
    assert.equal(gateway.to(address).length, 1)
  })

  test('each visit of a node sends its own message', async () => {
    const { contact, address } = await person()
    const workflow = await chain([
      { type: 'sendMail', id: 'mail', settings: { action: mail } },
      { type: 'sleep', id: 'pause', settings: { period: { unit: 'HOUR', value: 1 } }, next: 'mail' },
    ])
    const id = await begin(workflow, { contact })
    await work()
    clock.advance(3_600_000)
    await work()
    await sendDue()
    const { trace } = await runOf(id)
    const stamps = trace.flatMap(({ node, detail }: { node: string; detail: { stamp: string } }) =>
      node === 'mail' ? [detail.stamp] : [],
    )
    assert.equal(new Set(stamps).size, 2)
    assert.equal(gateway.to(address).length, 2)
  })

  test('a later wait finds the outcome of the send', async () => {
    const { contact, address } = await person()
    const event = { type: 'action.activation' }
    const workflow = await chain([
      { type: 'sendMail', id: 'mail', settings: { action: mail } },
      { type: 'sleep', id: 'pause', settings: { period: { unit: 'HOUR', value: 1 } } },
      {
        type: 'wait',
        id: 'gone',
        settings: { event, correlation: 'send', sendNode: 'mail', since: 'send', into: 'seen' },
      },
    ])
    const id = await begin(workflow, { contact })
    await work()
    await sendDue()
    assert.equal(gateway.to(address).length, 1)
    clock.advance(3_600_000)
    await work()
    const { status, trace, variables } = await runOf(id)
    assert.equal(status, 'completed')
    assert.match(JSON.stringify(variables.seen), new RegExp(`"id":"${trace[0].detail.stamp}"`))
  })
})

suite('SMS sent by workflows', () => {
  test('sendSms sends the text of its action, and sms sends its own text', async () => {
    const field = (await made('/fields', { type: 'phone', name: 'Mobile' })).id
    const settings = { field, sender: 'SHOP', templating: { version: '4.1' }, purpose: { type: 'service' } }
    const content = { textContent: 'Ready: {{ data.parcel }}' }
    const action = await sending({ type: 'smsMessage', settings, content })
    const { contact } = await person({ Mobile: '+33601020304' })
    const workflow = await chain([
      { type: 'sendSms', id: 'ready', settings: { action, data: { parcel: path('data.parcel') } } },
      { type: 'sms', id: 'own', settings: { action, text: { type: 'template', value: 'For you: {{ data.parcel }}' } } },
    ])
    const id = await begin(workflow, { contact, data: { parcel: 'P1' } })
    await work()
    await sendDue()
    assert.equal((await runOf(id)).status, 'completed')
    assert.deepEqual(
      gateway.sentSms.map(({ to, text }) => [to, text]),
      [
        ['+33601020304', 'Ready: P1'],
        ['+33601020304', 'For you: P1'],
      ],
    )
    const long = { action, text: path('data.text') }
    const failing = await chain([{ type: 'sms', id: 'own', settings: long }])
    const failed = await begin(failing, { contact, data: { text: 'x'.repeat(1601) } })
    await work()
    assert.deepEqual((await runOf(failed)).last.error.type, 'text')
  })
})

suite('marketing pressure after workflow capping', () => {
  test('a send stopped by pressure is recorded as cancelled by the workflow, and its increment is returned', async () => {
    const { contact } = await person()
    const capping = [{ threshold: 2, period: { unit: 'DAY', value: 1 }, nodes: ['mail'] }]
    const settings = { action: mail }
    const workflow = await chain([{ type: 'sendMail', id: 'mail', settings }], { capping })
    await pressureTools(stage).rule([limit(1)])
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      ids.push(await begin(workflow, { contact }))
      await work()
      await sendDue()
    }
    const kinds = await Promise.all(ids.map(async (one) => (await recordsOf(one)).map(({ kind }) => kind)))
    assert.deepEqual(kinds, [
      ['executions', 'activations'],
      ['executions', 'cancellations'],
      ['executions', 'cancellations'],
    ])
    const { detail } = (await recordsOf(ids[2]!))[1]!
    assert.equal(detail.cancellation.type, 'marketing pressure')
    assert.deepEqual(detail.execution.origin, { type: 'workflow', id: workflow })
    await pressureTools(stage).withoutRules()
  })
})
