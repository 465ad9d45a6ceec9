import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatContactId } from '../../../src/lib/ids.ts'
import { startRcsStage } from '../../support/stages/rcs-stage.ts'
import { assertPending, callTool, callTwice, connected, listening, problemOf, untrusted } from './clients.ts'

const stage = await startRcsStage()
const { own, other, call, peer } = stage
const url = await listening(stage)
const client = await connected(url, { 'x-key': own.key })
const rival = await connected(url, { 'x-key': other.key })
const reader = await connected(url, { 'x-key': await stage.makeKey(own.account, ['read']) })
const writer = await connected(url, { 'x-key': await stage.makeKey(own.account, ['read', 'write']) })
const profile = await stage.profile()
const kind = 'rcs'

/** A contact with a phone: its id and unicity. */
async function reached(phone: string): Promise<{ id: string; unicity: string; footprint: object }> {
  const id = formatContactId(await stage.person(phone))
  const body = [{ type: 'id', value: id }]
  const [footprint] = (await call('POST', '/targets/resolve', { body })).body
  return { id, unicity: footprint.unicity, footprint }
}

const shown = async (message: number) => (await call('GET', `/channel/rcs/actions/${message}`)).body

/** A draft made by the tool; gives its id. */
async function drafted(more: object = {}): Promise<number> {
  const settings = { profile, field: stage.phoneField }
  const content = { type: 'text', text: 'Pears for {{ contact.Email }}' }
  const definition = { type: 'rcsMessage', name: 'Pear week', settings, content, ...more }
  const made = await callTool(client, 'draft_message', { kind, definition })
  const message = made.value.id
  assert.deepEqual(made.value, { id: message, state: 'a complete draft' })
  return message
}

/** The texts that the peer was given. */
const texts = () => peer.book.taken.map(({ body }) => body.contentMessage.text)

suite('MCP tools for RCS actions', () => {
  test('a message is drafted, changed, rendered, checked, read and listed', async () => {
    const { id: contact, unicity } = await reached('+33639980001')
    const message = await drafted()
    const definition = { content: { type: 'text', text: 'Apples for {{ contact.Email }}' } }
    const changed = await callTool(client, 'draft_message', { kind, id: message, definition })
    assert.deepEqual(changed.value, { id: message, state: 'a complete draft' })
    assert.equal((await shown(message)).content.text, definition.content.text)
    const rendered = await callTool(client, 'render_message', { kind, id: message, contact })
    const text = `Apples for ${unicity}`
    const { agent } = (await call('GET', `/channel/rcs/profiles/${profile}`)).body
    assert.deepEqual(rendered.value, {
      contact,
      rendered: untrusted({
        type: 'success',
        recipient: '+33639980001',
        agent,
        message: { text },
        fallback: null,
      }),
    })
    const looked = await callTool(client, 'message_findings', { kind, id: message })
    const look = { type: 'success', recipient: null, agent, message: { text: 'Apples for ' }, fallback: null }
    assert.deepEqual(looked.value, {
      id: message,
      state: 'a complete draft',
      looks: untrusted([{ version: null, look }]),
    })
    const read = await callTool(client, 'read_message', { kind, id: message })
    assert.deepEqual(read.value, {
      id: message,
      state: 'a complete draft',
      isDraft: true,
      message: untrusted(await shown(message)),
    })
    const listed = await callTool(client, 'list_messages', { kind, limit: 1 })
    const [{ id, name, content: listedContent, report }] = listed.value.messages.data
    assert.deepEqual([id, name, listedContent, report.sent], [message, 'Pear week', undefined, 0])
  })

  test('a message with errors is reported and not sent', async () => {
    const message = await drafted({ content: { type: 'text', text: '{{ contact.Email | nothing }}' } })
    const { value } = await callTool(client, 'message_findings', { kind, id: message })
    assert.equal(value.looks.data[0].look.type, 'error', JSON.stringify(value))
    const empty = { type: 'rcsMessage', name: 'Empty' }
    const made = await callTool(client, 'draft_message', { kind, definition: empty })
    assert.equal(made.value.state, 'an incomplete draft')
    const looked = await callTool(client, 'message_findings', { kind, id: made.value.id })
    assert.equal(looked.value.looks.data[0].look.type, 'error', JSON.stringify(looked.value))
    const refused = await callTool(client, 'send_campaign', { kind, id: message })
    assert.equal(problemOf(refused), 'action-not-ready')
    assert.equal(refused.value.error.next, 'Correct the message with draft_message.')
    assert.equal((await shown(message)).state, 20)
  })

  test('a proof is sent to a contact or a number by the second call', async () => {
    const { id: contact, footprint } = await reached('+33639980002')
    const message = await drafted()
    const args = { kind, id: message, contact }
    for (const one of [reader, writer])
      assert.equal(problemOf(await callTool(one, 'test_message', args)), 'right-missing')
    assert.equal(problemOf(await callTool(client, 'test_message', { kind, id: message })), 'invalid-request')
    const object = async () =>
      untrusted({ message: await shown(message), contact: (await call('GET', `/targets/${contact}`)).body })
    const [first, second] = await callTwice(client, 'test_message', args)
    const told = { will: 'send a proof to the contact', count: 1, of: 'contacts' }
    assertPending(first, { ...told, object: await object() })
    const result = second.value.result.data
    assert.deepEqual(second.value, {
      state: 'done',
      did: told.will,
      count: 1,
      of: 'contacts',
      result: untrusted([{ type: 'success', id: result[0]?.id, recipient: footprint }]),
    })
    const elsewhere = { ...args, address: '+33639980003' }
    const [toNumber, done] = await callTwice(client, 'test_message', elsewhere)
    const will = 'send a proof to the given number'
    assertPending(toNumber, { will, count: 1, of: 'numbers', object: await object() })
    assert.equal(done.value.state, 'done', JSON.stringify(done.value))
    await stage.sendRcs()
    assert.deepEqual(
      peer.book.taken
        .slice(-2)
        .map(({ phone }) => phone)
        .sort(),
      ['+33639980002', '+33639980003'],
    )
  })

  test('a message is validated and sent to a contact, each by the second call, and reported', async () => {
    const { id: contact, unicity, footprint } = await reached('+33639980004')
    const message = await drafted()
    const before = await shown(message)
    const [first, second] = await callTwice(client, 'send_campaign', { kind, id: message })
    const will = 'validate the message for production, which sends a campaign'
    const of = 'contacts in its audience'
    assertPending(first, { will, count: 0, of, object: untrusted(before) })
    const state = 'validated: sent on demand or at its scheduled time'
    assert.deepEqual(second.value, {
      state: 'done',
      did: will,
      count: 0,
      of,
      result: untrusted({ id: message, state }),
    })
    const changed = await callTool(client, 'draft_message', { kind, id: message, definition: { name: 'Other' } })
    assert.equal(problemOf(changed), 'not-a-draft')
    const args = { kind, id: message, contact }
    assert.equal(problemOf(await callTool(writer, 'send_to_contact', args)), 'right-missing')
    const [asked, sent] = await callTwice(client, 'send_to_contact', args)
    const whole = { message: await shown(message), contact: (await call('GET', `/targets/${contact}`)).body }
    const sending = { will: 'send the message to the contact', count: 1, of: 'contacts' }
    assertPending(asked, { ...sending, object: untrusted(whole) })
    assert.deepEqual(sent.value, {
      state: 'done',
      did: sending.will,
      count: 1,
      of: 'contacts',
      result: untrusted({ type: 'success', id: sent.value.result.data.id, recipient: footprint }),
    })
    const again = await callTool(client, 'send_to_contact', { ...args, confirmation: asked.value.confirmation })
    assert.equal(problemOf(again), 'confirmation-used')
    await stage.sendRcs()
    assert.equal(texts().filter((text) => text === `Pears for ${unicity}`).length, 1)
    const reported = await callTool(client, 'message_report', { kind, id: message })
    const { body: report } = await call('GET', `/channel/rcs/actions/${message}/report`)
    const { at } = reported.value.report.data
    assert.deepEqual(reported.value, { report: untrusted({ ...report, at }) })
  })

  test('a campaign is sent only to the confirmed audience, is paused and resumes when confirmed', async () => {
    const readers = [await reached('+33639980005'), await reached('+33639980006')]
    const segment = await stage.segment(readers.map(({ id }) => id))
    const scheduler = { type: 'asap', segments: { selected: [segment] } }
    const message = await drafted({ type: 'rcsCampaign', scheduler })
    const args = { kind, id: message }
    const first = await callTool(client, 'send_campaign', args)
    assert.equal(first.value.count, 2)
    const third = await reached('+33639980007')
    await call('PUT', `/segments/${segment}/targets`, { body: [third.id] })
    const { confirmation } = first.value
    const grown = await callTool(client, 'send_campaign', { ...args, confirmation })
    assert.equal(problemOf(grown), 'confirmation-stale')
    const again = (await callTool(client, 'send_campaign', args)).value
    await callTool(client, 'draft_message', { ...args, definition: { content: { type: 'text', text: 'Plums' } } })
    const changed = await callTool(client, 'send_campaign', { ...args, confirmation: again.confirmation })
    assert.equal(problemOf(changed), 'confirmation-stale')
    assert.equal((await shown(message)).state, 20)
    const [, sent] = await callTwice(client, 'send_campaign', args)
    assert.deepEqual([sent.value.state, sent.value.count], ['done', 3], JSON.stringify(sent.value))
    await stage.advance()
    assert.deepEqual((await callTool(client, 'pause_campaign', args)).value, { paused: true })
    assert.equal((await shown(message)).informations.paused, true)
    const [, resumed] = await callTwice(client, 'resume_campaign', args)
    assert.equal(resumed.value.state, 'done', JSON.stringify(resumed.value))
    assert.equal((await shown(message)).informations.paused, false)
    await stage.work()
    await stage.sendRcs()
    assert.equal(texts().filter((text) => text === 'Plums').length, 3)
  })

  test('another account gets "not found" for every tool, and a message is deleted by the second call', async () => {
    const message = await drafted()
    for (const [name, args] of [
      ['read_message', { kind, id: message }],
      ['message_findings', { kind, id: message }],
      ['message_report', { kind, id: message }],
      ['draft_message', { kind, id: message, definition: { name: 'Mine' } }],
      ['send_campaign', { kind, id: message }],
      ['delete_object', { kind, id: message }],
      ['ask_approval', { kind, id: message }],
    ] as const)
      assert.equal(problemOf(await callTool(rival, name, args)), 'not-found', name)
    const [, done] = await callTwice(client, 'delete_object', { kind, id: message })
    assert.deepEqual(done.value, {
      state: 'done',
      did: 'delete the rcs',
      count: 1,
      of: 'objects',
      result: untrusted(null),
    })
    assert.equal(problemOf(await callTool(client, 'read_message', { kind, id: message })), 'not-found')
  })
})
