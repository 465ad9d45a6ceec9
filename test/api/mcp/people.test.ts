import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { type Colleague, colleague } from '../../support/stages/colleagues.ts'
import { startStage } from '../../support/stages/stage.ts'
import { callTool, callTwice, connected, listening, problemOf, untrusted } from './clients.ts'

const stage = await startStage()
const { own, call, context } = stage
const url = await listening(stage)

const KNOWN = 'ann.known@shop.example'
const SECRETS = ['ann.known', encodeURIComponent(KNOWN), createHash('md5').update(KNOWN).digest('hex'), '612345612']

interface NamedField {
  id: number
  name: string
}

/** The reference client with a person's session. */
const clientOf = ({ session }: Colleague) => connected(url, session)

suite('MCP tools for a viewer in an account with masked data', () => {
  test('no tool returns anything that reveals an address', async () => {
    await call('POST', '/fields', { body: { name: 'Mobile', type: 'phone' } })
    const contact = await stage.contact(KNOWN, { Mobile: '+33612345612' })
    await call('POST', `/targets/${contact}/redlist/mail`, { body: { origin: 1, reason: `asked by ${KNOWN}` } })
    const [{ id: field }] = (await call('GET', '/fields')).body
    await call('PUT', `/targets/${contact}/bounces/${field}`, { body: { type: 'hardUser', detail: `<${KNOWN}>` } })
    const segment = await stage.segment([contact], { name: `About ${KNOWN}` })
    const message = await stage.action({
      content: { subject: 'For {{ contact.Email }}', html: '<p>{{ contact.Mobile }}</p>' },
    })
    const workflow = (await call('POST', '/scripting/workflows', { body: { name: 'W', nodes: [] } })).body.id
    const source = { type: 'file', data: `Email\n${KNOWN}\n` }
    const imported = (await call('POST', '/imports', { body: { name: `Of ${KNOWN}`, source } })).body.id
    await sql`update accounts set mask_personal_data = true where id = ${own.account}`.execute(context.db)
    const viewer = await colleague(stage, 'viewer')
    const whole = await connected(url, { 'x-key': own.key })
    const client = await clientOf(viewer)
    const criteria = { type: 'field', field, operator: 'contains', value: 'known' }
    const calls: [string, Record<string, unknown>, string | null][] = [
      ['find_contacts', { query: contact }, null],
      // A part of an address finds nothing.
      ['find_contacts', { query: 'ann.kn' }, null],
      ['find_contacts', { criteria }, 'masked'],
      ['count_segment', { criteria }, 'masked'],
      ['read_contact', { id: contact }, null],
      ['explain_contact', { id: contact }, null],
      ['contact_history', { id: contact }, null],
      ['list_bounces', {}, null],
      ['describe_segment', { id: segment }, null],
      ['list_segments', {}, null],
      ['list_messages', {}, null],
      ['read_message', { id: message }, null],
      ['render_message', { id: message, contact }, null],
      ['message_audience', { id: message }, null],
      ['message_report', { id: message }, null],
      ['message_findings', { id: message }, null],
      ['find_objects', { query: 'About' }, null],
      ['list_suppressions', { list: 'mail' }, null],
      ['list_fields', {}, null],
      ['list_forms', {}, null],
      ['list_designs', {}, null],
      ['read_overview', {}, null],
      ['read_deliverability', {}, null],
      ['read_import', { id: imported }, null],
      ['simulate_workflow', { id: workflow, contact }, 'masked'],
      ['save_contact', { id: contact, values: {} }, 'right-missing'],
      ['save_segment', { id: segment, name: 'Other' }, 'right-missing'],
      ['start_import', { id: imported }, 'right-missing'],
      ['unsuppress_contact', { id: contact, list: 'mail', reason: 'x' }, 'right-missing'],
      ['send_to_contact', { id: message, contact }, 'right-missing'],
      ['test_message', { id: message, address: 'x@desk.example' }, 'right-missing'],
      ['delete_object', { kind: 'contact', id: contact }, 'right-missing'],
      ['ask_approval', { kind: 'message', id: message }, 'right-missing'],
      ['activate_workflow', { id: workflow }, 'right-missing'],
    ]
    const wrong: string[] = []
    let held = 0
    for (const [name, args, refusal] of calls) {
      const told = await callTool(client, name, args)
      const text = JSON.stringify(told.value).toLowerCase()
      const kind = told.isError ? problemOf(told) : null
      if (kind !== refusal) wrong.push(`${name}: ${String(kind)}, not ${refusal} ${text.slice(0, 200)}`)
      const secrets = SECRETS.filter((secret) => text.includes(secret.toLowerCase()))
      if (secrets.length > 0) wrong.push(`${name} ${JSON.stringify(args)}: ${secrets} in ${text}`)
      if (refusal === null && JSON.stringify((await callTool(whole, name, args)).value).includes('ann.known')) held++
    }
    for (const uri of ['segments', 'campaigns', `segments/${segment}`, `reports/message/${message}`]) {
      const text = JSON.stringify(await client.readResource({ uri: `stentor://${uri}` })).toLowerCase()
      if (SECRETS.some((secret) => text.includes(secret.toLowerCase()))) wrong.push(`${uri}: ${text}`)
    }
    assert.deepEqual(wrong, [])
    assert.ok(held >= 6, `${held} of them hold it for those who may see it`)
    const { value } = await callTool(client, 'read_contact', { id: contact })
    assert.equal(value.contact.data.fields.Email, 'a…@s….example')
    const names = new Map((await viewer.call('GET', '/fields')).body.map(({ id, name }: NamedField) => [`${id}`, name]))
    const seen = (await viewer.call('GET', `/targets/${contact}`)).body
    const values = Object.entries(seen.fields).map(([id, fieldValue]) => [names.get(id), fieldValue])
    assert.deepEqual(value, { id: contact, contact: untrusted({ ...seen, fields: Object.fromEntries(values) }) })
  })
})

suite('MCP tools in an account that requires approvals', () => {
  test('a person cannot send or activate, even with a confirmation, and can ask another person for approval', async () => {
    const [person, second] = [await colleague(stage, 'sender'), await colleague(stage, 'sender')]
    const client = await clientOf(person)
    const segment = await stage.segment([await stage.contact('reader@shop.example')])
    const scheduler = { type: 'asap', segments: { selected: [segment] } }
    const message = await stage.action({ type: 'mailCampaign', scheduler })
    const test = { fortest: true, mediaForTest: person.email }
    assert.equal((await call('POST', `/actions/${message}/validation`, { body: test })).status, 204)
    await stage.settle()
    const node = { id: 'end', type: 'terminal', default: true }
    const workflow = (await call('POST', '/scripting/workflows', { body: { name: 'W', nodes: [node] } })).body.id
    const push = (await call('POST', '/notifications', { body: { type: 'push-app', name: 'N' } })).body.id
    const rcs = (
      await call('POST', '/channel/rcs/actions', {
        body: { type: 'rcsMessage', name: 'R', content: { type: 'text', text: 'x' } },
      })
    ).body.id
    const acts: [string, Record<string, unknown>, string | null][] = [
      ['send_campaign', { id: message }, null],
      ['activate_workflow', { id: workflow }, null],
      ['send_campaign', { kind: 'notification', id: push }, 'notification-not-ready'],
      ['send_campaign', { kind: 'rcs', id: rcs }, 'action-incomplete'],
    ]
    const firsts = await Promise.all(acts.map(([name, args]) => callTool(client, name, args)))
    assert.equal((await call('PUT', '/settings/people', { body: { approval: true } })).status, 200)
    for (const [index, [name, args, refusal]] of acts.entries()) {
      const { confirmation = 'none' } = firsts[index]!.value
      const firstRefusal = firsts[index]!.isError ? problemOf(firsts[index]!) : null
      assert.equal(firstRefusal, refusal, JSON.stringify(firsts[index]!.value))
      // Sessions are remembered for less than a second.
      stage.clock.advance(index === 0 ? 1000 : 0)
      assert.equal(problemOf(await callTool(client, name, args)), 'approval-required', name)
      assert.equal(problemOf(await callTool(client, name, { ...args, confirmation })), 'approval-required', name)
    }
    assert.equal(await stage.state(message), 38)
    const asked = await callTool(client, 'ask_approval', { kind: 'message', id: message, comment: 'for Monday' })
    const { body: approval } = await call('GET', `/approvals/${asked.value.id}`)
    assert.deepEqual(asked.value, { id: approval.id, state: 'waiting', audience: 1, approval: untrusted(approval) })
    assert.equal(approval.askedBy.id, person.id)
    assert.equal(await stage.state(message), 38)
    const decision = { decision: 'approve' }
    const oneself = await person.call('POST', `/approvals/${approval.id}/decision`, { body: decision })
    assert.equal(oneself.status, 403)
    const done = await second.call('POST', `/approvals/${approval.id}/decision`, { body: decision })
    assert.equal(done.status, 200, done.text)
    assert.ok((await stage.state(message)) >= 40)
    // Keys are not asked.
    const key = await connected(url, { 'x-key': own.key })
    const [, activated] = await callTwice(key, 'activate_workflow', { id: workflow })
    assert.equal(activated.value.state, 'done')
    // What is active is stopped without an approval, as in the interface.
    const [, stopped] = await callTwice(client, 'deactivate_workflow', { id: workflow })
    assert.equal(stopped.value.state, 'done')
  })
})
