import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../stage.ts'
import { literal, path, workflowSends } from '../workflow-sends.ts'

const stage = await startStage()
const { call, gateway, sendDue, clock } = stage
const { sending, person, chain, begin, work, runOf, recordsOf } = workflowSends(stage)
await call('PUT', '/settings/sending', { body: { testRequired: false } })
const CONTENT = { subject: 'Cart {{ data.cart }}', html: '<html><body>Hello</body></html>' }
const mail = await sending({ content: CONTENT })

suite('sends of workflows', () => {
  test('sendMail sends the action to the contact of the run, once, with its thread, set and origin', async () => {
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
    assert.deepEqual([sends.mail, sends[''], sends['at mail']], [stamp, stamp, new Date(clock.now()).toISOString()])
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

  test('a send without any contact, or whose receiver names none, is the permanent error "no receiver"', async () => {
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

  test('a send goes to another receiver, and one that is not found is a permanent error', async () => {
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

  test('content of its own is compiled, and is wrong for good where it does not compile', async () => {
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
})
