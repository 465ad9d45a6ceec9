import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import type { Answer } from '../../support/harness.ts'
import { type Colleague, colleague } from '../../support/stages/colleagues.ts'
import { compilableStage } from '../../support/stages/pipeline-stage.ts'
import { storedApplication } from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, action, contact, gateway, segment, settle, validated } = stage

let sender: Colleague
let named = 0

before(async () => {
  sender = await colleague(stage, 'sender')
  await colleague(stage, 'sender')
  await approvals(true)
})

async function approvals(approval: boolean): Promise<void> {
  const answer = await call('PUT', '/settings/people', { body: { approval } })
  assert.equal(answer.status, 200, answer.text)
}

async function made(url: string, body: object): Promise<Answer['body']> {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function refused(status: number, kind: string, answer: Promise<Answer>): Promise<Answer['body']> {
  const { status: given, body, text } = await answer
  assert.deepEqual([given, body?.type], [status, `urn:stentor:problem:${kind}`], text)
  return body
}

const pointersOf = ({ errors }: Answer['body']): string[] => errors.map(({ pointer }: { pointer: string }) => pointer)
const reader = async () => ({ type: 'id', value: await contact(`reader${++named}@shop.example`) })
const attachment = { name: 'offer.txt', mime: 'text/plain', data: { type: 'base64', value: 'SGVsbG8=' } }

suite('sends by people with approvals', () => {
  test('cannot bring content, subject, headers or attachments to an execution', async () => {
    const id = await validated(await action())
    const recipient = await reader()
    const brought: Record<string, object | string> = {
      content: { type: 'template', html: '<html><body>Another one</body></html>' },
      subject: 'Another one',
      headers: { from: { label: 'Somebody' } },
      attachments: [attachment],
    }
    const sent = gateway.sent.length
    for (const [member, value] of Object.entries(brought)) {
      const one = { recipient, [member]: value }
      const body = await refused(
        403,
        'approval-required',
        sender.call('POST', `/actions/${id}/execution`, { body: one }),
      )
      assert.deepEqual(pointersOf(body), [`/${member}`])
    }
    const items = [{ recipient }, { recipient, ...brought }]
    const many = await refused(
      403,
      'approval-required',
      sender.call('POST', `/actions/${id}/executions`, { body: items }),
    )
    assert.deepEqual(pointersOf(many), ['/1/content', '/1/subject', '/1/headers', '/1/attachments'])
    await settle()
    assert.equal(gateway.sent.length, sent)
    // What the approved content asks for is given; a key brings what it likes.
    const plain = {
      recipient,
      data: { name: 'Ann' },
      variables: [{ key: 'a', value: 'b' }],
      content: null,
      subject: null,
    }
    for (const [who, body] of [
      [sender.call, plain],
      [call, items[1]!],
    ] as const) {
      const answer = await who('POST', `/actions/${id}/execution`, { body })
      assert.deepEqual([answer.status, answer.body.type], [200, 'success'], answer.text)
    }
    await approvals(false)
    const free = await sender.call('POST', `/actions/${id}/execution`, { body: items[1]! })
    assert.deepEqual([free.status, free.body.type], [200, 'success'], free.text)
    await approvals(true)
  })

  test('cannot bring content or subject to a legacy send of one message', async () => {
    const id = await validated(await action())
    const url = `/actions/${id}/targets/${(await reader()).value}`
    const bodies = {
      content: { html: '<html><body>Another one</body></html>' },
      header: { subject: 'Another one' },
      views: { subject: 'Another one' },
    }
    for (const [member, value] of Object.entries(bodies)) {
      const body = await refused(403, 'approval-required', sender.call('POST', url, { body: { [member]: value } }))
      assert.deepEqual(pointersOf(body), [`/${member}`])
    }
    const form = new FormData()
    form.append('model', '{}')
    form.append('attachments', new Blob(['Hello'], { type: 'text/plain' }), 'offer.txt')
    const multipart = new Response(form)
    const headers = { 'content-type': multipart.headers.get('content-type') ?? '' }
    const payload = Buffer.from(await multipart.arrayBuffer())
    await refused(403, 'approval-required', sender.call('POST', url, { body: payload, headers }))
    assert.equal((await sender.call('POST', url, { body: {} })).status, 204)
  })

  test('cannot bring content or a fallback to an RCS execution, nor remove the fallback', async () => {
    await made('/fields', { name: 'Mobile', type: 'phone' })
    const profile = await made('/channel/rcs/profiles', {
      name: `Orchard ${++named}`,
      agent: 'orchard_fr_k2',
      provider: { type: 'capture' },
    })
    const { id } = await made('/channel/rcs/actions', {
      type: 'rcsMessage',
      name: 'Pears',
      settings: { profile: profile.id },
      content: { type: 'text', text: 'Hello' },
    })
    assert.equal((await call('POST', `/channel/rcs/actions/${id}/validation`, { body: {} })).status, 204)
    const recipient = await reader()
    const url = `/channel/rcs/actions/${id}`
    const content = { type: 'text', text: 'Another one' }
    for (const more of [{ content }, { fallback: { type: 'sms', text: 'Another one' } }, { fallback: null }]) {
      const one = { recipient, ...more }
      const body = await refused(403, 'approval-required', sender.call('POST', `${url}/execution`, { body: one }))
      assert.deepEqual(pointersOf(body), [`/${Object.keys(more)[0]}`])
    }
    await refused(
      403,
      'approval-required',
      sender.call('POST', `${url}/executions`, { body: [{ recipient, content }] }),
    )
    const plain = await sender.call('POST', `${url}/execution`, { body: { recipient, data: {} } })
    assert.equal(plain.status, 200, plain.text)
  })

  test('cannot bring texts, pictures, buttons or a redirection to a notification', async () => {
    const application = await storedApplication(stage)
    const versions = [{ master: true, content: { title: 'Twenty off', body: 'Tonight' } }]
    const settings = { application }
    const { id } = await made('/notifications', { type: 'push-app', name: `Sale ${++named}`, settings, versions })
    assert.equal((await call('POST', `/notifications/${id}/activation`)).status, 204)
    const recipient = await reader()
    const url = `/notifications/${id}`
    for (const more of [
      { title: 'Another' },
      { body: 'Another' },
      { redirection: { type: 'literal', value: 'https://shop.example' } },
    ]) {
      const one = { recipient, ...more }
      const body = await refused(403, 'approval-required', sender.call('POST', `${url}/execution`, { body: one }))
      assert.deepEqual(pointersOf(body), [`/${Object.keys(more)[0]}`])
    }
    await refused(
      403,
      'approval-required',
      sender.call('POST', `${url}/executions`, { body: [{ recipient, title: 'Another' }] }),
    )
    const plain = await sender.call('POST', `${url}/execution`, { body: { recipient, data: {} } })
    assert.equal(plain.status, 200, plain.text)
  })
})

suite('tests by people who may send, with approvals', () => {
  const testOf = (id: string, body: object) =>
    sender.call('POST', `/actions/${id}/validation`, { body: { fortest: true, ...body } })

  test('have the same limits as tests by authors', async () => {
    const id = await action()
    await refused(403, 'approval-required', testOf(id, { mediaForTest: 'customer@shop.example' }))
    const contacts = await Promise.all(Array.from({ length: 21 }, () => contact(`many${++named}@shop.example`)))
    const many = await segment(contacts, { isTest: true })
    await refused(409, 'test-too-large', testOf(id, { testSegments: [many] }))
    assert.equal((await testOf(id, { mediaForTest: sender.email })).status, 204)
    await settle()
    await approvals(false)
    const free = await action()
    assert.equal((await testOf(free, { mediaForTest: 'customer@shop.example' })).status, 204)
    await settle()
    await approvals(true)
  })
})

suite('scripts that send', () => {
  const capabilities = (...names: string[]) => ({ scripting: { environment: { capabilities: names } } })

  test('cannot be run by people when the account requires approvals', async () => {
    const value = 'export default () => 1'
    const sending = await made('/scripting/webtasks', {
      name: `Task ${++named}`,
      value,
      ...capabilities('actions.send'),
    })
    const other = await made('/scripting/webtasks', {
      name: `Task ${++named}`,
      value,
      ...capabilities('targets.write'),
    })
    const { made: compilable } = compilableStage(stage)
    const script = { type: 'script', value, parameters: [] }
    const compiled = await compilable({ ...script, ...capabilities('actions.send') })
    const tasks = `/scripting/webtasks/${sending.id}`
    const runs: [string, unknown][] = [
      [`${tasks}/execution`, {}],
      [`${tasks}/executions`, [{}]],
      [`/scripting/compilables/${compiled}/execution`, {}],
    ]
    for (const [url, body] of runs) await refused(403, 'approval-required', sender.call('POST', url, { body }))
    assert.equal((await sender.call('POST', `/scripting/webtasks/${other.id}/execution`, { body: {} })).status, 200)
    assert.equal((await call('POST', runs[0]![0], { body: {} })).status, 200)
    await approvals(false)
    for (const [url, body] of runs) assert.equal((await sender.call('POST', url, { body })).status, 200, url)
    await approvals(true)
  })
})
