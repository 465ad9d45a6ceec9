import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { makePerson, signedIn } from '../../support/stages/people.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'
import { callTool, connected, listening, problemOf } from './clients.ts'

const stage = await startStage()
const { own, other, call, clock } = stage
const url = await listening(stage)
const client = await connected(url, { 'x-key': own.key })
const rival = await connected(url, { 'x-key': other.key })
const reader = await connected(url, { 'x-key': await stage.makeKey(own.account, ['read']) })
const writer = await connected(url, { 'x-key': await stage.makeKey(own.account, ['read', 'write']) })

/** A campaign that was tested, to a segment of so many contacts. */
async function campaign(size: number, name: string): Promise<{ message: string; segment: number; contacts: string[] }> {
  const addresses = Array.from({ length: size }, (_, index) => `${name}${index}@reader.example`)
  const contacts = await Promise.all(addresses.map((address) => stage.contact(address)))
  const segment = await stage.segment(contacts)
  const scheduler = { type: 'asap', segments: { selected: [segment] } }
  const message = await stage.action({ type: 'mailCampaign', scheduler })
  const body = { fortest: true, mediaForTest: 'proof@desk.example' }
  assert.equal((await call('POST', `/actions/${message}/validation`, { body })).status, 204)
  await stage.settle()
  assert.equal(await stage.state(message), 38)
  return { message, segment, contacts }
}

suite('MCP confirmations', () => {
  test('a campaign is sent only by the second call, with the confirmation', async () => {
    const { message } = await campaign(3, 'ann')
    const first = await callTool(client, 'send_campaign', { id: message })
    assert.deepEqual([first.value.state, first.value.count], ['confirmation-needed', 3])
    assert.equal(await stage.state(message), 38)
    const { confirmation } = first.value
    const second = await callTool(client, 'send_campaign', { id: message, confirmation })
    assert.deepEqual([second.isError, second.value.state, second.value.count], [false, 'done', 3])
    await stage.settle()
    assert.ok((await stage.state(message)) >= 50)
    const { type } = (await callTool(client, 'send_campaign', { id: message, confirmation })).value.error
    assert.equal(type, 'urn:stentor:problem:confirmation-stale')
  })

  test('a campaign whose audience or content has changed is not sent', async () => {
    const { message, segment } = await campaign(2, 'ben')
    const { confirmation } = (await callTool(client, 'send_campaign', { id: message })).value
    await call('PUT', `/segments/${segment}/targets`, { body: [await stage.contact('one-more@reader.example')] })
    const grown = await callTool(client, 'send_campaign', { id: message, confirmation })
    assert.equal(problemOf(grown), 'confirmation-stale')
    assert.match(grown.value.error.detail, /confirmation was for 2, but the count is now 3/)
    const again = (await callTool(client, 'send_campaign', { id: message })).value.confirmation
    await call('PUT', `/actions/${message}`, { body: { description: 'another one' } })
    const changed = await callTool(client, 'send_campaign', { id: message, confirmation: again })
    assert.equal(problemOf(changed), 'confirmation-stale')
    assert.match(changed.value.error.detail, /The object has changed/)
    assert.ok((await stage.state(message)) < 40)
  })

  test('a confirmation can be used once, even if nothing else has changed', async () => {
    const message = await stage.validated(await stage.action())
    await stage.settle()
    const contact = await stage.contact('cat@reader.example')
    const { confirmation } = (await callTool(client, 'send_to_contact', { id: message, contact })).value
    const sent = await callTool(client, 'send_to_contact', { id: message, contact, confirmation })
    assert.deepEqual([sent.value.state, sent.value.result.data.type], ['done', 'success'])
    const again = await callTool(client, 'send_to_contact', { id: message, contact, confirmation })
    assert.equal(problemOf(again), 'confirmation-used')
    await stage.sendDue()
    const { rows } = await stage.context.pool.query(`select from sent_messages where account = $1`, [own.account])
    assert.ok(rows.length > 0)
  })

  test('of two simultaneous calls with the same confirmation, one is carried out', async () => {
    const message = await stage.validated(await stage.action())
    await stage.settle()
    const contact = await stage.contact('two@reader.example')
    const { confirmation } = (await callTool(client, 'send_to_contact', { id: message, contact })).value
    const args = { id: message, contact, confirmation }
    const both = await Promise.all([1, 2].map(() => callTool(client, 'send_to_contact', args)))
    const kinds = both.map((told) => (told.isError ? problemOf(told) : told.value.state))
    assert.deepEqual(kinds.sort(), ['confirmation-used', 'done'])
  })

  test('a confirmation expires after 5 minutes', async () => {
    const id = await stage.contact('dan@reader.example')
    const { confirmation, goodUntil } = (await callTool(client, 'delete_object', { kind: 'contact', id })).value
    assert.equal(Date.parse(goodUntil) - clock.now(), 300_000)
    clock.advance(300_000)
    const late = await callTool(client, 'delete_object', { kind: 'contact', id, confirmation })
    assert.equal(problemOf(late), 'confirmation-expired')
    const fresh = (await callTool(client, 'delete_object', { kind: 'contact', id })).value.confirmation
    clock.advance(299_000)
    const done = await callTool(client, 'delete_object', { kind: 'contact', id, confirmation: fresh })
    assert.equal(done.value.state, 'done', JSON.stringify(done.value))
    assert.equal((await call('GET', `/targets/${id}`)).status, 404)
  })

  test('a confirmation works only for its call, its object and its caller, and cannot be forged', async () => {
    const [a, b] = [await stage.contact('eli@reader.example'), await stage.contact('fay@reader.example')]
    const { confirmation } = (await callTool(client, 'delete_object', { kind: 'contact', id: a })).value
    const elsewhere = await callTool(client, 'delete_object', { kind: 'contact', id: b, confirmation })
    assert.equal(problemOf(elsewhere), 'confirmation-of-another')
    const another = await callTool(writer, 'delete_object', { kind: 'contact', id: a, confirmation })
    assert.equal(problemOf(another), 'confirmation-unknown')
    const forged = `${confirmation.slice(0, -4)}AAAA`
    const changed = await callTool(client, 'delete_object', { kind: 'contact', id: a, confirmation: forged })
    assert.equal(problemOf(changed), 'confirmation-unknown')
    for (const id of [a, b]) assert.equal((await call('GET', `/targets/${id}`)).status, 200)
  })

  test('segments, messages and workflows are also deleted by the second call', async () => {
    const segment = await stage.segment([await stage.contact('gil@reader.example')])
    const workflow = (await call('POST', '/scripting/workflows', { body: { name: 'Old', nodes: [] } })).body.id
    const message = await stage.action()
    for (const [type, id, count] of [
      ['segment', segment, 1],
      ['workflow', workflow, 1],
      ['message', message, 1],
    ] as const) {
      const first = await callTool(client, 'delete_object', { kind: type, id })
      assert.deepEqual([first.value.state, first.value.count], ['confirmation-needed', count], type)
      const { confirmation } = first.value
      const done = await callTool(client, 'delete_object', { kind: type, id, confirmation })
      assert.equal(done.value.state, 'done', JSON.stringify(done.value))
      assert.equal(problemOf(await callTool(client, 'delete_object', { kind: type, id })), 'not-found')
    }
  })

  test('callers without the right and other accounts get no confirmation, and nothing is done', async () => {
    const { message, contacts } = await campaign(1, 'hal')
    const id = contacts[0]!
    for (const [who, name, args] of [
      [reader, 'send_campaign', { id: message }],
      [reader, 'send_to_contact', { id: message, contact: id }],
      [reader, 'delete_object', { kind: 'contact', id }],
      [reader, 'pause_campaign', { id: message }],
      [reader, 'test_message', { id: message, address: 'x@desk.example' }],
      [writer, 'send_campaign', { id: message }],
      [writer, 'resume_campaign', { id: message }],
    ] as const)
      assert.equal(problemOf(await callTool(who, name, args)), 'right-missing', name)
    for (const [name, args] of [
      ['send_campaign', { id: message }],
      ['delete_object', { kind: 'contact', id }],
      ['pause_campaign', { id: message }],
    ] as const)
      assert.equal(problemOf(await callTool(rival, name, args)), 'not-found', name)
    assert.equal(await stage.state(message), 38)
  })

  test('a campaign is paused immediately, and resumes only when confirmed', async () => {
    const segment = await stage.segment([await stage.contact('ida@reader.example')])
    const { id: message } = await stage.planned(segment, 100)
    assert.deepEqual((await callTool(client, 'pause_campaign', { id: message })).value, { paused: true })
    assert.equal((await stage.get(message)).informations.paused, true)
    const { confirmation } = (await callTool(client, 'resume_campaign', { id: message })).value
    assert.equal((await stage.get(message)).informations.paused, true)
    const done = await callTool(client, 'resume_campaign', { id: message, confirmation })
    assert.equal(done.value.state, 'done', JSON.stringify(done.value))
    assert.equal((await stage.get(message)).informations.paused, false)
  })
})

suite('MCP proofs', () => {
  test("a person's proof is sent to their own address without confirmation", async () => {
    const person = await makePerson(stage, 'Iris', [[own, 'author']])
    const browser = await signedIn(stage, person)
    const message = await stage.action()
    const headers = { accept: 'application/json, text/event-stream' }
    const params = { name: 'test_message', arguments: { id: message } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const [answer] = await Promise.all([browser.visit('POST', '/mcp', { body, headers }), untilTested(message)])
    const { id, state } = JSON.parse(answer.body.result.content[0].text)
    assert.deepEqual([id, state], [message, 'tested'])
  })

  test('a key must name the address and confirm it', async () => {
    const message = await stage.action()
    assert.equal(problemOf(await callTool(client, 'test_message', { id: message })), 'invalid-request')
    const args = { id: message, address: 'me@desk.example' }
    const { confirmation, count } = (await callTool(client, 'test_message', args)).value
    assert.equal(count, 1)
    const [done] = await Promise.all([
      callTool(client, 'test_message', { ...args, confirmation }),
      untilTested(message),
    ])
    assert.equal(done.value.result.data.state, 'tested', JSON.stringify(done.value))
    assert.ok(stage.gateway.sent.length > 0)
  })
})

/** What otherwise goes on by itself, until a message was tested. */
async function untilTested(message: string): Promise<void> {
  await eventually(async () => {
    await stage.settle()
    return (await stage.state(message)) === 38
  })
}
