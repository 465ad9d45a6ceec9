import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'
import { callTool, callTwice, connected, listening, problemOf, type Told } from './clients.ts'

const stage = await startStage()
const { own, call } = stage
const url = await listening(stage)
const client = await connected(url, { 'x-key': own.key })

/** The kind, the reason and the next step of a first call that was refused. */
function refusalOf(answer: Told): [unknown, string, string | undefined] {
  assert.equal(answer.isError, true, JSON.stringify(answer.value))
  assert.equal(answer.value.confirmation, undefined)
  const { detail, next } = answer.value.error
  return [problemOf(answer), detail, next]
}

async function tested(message: string): Promise<string> {
  const body = { fortest: true, mediaForTest: 'proof@desk.example' }
  assert.equal((await call('POST', `/actions/${message}/validation`, { body })).status, 204)
  await stage.settle()
  assert.equal(await stage.state(message), 38)
  return message
}

const campaignTo = (segments: number[], more: object = {}) =>
  stage.action({ type: 'mailCampaign', scheduler: { type: 'asap', segments: { selected: segments } }, ...more })

suite('MCP: no confirmation for what cannot succeed', () => {
  test('a campaign that was not tested is not offered for sending, until it is', async () => {
    const segment = await stage.segment([await stage.contact('ann@reader.example')])
    const id = await campaignTo([segment])
    const before = await stage.get(id)
    const [kind, detail, next] = refusalOf(await callTool(client, 'send_campaign', { id }))
    assert.equal(kind, 'action-state')
    assert.match(detail, /is in state 20; it can be validated for production in state 38\./)
    assert.match(next ?? '', /In state 20, test the message first with test_message/)
    assert.deepEqual(await stage.get(id), before, 'trying changes nothing')
    await tested(id)
    const whole = await stage.get(id)
    const offered = await callTool(client, 'send_campaign', { id })
    assert.deepEqual([offered.isError, offered.value.count], [false, 1])
    assert.deepEqual(offered.value.warnings, [
      'No gateway is set up for email: the messages are captured and do not leave the service.',
    ])
    assert.deepEqual(await stage.get(id), whole, 'trying changes nothing')
  })

  test('an incomplete draft is refused with its missing parts', async () => {
    const id = await stage.action({ content: { subject: '', html: '<p>Come in</p>' } })
    for (const [name, args] of [
      ['send_campaign', { id }],
      ['test_message', { id, address: 'me@desk.example' }],
    ] as const) {
      const [kind, detail, next] = refusalOf(await callTool(client, name, args))
      assert.equal(kind, 'action-incomplete', name)
      assert.match(detail, /is missing content\.subject/)
      assert.equal(next, 'Add the missing parts with draft_message.')
    }
  })

  test('a content that does not compile is refused where the account requires no test', async () => {
    assert.equal((await call('PUT', '/settings/sending', { body: { testRequired: false } })).status, 200)
    const content = { subject: 'Hello', html: '<p>{{ contact.Email | nothing }}</p>' }
    const [kind, detail, next] = refusalOf(
      await callTool(client, 'send_campaign', { id: await stage.action({ content }) }),
    )
    assert.deepEqual([kind, next], ['action-not-ready', 'Correct the message with draft_message.'])
    assert.match(detail, /nothing/)
    assert.equal((await callTool(client, 'send_campaign', { id: await stage.action() })).isError, false)
    assert.equal((await call('PUT', '/settings/sending', { body: { testRequired: true } })).status, 200)
  })

  test('a campaign that would start now and reach nobody is refused', async () => {
    const nobody = await tested(await campaignTo([await stage.segment([])]))
    const [kind, detail] = refusalOf(await callTool(client, 'send_campaign', { id: nobody }))
    assert.deepEqual([kind, detail], ['audience-empty', 'No contact is in the audience of the campaign.'])
    const contact = await stage.contact('bea@reader.example')
    await call('POST', `/targets/${contact}/redlist/mail`)
    const suppressed = await tested(await campaignTo([await stage.segment([contact])]))
    const [, reasons, next] = refusalOf(await callTool(client, 'send_campaign', { id: suppressed }))
    assert.equal(reasons, 'No contact of the audience can get the campaign: 1 redlist.')
    assert.match(next ?? '', /message_audience/)
    const scheduler = { type: 'scheduled', startDate: '2090-01-01T08:00:00Z', segments: { selected: [] as number[] } }
    scheduler.segments.selected.push(await stage.segment([]))
    const later = await tested(await stage.action({ type: 'mailCampaign', scheduler }))
    assert.equal((await callTool(client, 'send_campaign', { id: later })).value.count, 0)
  })

  test('a campaign without a segment, or whose start has passed, is refused', async () => {
    const segment = await stage.segment([await stage.contact('cid@reader.example')])
    const past = { type: 'scheduled', startDate: '2020-01-01T08:00:00Z', segments: { selected: [segment] } }
    const id = await tested(await stage.action({ type: 'mailCampaign', scheduler: past }))
    assert.equal(refusalOf(await callTool(client, 'send_campaign', { id }))[0], 'start-past')
    const none = await tested(await campaignTo([]))
    assert.equal(refusalOf(await callTool(client, 'send_campaign', { id: none }))[0], 'segment-missing')
  })

  test('a proof is not offered for an address of another channel, and not twice', async () => {
    const id = await stage.action()
    const invalid = await callTool(client, 'test_message', { id, address: 'nowhere' })
    assert.match(refusalOf(invalid)[1], /^address: must be /)
    await tested(id)
    const [kind, detail] = refusalOf(await callTool(client, 'test_message', { id, address: 'me@desk.example' }))
    assert.deepEqual(
      [kind, detail],
      ['action-state', `Only a complete draft can be tested: the message ${id} is tested.`],
    )
  })

  test('a message is not offered to a contact who cannot get it', async () => {
    const contact = await stage.contact('dee@reader.example')
    const id = await stage.action()
    const [early] = refusalOf(await callTool(client, 'send_to_contact', { id, contact }))
    assert.equal(early, 'action-state')
    await stage.validated(id)
    assert.equal((await callTool(client, 'send_to_contact', { id, contact })).value.count, 1)
    await call('POST', `/targets/${contact}/redlist/mail`)
    const [kind, detail, next] = refusalOf(await callTool(client, 'send_to_contact', { id, contact }))
    assert.equal(kind, 'contact-unreachable')
    assert.match(detail, /^The contact cannot get the message\. The contact is on the suppression list/)
    assert.match(next ?? '', /explain_contact/)
    const segment = await stage.segment([contact])
    const [campaign, reason] = refusalOf(
      await callTool(client, 'send_to_contact', { id: await campaignTo([segment]), contact }),
    )
    assert.equal(campaign, 'action-state')
    assert.match(reason, /is a campaign, which is sent to its segments by send_campaign\./)
  })

  test('a message that cannot be rendered for the contact is not offered', async () => {
    const contact = await stage.contact('eve@reader.example')
    const content = { subject: 'Hello', html: '<p>{{ data.items[0].name | nothing_else }}</p>' }
    const id = await stage.action({ content })
    await stage.put(id, { state: 50 })
    const answer = await callTool(client, 'send_to_contact', { id, contact })
    assert.deepEqual(refusalOf(answer)[0], 'contact-unreachable')
    assert.equal(answer.value.error.more.untrusted, true)
  })

  test('what is not paused is not resumed', async () => {
    const segment = await stage.segment([await stage.contact('fay@reader.example')])
    const { id } = await stage.planned(segment, 100)
    const [kind, detail] = refusalOf(await callTool(client, 'resume_campaign', { id }))
    assert.deepEqual([kind, detail], ['action-state', `The campaign ${id} is not paused.`])
    const [beingSent] = refusalOf(await callTool(client, 'delete_object', { kind: 'message', id }))
    assert.equal(beingSent, 'action-state')
    await callTool(client, 'pause_campaign', { id })
    const [, deleted] = await callTwice(client, 'delete_object', { kind: 'message', id })
    assert.equal(deleted.value.state, 'done', JSON.stringify(deleted.value))
  })

  test('what is in use or active is not deleted', async () => {
    const segment = await stage.segment([])
    await campaignTo([segment], { name: 'Uses it' })
    const answer = await callTool(client, 'delete_object', { kind: 'segment', id: segment })
    assert.deepEqual(refusalOf(answer).slice(0, 2), ['segment-linked', `The segment ${segment} is in use.`])
    assert.equal(answer.value.error.more.data.links[0].name, 'Uses it')
    const nodes = [{ id: 'end', type: 'terminal', default: true }]
    const { id } = (await call('POST', '/scripting/workflows', { body: { name: 'W', nodes } })).body
    await callTwice(client, 'activate_workflow', { id })
    for (const [name, args] of [
      ['delete_object', { kind: 'workflow', id }],
      ['draft_workflow', { id, definition: { name: 'Other' } }],
    ] as const)
      assert.equal(refusalOf(await callTool(client, name, args))[0], 'workflow-active', name)
  })
})
