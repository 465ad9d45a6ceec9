import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { startHarness } from '../../support/harness.ts'
import { startTestSender } from '../../support/stages/sending.ts'

const harness = await startHarness()
const { call, clock } = harness
const { gateway, settle, sendDue } = startTestSender(harness)

async function contact(address: string, values: object = {}): Promise<string> {
  const { status, body } = await call('PUT', '/targets', { body: { Email: address, ...values } })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

let named = 0
async function segment(contacts: string[]): Promise<number> {
  const { body } = await call('POST', '/segments', { body: { type: 'static', name: `Segment ${++named}` } })
  await call('PUT', `/segments/${body.id}/targets`, { body: contacts })
  return body.id
}

const content = {
  headers: { from: { prefix: 'news', label: 'The Shop' } },
  subject: 'Hello {{ contact.Firstname }}',
  html: '<html><body><p>Dear {{ contact.Firstname }}</p><a href="https://shop.example/open" dataminingname="hero">Come in</a></body></html>',
}

/** A campaign that has passed its test. */
async function tested(selected: number[], more: object = {}): Promise<string> {
  const body = {
    type: 'mailCampaign',
    name: 'Spring',
    content,
    scheduler: { type: 'asap', segments: { selected } },
    ...more,
  }
  const made = await call('POST', '/actions', { body })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  await call('POST', `/actions/${made.body.id}/validation`, {
    body: { fortest: true, mediaForTest: 'proof@shop.example' },
  })
  await settle()
  const { body: action } = await call('GET', `/actions/${made.body.id}`)
  assert.equal(action.state, 38, JSON.stringify(action.informations.lastValidation))
  return made.body.id
}

async function started(selected: number[], more: object = {}): Promise<string> {
  const id = await tested(selected, more)
  assert.equal((await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })).status, 204)
  return id
}

async function events(id: string, path: string) {
  return (await call('GET', `/actions/${id}/events/${path}`)).body
}

await call('POST', '/fields', { body: { type: 'textField', name: 'Firstname' } })

suite('an email campaign', () => {
  test('sends one personalised, tracked message to each contact of its segments, and then ends', async () => {
    const [ann, bob] = [
      await contact('ann@example.org', { Firstname: 'Ann' }),
      await contact('bob@example.org', { Firstname: 'Bob' }),
    ]
    const id = await started([await segment([ann, bob]), await segment([ann])])
    await settle()
    assert.equal(gateway.to('ann@example.org').length, 1)
    const [mail] = gateway.to('bob@example.org')
    const parsed = await simpleParser(mail!.bytes)
    assert.equal(parsed.subject, 'Hello Bob')
    assert.match(String(parsed.html), /Dear Bob/)
    assert.match(String(parsed.html), /href="https:\/\/stentor\.example\/t\/r\/[\w-]{72}"/)
    assert.match(mail!.envelope.from, /^bounce\+[a-z2-7]{50}@/)
    const { body } = await call('GET', `/actions/${id}`)
    assert.equal(body.state, 60)
    assert.deepEqual(
      { ...body.monitor, started: undefined, lastSent: undefined },
      {
        recipients: 2,
        sent: 2,
        cancelled: 0,
        refused: 0,
        held: 0,
        pending: 0,
        postponed: 0,
        deferred: 0,
        started: undefined,
        lastSent: undefined,
      },
    )
    const activations = (await events(id, 'activations')).filter(
      (event: { source: { detail: { activation: { kind: string } } } }) =>
        event.source.detail.activation.kind === 'campaign',
    )
    assert.deepEqual(
      activations
        .map(
          (event: { source: { detail: { activation: { recipient: string } } } }) =>
            event.source.detail.activation.recipient,
        )
        .sort(),
      ['ann@example.org', 'bob@example.org'],
    )
  })

  test('leaves out contacts of excluded segments', async () => {
    const [cleo, dora] = [await contact('cleo@example.org'), await contact('dora@example.org')]
    const scheduler = {
      type: 'asap',
      segments: { selected: [await segment([cleo, dora])], excluded: [await segment([dora])] },
    }
    await started([], { scheduler })
    await settle()
    assert.equal(gateway.to('cleo@example.org').length, 1)
    assert.equal(gateway.to('dora@example.org').length, 0)
  })

  test('cancels a message for a contact put on the red list after the snapshot', async () => {
    const eve = await contact('eve@example.org')
    const speed = { type: 'asap', speed: 0, segments: { selected: [await segment([eve])] } }
    const id = await started([], { scheduler: speed })
    await call('POST', `/targets/${eve}/redlist/mail`)
    await settle()
    assert.equal(gateway.to('eve@example.org').length, 0)
    const [event] = await events(id, 'cancellations')
    assert.deepEqual(event.source.detail.cancellation, { type: 'redlist', value: { channel: 'mail' } })
    assert.equal((await call('GET', `/actions/${id}`)).body.state, 60)
  })

  test('records a permanent refusal as activation and bounce, flags the address and stops the next message', async () => {
    const gone = await contact('gone@example.org')
    gateway.plan('gone@example.org', {
      result: 'refused',
      code: 550,
      enhanced: '5.1.1',
      reply: '550 5.1.1 no such user',
    })
    const id = await started([await segment([gone])])
    await settle()
    const [bounce] = await events(id, 'bounces')
    assert.equal(bounce.source.detail.bounce.status.type, 'sync')
    assert.equal(bounce.source.detail.bounce.analysis.verdict, 'hard')
    const [activation] = (await events(id, 'activations')).filter(
      (event: { source: { detail: { activation: { recipient: string } } } }) =>
        event.source.detail.activation.recipient === 'gone@example.org',
    )
    assert.ok(activation.id < bounce.id && activation.timestamp < bounce.timestamp)
    const { body } = await call('GET', `/targets/${gone}`)
    assert.equal(body.bounce[0].type, 52)
    const next = await started([await segment([gone])])
    await settle()
    const [cancelled] = await events(next, 'cancellations')
    assert.equal(cancelled.source.detail.cancellation.type, 'bounce')
  })

  test('retries a temporary refusal, and ends before the retry', async () => {
    const slow = await contact('slow@example.org')
    gateway.plan(
      'slow@example.org',
      { result: 'deferred', code: 451, reply: '451 4.7.1 greylisted' },
      { result: 'accepted' },
    )
    const id = await started([await segment([slow])])
    await settle()
    assert.equal((await call('GET', `/actions/${id}`)).body.state, 60)
    assert.equal(gateway.to('slow@example.org').length, 0)
    clock.advance(60_000)
    await sendDue()
    assert.equal(gateway.to('slow@example.org').length, 1)
    assert.equal((await call('GET', `/actions/${id}`)).body.monitor.sent, 1)
  })

  test('holds and shows a message cut off without an answer, and never sends it twice', async () => {
    const doubt = await contact('doubt@example.org')
    gateway.plan('doubt@example.org', { result: 'doubtful' })
    const id = await started([await segment([doubt])])
    await settle()
    clock.advance(24 * 3600 * 1000)
    await settle()
    const { body } = await call('GET', `/actions/${id}`)
    assert.deepEqual([body.state, body.monitor.held, body.monitor.sent], [60, 1, 0])
    assert.equal(gateway.to('doubt@example.org').length, 1)
  })

  test('sends one message to an address shared by two contacts, and reports the other', async () => {
    await call('POST', '/fields', { body: { type: 'email', name: 'Second' } })
    const field = (await call('GET', '/fields')).body.find((one: { name: string }) => one.name === 'Second').id
    const first = await contact('one@example.org', { Second: 'shared@example.org' })
    const second = await contact('two@example.org', { Second: 'shared@example.org' })
    const id = await started([await segment([first, second])], { settings: { field } })
    await settle()
    assert.equal(gateway.to('shared@example.org').length, 1)
    const [event] = await events(id, 'cancellations')
    assert.equal(event.source.detail.execution.recipient.id, second)
    assert.deepEqual(event.source.detail.cancellation, { type: 'duplicate address', value: { contact: first } })
  })

  test('waits while paused, and resumes where it stopped', async () => {
    const contacts = [await contact('p1@example.org'), await contact('p2@example.org')]
    const id = await started([], {
      scheduler: { type: 'asap', speed: 60, segments: { selected: [await segment(contacts)] } },
    })
    await settle()
    assert.equal((await call('POST', `/actions/${id}/pause`)).status, 204)
    clock.advance(120_000)
    await settle()
    const before = gateway.to('p1@example.org').length + gateway.to('p2@example.org').length
    assert.equal(before, 1)
    assert.equal((await call('DELETE', `/actions/${id}/pause`)).status, 204)
    clock.advance(120_000)
    await settle()
    assert.equal(gateway.to('p1@example.org').length + gateway.to('p2@example.org').length, 2)
    assert.equal((await call('GET', `/actions/${id}`)).body.state, 60)
  })

  test('keeps everything waiting while the gateway is down, and loses nothing', async () => {
    const patient = await contact('patient@example.org')
    const id = await started([await segment([patient])])
    gateway.down = 'connection refused'
    await settle().catch(() => undefined)
    assert.equal((await call('GET', `/actions/${id}`)).body.state, 55)
    gateway.down = undefined
    clock.advance(3600_000)
    await settle()
    assert.equal(gateway.to('patient@example.org').length, 1)
    assert.equal((await call('GET', `/actions/${id}`)).body.state, 60)
  })
})
