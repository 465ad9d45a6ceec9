import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatContactId } from '../../../src/lib/ids.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'
import { assertPending, callTool, callTwice, connected, listening, problemOf, untrusted } from './clients.ts'

const stage = await startPushStage()
const { own, other, call, peers } = stage
const url = await listening(stage)
const client = await connected(url, { 'x-key': own.key })
const rival = await connected(url, { 'x-key': other.key })
const writer = await connected(url, { 'x-key': await stage.makeKey(own.account, ['read', 'write']) })
const application = await stage.application(['firebase'])
const kind = 'notification'

const shown = async (message: number) => (await call('GET', `/notifications/${message}`)).body

/** A contact with a device. */
async function reached() {
  const number = await stage.person()
  await stage.device(application, number, 'firebase')
  const id = formatContactId(number)
  const body = [{ type: 'id', value: id }]
  const [footprint] = (await call('POST', '/targets/resolve', { body })).body
  return { id, footprint }
}

async function drafted(more: object = {}): Promise<number> {
  const content = { title: 'For {{ contact.Email }}', body: 'Tonight' }
  const versions = [{ master: true, content }]
  const definition = { type: 'push-app', name: 'Sale', settings: { application }, versions, ...more }
  const { value } = await callTool(client, 'draft_message', { kind, definition })
  assert.deepEqual(value, { id: value.id, state: 'inactive: a draft' })
  return value.id
}

suite('MCP tools for notifications', () => {
  test('a notification is drafted, rendered, checked, tested, activated, sent and reported', async () => {
    const { id: contact, footprint } = await reached()
    const message = await drafted()
    const rendered = await callTool(client, 'render_message', { kind, id: message, contact })
    const { type, render } = rendered.value.rendered.data
    const none = { icon: null, thumbnail: null, image: null, buttons: [] }
    assert.deepEqual([type, render], ['success', { title: `For ${footprint.unicity}`, body: 'Tonight', ...none }])
    const looked = await callTool(client, 'message_findings', { kind, id: message })
    const { versions } = await shown(message)
    assert.deepEqual(
      looked.value.looks.data.map(({ version, look }: { version: string; look: { type: string } }) => [
        version,
        look.type,
      ]),
      [[versions[0].id, 'success']],
    )
    const args = { kind, id: message, contact }
    assert.equal(problemOf(await callTool(writer, 'test_message', args)), 'right-missing')
    assert.equal(problemOf(await callTool(client, 'test_message', { ...args, address: 'x' })), 'invalid-request')
    const object = untrusted({
      message: await shown(message),
      contact: (await call('GET', `/targets/${contact}`)).body,
    })
    const [asked, tested] = await callTwice(client, 'test_message', args)
    assertPending(asked, { will: 'send a proof to the contact', count: 1, of: 'contacts', object })
    assert.deepEqual(tested.value.result.data[0].recipient, footprint, JSON.stringify(tested.value))
    await stage.sendPushes()
    assert.equal(peers.firebase.requests.length, 1)

    const early = await callTool(client, 'send_to_contact', args)
    assert.equal(problemOf(early), 'notification-inactive')
    assert.equal(early.value.error.next, 'Activate it with send_campaign.')
    const before = await shown(message)
    const [first, second] = await callTwice(client, 'send_campaign', { kind, id: message })
    const [will, of] = ['activate the notification', 'contacts in its audience']
    assertPending(first, { will, count: 0, of, object: untrusted(before) })
    assert.deepEqual(second.value, {
      state: 'done',
      did: will,
      count: 0,
      of,
      result: untrusted({ id: message, state: 'active' }),
    })
    const [, sent] = await callTwice(client, 'send_to_contact', args)
    assert.deepEqual(sent.value, {
      state: 'done',
      did: 'send the message to the contact',
      count: 1,
      of: 'contacts',
      result: untrusted({ type: 'success', id: sent.value.result.data.id, recipient: footprint }),
    })
    await stage.sendPushes()
    assert.equal(peers.firebase.requests.length, 2)
    const { value } = await callTool(client, 'message_report', { kind, id: message })
    const { body: report } = await call('GET', `/notifications/${message}/report`)
    assert.deepEqual(value, { report: untrusted({ ...report, at: value.report.data.at }) })
    const changed = await callTool(client, 'draft_message', { kind, id: message, definition: { name: 'Other' } })
    assert.equal(problemOf(changed), 'not-a-draft')
    assert.equal(problemOf(await callTool(rival, 'read_message', { kind, id: message })), 'not-found')
  })

  test('a notification that cannot be rendered is reported and not activated', async () => {
    const message = await drafted({ versions: [{ master: true, content: { title: 'Alone' } }] })
    const { value } = await callTool(client, 'message_findings', { kind, id: message })
    assert.equal(value.looks.data[0].look.type, 'error', JSON.stringify(value))
    const refused = await callTool(client, 'send_campaign', { kind, id: message })
    assert.equal(problemOf(refused), 'notification-not-ready')
    assert.equal((await shown(message)).active, false)
  })
})
