import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startPushStage } from '../../support/stages/push-stage.ts'
import { literal, path, workflowSends } from '../../support/stages/workflow-sends.ts'

const stage = await startPushStage()
const { application, notification, person, device, peers, sendPushes, clock, call } = stage
const { chain, begin, work, runOf, recordsOf, made } = workflowSends(stage)
const app = await application(['http'])
const sale = await notification(app)

/** The messages that the service of an application got, by their bodies. */
const bodies = () => peers.http.requests.map(({ body }) => String(body))

suite('pushes sent by workflows', () => {
  test('np6.notification/execution sends the notification, and sendpushapp sends its own texts', async () => {
    const contact = await person()
    await device(app, contact, 'http')
    const texts = { title: literal('Parcel'), body: { type: 'template', value: 'At the door: {{ data.parcel }}' } }
    const workflow = await chain([
      { type: 'np6.notification/execution', id: 'sale', settings: { notification: sale, into: 'sent' } },
      { type: 'sendpushapp', id: 'own', settings: { notification: sale, ...texts } },
    ])
    const id = await begin(workflow, { contact, data: { parcel: 'P7' } })
    await work()
    await sendPushes()
    const { status, variables, trace } = await runOf(id)
    assert.equal(status, 'completed')
    assert.deepEqual([variables.sent.type, variables.sent.id], ['success', trace[0].detail.stamp])
    assert.equal(bodies().length, 2)
    assert.match(bodies()[0]!, /Tonight only/)
    assert.match(bodies()[1]!, /At the door: P7/)
    const executions = (await recordsOf(id)).filter(({ kind }) => kind === 'executions')
    assert.equal(executions.length, 2)
    for (const { detail, depth } of executions) {
      assert.deepEqual(detail.execution.origin, { type: 'workflow', id: workflow })
      assert.equal(depth, 1)
    }
  })

  test('runs are sent together, and a capped one is recorded and not sent', async () => {
    const people = [await person(), await person(), await person()]
    for (const contact of people) await device(app, contact, 'http')
    const before = bodies().length
    const capping = [{ key: literal('all'), threshold: 2, period: { unit: 'DAY', value: 1 }, nodes: ['push'] }]
    const push = { type: 'np6.notification/execution', id: 'push', settings: { notification: sale } }
    const workflow = await chain([push], { capping })
    const ids = await Promise.all(people.map((contact) => begin(workflow, { contact })))
    await work()
    await sendPushes()
    assert.equal(bodies().length - before, 2)
    const records = await Promise.all(ids.map(recordsOf))
    const stopped = records.filter((own) => own.some(({ kind }) => kind === 'cancellations'))
    assert.equal(stopped.length, 1)
    assert.deepEqual(
      stopped[0]!.map(({ kind }) => kind),
      ['executions', 'cancellations'],
    )
    assert.equal(stopped[0]![1]!.detail.cancellation.type, 'capping')
  })

  test('an inactive notification is retried, and an unknown one fails permanently', async () => {
    const contact = await person()
    await device(app, contact, 'http')
    const before = bodies().length
    const other = await notification(app)
    const push = { type: 'np6.notification/execution', id: 'push', settings: { notification: other } }
    const workflow = await chain([push])
    assert.equal((await call('DELETE', `/notifications/${other}/activation`)).status, 204)
    const id = await begin(workflow, { contact })
    await work()
    assert.deepEqual([(await runOf(id)).status, (await runOf(id)).phase], ['waiting', 'retry'])
    await made(`/notifications/${other}/activation`, {})
    clock.advance(70_000)
    await work()
    await sendPushes()
    assert.equal((await runOf(id)).status, 'completed')
    assert.equal(bodies().length - before, 1)

    const none = await chain([{ ...push, settings: { notification: 999_999 } }])
    const failed = await begin(none, { contact })
    await work()
    assert.deepEqual([(await runOf(failed)).status, (await runOf(failed)).last.error.type], ['failed', 'not-found'])
  })

  test('the receiver may be a device of another contact', async () => {
    const [one, other] = [await person(), await person()]
    const subscription = await device(app, other, 'http')
    const before = bodies().length
    const receiver = path('data.who')
    const push = { type: 'np6.notification/execution', id: 'push', settings: { notification: sale, receiver } }
    const data = { who: { type: 'subscription', value: subscription } }
    const id = await begin(await chain([push]), { contact: one, data })
    await work()
    await sendPushes()
    assert.equal((await runOf(id)).status, 'completed')
    assert.equal(bodies().length - before, 1)
    assert.equal((await recordsOf(id))[0]!.contact, other)
  })
})

suite('rich messages sent by workflows', () => {
  test('rcs/execution sends the action or its own content', async () => {
    const { id: field } = await made('/fields', { type: 'phone', name: 'Mobile' })
    stage.sender.gateways = { ...stage.sender.gateways, named: async () => stage.gateway }
    const provider = { type: 'capture' }
    const profile = (await made('/channel/rcs/profiles', { name: 'Orchard', agent: 'orchard', provider })).id
    const body = { type: 'rcsMessage', name: 'Pears', content: { type: 'text', text: 'Pears' } }
    const action = (await made('/channel/rcs/actions', { ...body, settings: { profile, field } })).id
    await made(`/channel/rcs/actions/${action}/validation`, {})
    const { id: contact } = await made('/targets', { Email: 'rich@orchard.example', Mobile: '+33601020305' })
    const content = literal({ type: 'text', text: 'For {{ data.name }}' })
    const workflow = await chain([
      { type: 'rcs/execution', id: 'own', settings: { action } },
      { type: 'rcs/execution', id: 'other', settings: { action, content, data: { name: path('data.name') } } },
    ])
    const id = await begin(workflow, { contact: Number.parseInt(contact, 36), data: { name: 'Ann' } })
    await work()
    await stage.sendDue()
    assert.equal((await runOf(id)).status, 'completed')
    const sent = stage.gateway.sentRcs.map((one) => JSON.stringify(one))
    assert.equal(sent.length, 2)
    assert.match(sent[0]!, /Pears/)
    assert.match(sent[1]!, /For Ann/)
    const [execution] = await recordsOf(id)
    assert.deepEqual(execution!.detail.execution.origin, { type: 'workflow', id: workflow })
    assert.equal(execution!.detail.execution.phone, '+33601020305')
  })
})
