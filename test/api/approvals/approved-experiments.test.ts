import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import type { Answer } from '../../support/harness.ts'
import { type Colleague, colleague } from '../../support/stages/colleagues.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { action, call, clock, contact, gateway, segment, settle, state } = stage
// Events are stamped by the database.
clock.set(Date.now())
const HOUR = 3_600_000
const READERS = 48

let author: Colleague
let sender: Colleague
let selected: number

const experiment = {
  versions: [
    { id: 'a', share: 30 },
    { id: 'b', share: 30, subject: 'Version B' },
  ],
  metric: 'clicks',
  decideAfter: { unit: 'HOUR', value: 2 },
  minimum: 10,
  decide: 'ask',
}

before(async () => {
  author = await colleague(stage, 'author')
  sender = await colleague(stage, 'sender')
  await colleague(stage, 'sender')
  const contacts: string[] = []
  for (let n = 0; n < READERS; n++) contacts.push(await contact(`reader${n}@ab.example`))
  selected = await segment(contacts)
  assert.equal((await call('PUT', '/settings/people', { body: { approval: true } })).status, 200)
})

async function refused(status: number, kind: string, answer: Promise<Answer>): Promise<void> {
  const { status: given, body, text } = await answer
  assert.deepEqual([given, body?.type], [status, `urn:stentor:problem:${kind}`], text)
}

async function testedAndAsked(id: string): Promise<string> {
  const body = { fortest: true, mediaForTest: author.email }
  assert.equal((await author.call('POST', `/actions/${id}/validation`, { body })).status, 204)
  await settle()
  assert.equal(await state(id), 38)
  const answer = await author.call('POST', '/approvals', { body: { type: 'action', id } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const approve = (approval: string) =>
  sender.call('POST', `/approvals/${approval}/decision`, { body: { decision: 'approve' } })

const decideFor = (who: Pick<Colleague, 'call'>, id: string, version: string) =>
  who.call('POST', `/actions/${id}/experiment/decision`, { body: { version } })

/** How many messages had each subject. */
async function subjects(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const { bytes } of gateway.sent) {
    const { subject = '' } = await simpleParser(bytes)
    found[subject] = (found[subject] ?? 0) + 1
  }
  return found
}

suite('an approved experiment', () => {
  test('is approved with all its versions, and its decision is part of the approval', async () => {
    const scheduler = { type: 'asap', segments: { selected: [selected] } }
    const id = await action({ type: 'mailCampaign', settings: { experiment }, scheduler })
    const stale = await testedAndAsked(id)
    const [first, second] = experiment.versions
    const changed = { ...experiment, versions: [first, { ...second, subject: 'Version C' }] }
    const put = (settings: object) => author.call('PUT', `/actions/${id}`, { body: { settings } })
    assert.equal((await put({ experiment: changed })).status, 200)
    await refused(409, 'approval-stale', approve(stale))

    assert.equal((await put({ experiment })).status, 200)
    const approval = await testedAndAsked(id)
    gateway.sent.splice(0)
    const approved = await approve(approval)
    assert.deepEqual([approved.status, approved.body.outcome], [200, 'done'], approved.text)
    await settle()
    const shared = await subjects()
    const { sent: all, waiting } = (await call('GET', `/actions/${id}/report`)).body
    assert.deepEqual([all + waiting, gateway.sent.length], [READERS, all])
    assert.ok(waiting > 0)

    // Neither its versions nor who decides can be others by now.
    assert.equal((await put({ experiment: changed })).status, 403)
    assert.equal((await decideFor(author, id, 'b')).status, 403)
    clock.advance(3 * HOUR)
    await settle()
    const decided = await decideFor(sender, id, 'b')
    assert.equal(decided.status, 200, decided.text)
    await settle()
    assert.deepEqual(await subjects(), { ...shared, 'Version B': shared['Version B']! + waiting })
    assert.equal((await call('GET', `/actions/${id}/report`)).body.sent, READERS)
  })
})
