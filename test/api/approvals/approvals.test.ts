import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { sql } from 'kysely'
import type { Answer } from '../../support/harness.ts'
import { type Colleague, colleague } from '../../support/stages/colleagues.ts'
import { storedApplication } from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { action, call, clock, contact, context, makeKey, other, own, segment, settle, state, gateway } = stage
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let author: Colleague
let first: Colleague
let second: Colleague
let named = 0

before(async () => {
  author = await colleague(stage, 'author')
  first = await colleague(stage, 'sender')
  second = await colleague(stage, 'sender')
  const answer = await call('PUT', '/settings/people', { body: { approval: true } })
  assert.equal(answer.status, 200, answer.text)
})

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

/** A dynamic segment of the contacts with this first letter. */
async function dynamicSegment(letter: string): Promise<number> {
  const [email] = (await call('GET', '/fields')).body
  const criteria = { type: 'field', field: email.id, operator: 'startsWith', value: letter }
  return (await made('/segments', { type: 'dynamic', name: `Letter ${++named}`, criteria })).id
}

/** A campaign that its author has tested. */
async function tested(more: object = {}): Promise<string> {
  const selected = [await segment([await contact(`reader${++named}@shop.example`)])]
  const id = await action({ type: 'mailCampaign', scheduler: { type: 'asap', segments: { selected } }, ...more })
  const body = { fortest: true, mediaForTest: author.email }
  const answer = await author.call('POST', `/actions/${id}/validation`, { body })
  assert.equal(answer.status, 204, answer.text)
  await settle()
  assert.equal(await state(id), 38)
  return id
}

const ask = (type: string, id: unknown, who = author, comment?: string) =>
  who.call('POST', '/approvals', { body: { type, id, ...(comment !== undefined && { comment }) } })

async function asked(type: string, id: unknown, who = author): Promise<string> {
  const answer = await ask(type, id, who)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const decide = (id: string, decision: string, who = first, comment?: string) =>
  who.call('POST', `/approvals/${id}/decision`, { body: { decision, ...(comment !== undefined && { comment }) } })

const read = async (id: string): Promise<Answer['body']> => (await call('GET', `/approvals/${id}`)).body

async function notification(more: object = {}): Promise<Answer['body']> {
  const application = await storedApplication(stage)
  const versions = [{ master: true, content: { title: 'Twenty off', body: 'Tonight' } }]
  return made('/notifications', {
    type: 'push-app',
    name: `Sale ${++named}`,
    settings: { application },
    versions,
    ...more,
  })
}

const workflow = () =>
  made('/scripting/workflows', { name: `Welcome ${++named}`, nodes: [{ id: 'end', type: 'terminal', default: true }] })

suite("an author's approval request decided by a sender", () => {
  test('an approved campaign starts', async () => {
    const id = await tested()
    const request = await ask('action', id, author, 'for Monday')
    assert.equal(request.status, 200, request.text)
    const { id: approval, version, askedAt, ...rest } = request.body
    assert.match(approval, UUID)
    assert.match(version, /^[0-9a-f]{64}$/)
    assert.match(askedAt, ISO)
    const { name } = await stage.get(id)
    const askedBy = { type: 'person', id: author.id, name: author.name }
    assert.deepEqual(rest, {
      state: 'waiting',
      object: { type: 'action', id, name },
      audience: 1,
      comment: 'for Monday',
      askedBy,
      decision: null,
      outcome: null,
    })
    assert.equal(await state(id), 38)
    const sentBefore = gateway.sent.length
    const decided = await decide(approval, 'approve', first, 'good')
    assert.equal(decided.status, 200, decided.text)
    const by = { type: 'person', id: first.id, name: first.name }
    assert.deepEqual(decided.body, {
      ...request.body,
      state: 'approved',
      decision: { by, at: decided.body.decision.at, comment: 'good' },
      outcome: 'done',
    })
    assert.equal(await state(id), 55)
    await settle()
    assert.equal(gateway.sent.length, sentBefore + 1)
    assert.deepEqual(await read(approval), decided.body)
    await refused(409, 'approval-decided', decide(approval, 'approve', second))
    await refused(409, 'approval-decided', author.call('DELETE', `/approvals/${approval}`))
  })

  test('a content change in between makes the request stale, and approving it is 409', async () => {
    const id = await tested()
    const approval = await asked('action', id)
    const content = { subject: 'Another one' }
    assert.equal((await author.call('PUT', `/actions/${id}`, { body: { content } })).status, 200)
    await refused(409, 'approval-stale', decide(approval, 'approve'))
    assert.deepEqual([(await read(approval)).state, await state(id)], ['stale', 20])
    await refused(409, 'approval-decided', decide(approval, 'approve'))
    // Changed back, tested, and asked for anew.
    assert.equal((await author.call('PUT', `/actions/${id}`, { body: { content: { subject: 'Hello' } } })).status, 200)
    assert.equal(
      (await author.call('POST', `/actions/${id}/validation`, { body: { fortest: true, mediaForTest: author.email } }))
        .status,
      204,
    )
    await settle()
    assert.equal((await decide(await asked('action', id), 'approve')).status, 200)
  })

  test('a changed criterion of its segment, or of one that it refers to, makes the request stale with 409', async () => {
    const inner = await dynamicSegment('r')
    const nested = await made('/segments', {
      type: 'dynamic',
      name: `Nested ${++named}`,
      criteria: { type: 'segment', segment: inner },
    })
    for (const selected of [inner, nested.id]) {
      const id = await tested({ scheduler: { type: 'asap', segments: { selected: [selected] } } })
      const approval = await asked('action', id)
      const [email] = (await call('GET', '/fields')).body
      const criteria = { type: 'field', field: email.id, operator: 'startsWith', value: `r${++named}` }
      assert.equal((await author.call('PUT', `/segments/${inner}`, { body: { criteria } })).status, 200)
      await refused(409, 'approval-stale', decide(approval, 'approve'))
      assert.deepEqual([(await read(approval)).state, await state(id)], ['stale', 38])
    }
  })

  test('a change of account settings makes the request stale only if they are part of the content', async () => {
    const id = await tested()
    const approval = await asked('action', id)
    await made('/fields', { name: `Field ${++named}`, type: 'textField' })
    await call('PUT', '/settings/sending', { body: { testSubjectPrefix: `[${++named}] ` } })
    assert.equal((await decide(approval, 'approve')).status, 200)
    const later = await tested()
    const waiting = await asked('action', later)
    await call('PUT', '/settings/sending', { body: { honeypotLink: true } })
    await refused(409, 'approval-stale', decide(waiting, 'approve'))
    await call('PUT', '/settings/sending', { body: { honeypotLink: false } })
  })

  test('a waiting request is shown in the overview', async () => {
    const id = await tested()
    const approval = await asked('action', id)
    const waiting = async () => (await call('GET', '/overview')).body.approvals
    const { askedAt, object } = await read(approval)
    assert.deepEqual((await waiting())[0], {
      id: approval,
      type: 'action',
      object: id,
      name: object.name,
      askedBy: author.name,
      date: askedAt,
      comment: null,
    })
    await decide(approval, 'refuse')
    assert.ok(!(await waiting()).some((one: { id: string }) => one.id === approval))
  })

  test('a refused request sends nothing, and approval can be requested again', async () => {
    const id = await tested()
    const approval = await asked('action', id)
    const answer = await decide(approval, 'refuse', first, 'not yet')
    assert.deepEqual([answer.status, answer.body.state, answer.body.outcome], [200, 'refused', null])
    assert.equal(answer.body.decision.comment, 'not yet')
    assert.equal(await state(id), 38)
    await asked('action', id)
  })

  test('content that no longer compiles is shown as failed', async () => {
    const field = await made('/fields', { name: `Nick${++named}`, type: 'textField' })
    const html = `<html><body>{{ contact.${field.name} }}</body></html>`
    const id = await tested({ content: { subject: 'Hello', html } })
    const approval = await asked('action', id)
    assert.equal((await call('PUT', `/fields/${field.id}`, { body: { name: `Gone${++named}` } })).status, 200)
    const answer = await decide(approval, 'approve')
    assert.deepEqual([answer.status, answer.body.state, answer.body.outcome], [200, 'approved', 'failed'])
    assert.equal(await state(id), 20)
    assert.equal((await stage.get(id)).informations.lastValidation.result, 'failed')
  })

  test('a new obstacle is reported, and the request keeps waiting', async () => {
    const selected = await segment([await contact(`late${++named}@shop.example`)])
    const id = await tested({ scheduler: { type: 'asap', segments: { selected: [selected] } } })
    const approval = await asked('action', id)
    const expire = (expiration: string) => call('PUT', `/segments/${selected}`, { body: { expiration } })
    await expire('2020-01-01T00:00:00.000Z')
    const body = await refused(409, 'segment-expired', decide(approval, 'approve'))
    assert.equal(body.errors.length, 1)
    assert.deepEqual([(await read(approval)).state, await state(id)], ['waiting', 38])
    await expire('2100-01-01T00:00:00.000Z')
    assert.equal((await decide(approval, 'approve')).status, 200)
    assert.equal(await state(id), 55)
  })
})

suite('senders with approvals on', () => {
  test('a sender cannot decide on their own request', async () => {
    const id = await tested()
    const approval = await asked('action', id, first)
    for (const decision of ['approve', 'refuse']) await refused(403, 'approval-own', decide(approval, decision, first))
    assert.equal((await read(approval)).state, 'waiting')
    assert.equal((await decide(approval, 'approve', second)).status, 200)
  })

  test('a sender cannot validate an action, but can test it', async () => {
    const id = await action()
    const validate = (body: object, who = first) => who.call('POST', `/actions/${id}/validation`, { body })
    await refused(403, 'approval-required', validate({ fortest: true, mediaForTest: 'anybody@shop.example' }))
    assert.equal((await validate({ fortest: true, mediaForTest: author.email })).status, 204)
    await settle()
    await refused(403, 'approval-required', validate({ fortest: false }))
    await refused(403, 'right-missing', validate({ fortest: false }, author))
    assert.equal(await state(id), 38)
    const rcs = first.call('POST', '/channel/rcs/actions/1/validation', { body: {} })
    await refused(403, 'approval-required', rcs)
  })

  test('a sender cannot activate or change what is active, but can deactivate it', async () => {
    const [push, flow] = [await notification(), await workflow()]
    for (const url of [`/notifications/${push.id}`, `/scripting/workflows/${flow.id}`]) {
      await refused(403, 'approval-required', first.call('POST', `${url}/activation`))
      assert.equal((await first.call('PUT', url, { body: { name: `Mine ${++named}` } })).status, 200)
      assert.equal((await call('POST', `${url}/activation`)).status, 204)
      await refused(403, 'approval-required', first.call('PUT', url, { body: { name: 'Late' } }))
      await refused(403, 'approval-required', first.call('DELETE', url))
      assert.equal((await first.call('DELETE', `${url}/activation`)).status, 204)
      assert.equal((await first.call('PUT', url, { body: { name: `After ${++named}` } })).status, 200)
    }
    const part = `/scripting/workflows/${flow.id}/settings`
    assert.equal((await call('POST', `/scripting/workflows/${flow.id}/activation`)).status, 204)
    await refused(403, 'approval-required', first.call('PATCH', part, { body: {} }))
  })

  test('a key with "send" still validates, and one that writes can request approval', async () => {
    const id = await tested()
    assert.equal((await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })).status, 204)
    const key = await makeKey(own.account, ['read', 'write'])
    const later = await tested()
    const answer = await call('POST', '/approvals', { body: { type: 'action', id: later }, key })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.askedBy.type, 'key')
    const decision = `/approvals/${answer.body.id}/decision`
    await refused(403, 'right-missing', call('POST', decision, { body: { decision: 'approve' }, key }))
    await refused(403, 'session-required', call('POST', decision, { body: { decision: 'approve' } }))
    await refused(403, 'approval-of-another', call('DELETE', `/approvals/${answer.body.id}`))
    assert.equal((await call('DELETE', `/approvals/${answer.body.id}`, { key })).status, 204)
  })

  test('without approvals, a sender can do all of it', async () => {
    await call('PUT', '/settings/people', { body: { approval: false } })
    const free = await colleague(stage, 'sender')
    const flow = await workflow()
    assert.equal((await free.call('POST', `/scripting/workflows/${flow.id}/activation`)).status, 204)
    assert.equal(
      (await free.call('PUT', `/scripting/workflows/${flow.id}`, { body: { name: `Free ${++named}` } })).status,
      200,
    )
    await call('PUT', '/settings/people', { body: { approval: true } })
  })
})

suite('approvals of other kinds', () => {
  test('a changed RCS action makes its request stale, and an approved one is validated', async () => {
    await call('POST', '/fields', { body: { name: 'Mobile', type: 'phone' } })
    const profile = await made('/channel/rcs/profiles', {
      name: `Orchard ${++named}`,
      agent: 'orchard_fr_k2',
      provider: { type: 'capture' },
    })
    const body = {
      type: 'rcsMessage',
      name: 'Pears',
      settings: { profile: profile.id },
      content: { type: 'text', text: 'Hello' },
    }
    const { id } = await made('/channel/rcs/actions', body)
    const approval = await asked('rcs', id)
    assert.equal(
      (await call('PUT', `/channel/rcs/actions/${id}`, { body: { content: { type: 'text', text: 'Bye' } } })).status,
      200,
    )
    await refused(409, 'approval-stale', decide(approval, 'approve'))
    const answer = await decide(await asked('rcs', id), 'approve')
    assert.deepEqual([answer.body.state, answer.body.outcome, answer.body.object.id], ['approved', 'done', id])
    assert.equal((await call('GET', `/channel/rcs/actions/${id}`)).body.state, 50)
    const empty = await made('/channel/rcs/actions', { type: 'rcsMessage', name: 'Empty' })
    const refusal = await refused(409, 'action-incomplete', ask('rcs', empty.id))
    assert.ok(refusal.errors.length > 0)
  })

  test('a changed notification makes its request stale, and an approved one is activated', async () => {
    const { id } = await notification()
    const approval = await asked('notification', id)
    const versions = [{ master: true, content: { title: 'Thirty off', body: 'Tonight' } }]
    assert.equal((await author.call('PUT', `/notifications/${id}`, { body: { versions } })).status, 200)
    await refused(409, 'approval-stale', decide(approval, 'approve'))
    assert.equal((await decide(await asked('notification', id), 'approve')).body.outcome, 'done')
    assert.equal((await call('GET', `/notifications/${id}`)).body.active, true)
    const bare = await made('/notifications', { type: 'push-app', name: `Bare ${++named}` })
    const refusal = await refused(409, 'notification-not-ready', ask('notification', bare.id))
    assert.ok(refusal.errors.length > 0)
  })

  test('a changed script of a workflow makes its request stale, and an approved workflow is activated', async () => {
    const webtask = await made('/scripting/webtasks', { name: `Task ${++named}`, value: 'export default () => 1' })
    const nodes = [
      { id: 'run', type: 'script', default: true, settings: { webtask: webtask.id }, next: 'end' },
      { id: 'end', type: 'terminal' },
    ]
    const { id } = await made('/scripting/workflows', { name: `Welcome ${++named}`, nodes })
    const approval = await asked('workflow', id)
    assert.equal((await call('GET', `/scripting/workflows/${id}`)).body.state, 0)
    const script = `/scripting/webtasks/${webtask.id}/script`
    const changed = await call('PUT', script, {
      body: 'export default () => 2',
      headers: { 'content-type': 'text/javascript' },
    })
    assert.equal(changed.status, 200, changed.text)
    await refused(409, 'approval-stale', decide(approval, 'approve'))
    const answer = await decide(await asked('workflow', id), 'approve')
    assert.deepEqual([answer.status, answer.body.outcome], [200, 'done'], answer.text)
    assert.equal((await call('GET', `/scripting/workflows/${id}`)).body.state, 1)
    await refused(409, 'workflow-active', ask('workflow', id))
    const flawed = await made('/scripting/workflows', { name: `Flawed ${++named}`, nodes: [nodes[0]] })
    const refusal = await refused(409, 'workflow-flawed', ask('workflow', flawed.id))
    assert.ok(refusal.errors.length > 0)
    assert.ok(refusal.flaws.length > 0)
  })
})

suite('approval requests', () => {
  test('invalid input is 400 with its pointer', async () => {
    const faulty: [unknown, string][] = [
      [{ id: '000001' }, '/type'],
      [{ type: 'mail', id: '000001' }, '/type'],
      [{ type: 'action' }, '/id'],
      [{ type: 'action', id: {} }, '/id'],
      [{ type: 'action', id: '000001', comment: 7 }, '/comment'],
      [{ type: 'action', id: '000001', comment: 'x'.repeat(4001) }, '/comment'],
    ]
    for (const [body, pointer] of faulty) {
      const answer = await author.call('POST', '/approvals', { body })
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.pointer], [400, pointer], answer.text)
    }
    const approval = await asked('action', await tested())
    const answer = await decide(approval, 'maybe')
    assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, '/decision'])
    assert.equal((await author.call('GET', '/approvals?state=open')).status, 400)
  })

  test('unknown objects, those of another kind and those of another account are 404', async () => {
    const theirs = await call('POST', '/actions', { body: { type: 'mailMessage', name: 'Theirs' }, key: other.key })
    const rcs = await made('/channel/rcs/actions', { type: 'rcsMessage', name: 'Empty' })
    const tries: [string, unknown][] = [
      ['action', 'ZZZZZZ'],
      ['action', 'none at all'],
      ['action', theirs.body.id],
      ['rcs', 999_999],
      ['rcs', 0],
      ['notification', 999_999],
      ['workflow', 'x'],
      ['workflow', 999_999],
      ['notification', rcs.id],
    ]
    for (const [type, id] of tries) await refused(404, 'not-found', ask(type, id))
  })

  test('an object that could not be sent now is 409 with the reason', async () => {
    const untested = await action()
    const body = await refused(409, 'action-state', ask('action', untested))
    assert.equal(body.errors.length, 1)
    const nobody = await tested()
    await call('PUT', `/actions/${nobody}`, { body: { scheduler: { segments: { selected: [] } } } })
    await author.call('POST', `/actions/${nobody}/validation`, { body: { fortest: true, mediaForTest: author.email } })
    await settle()
    const missing = await refused(409, 'segment-missing', ask('action', nobody))
    assert.deepEqual(missing.errors.length, 1)
    // A trial leaves nothing behind.
    assert.equal(await state(nobody), 38)
  })

  test('only one request at a time can wait for an object', async () => {
    const id = await tested()
    const approval = await asked('action', id)
    const body = await refused(409, 'approval-waiting', ask('action', id, first))
    assert.equal(body.approval, approval)
    assert.equal((await author.call('DELETE', `/approvals/${approval}`)).status, 204)
    assert.equal((await call('GET', `/approvals/${approval}`)).status, 404)
    await asked('action', id, first)
  })

  test('of several concurrent requests for an object, one is accepted', async () => {
    const id = await tested()
    const answers = await Promise.all([author, first, second, author].map((who) => ask('action', id, who)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
  })

  test('only the person who made a request can withdraw it', async () => {
    const approval = await asked('action', await tested())
    for (const who of [first, second])
      await refused(403, 'approval-of-another', who.call('DELETE', `/approvals/${approval}`))
    await refused(404, 'not-found', author.call('DELETE', `/approvals/${crypto.randomUUID()}`))
    await refused(404, 'not-found', author.call('DELETE', '/approvals/none'))
    assert.equal((await author.call('DELETE', `/approvals/${approval}`)).status, 204)
    await refused(404, 'not-found', decide(approval, 'approve'))
  })

  test('viewers can read requests, but neither make nor decide them', async () => {
    const viewer = await colleague(stage, 'viewer')
    const approval = await asked('action', await tested())
    assert.equal((await viewer.call('GET', `/approvals/${approval}`)).body.id, approval)
    await refused(403, 'right-missing', ask('action', '000001', viewer))
    await refused(403, 'right-missing', decide(approval, 'approve', viewer))
    await refused(403, 'right-missing', decide(approval, 'approve', author))
  })

  test('requests are unknown to another account', async () => {
    const approval = await asked('action', await tested())
    const stranger = await colleague(stage, 'admin', { account: other })
    assert.deepEqual((await stranger.call('GET', '/approvals')).body, [])
    await refused(404, 'not-found', stranger.call('GET', `/approvals/${approval}`))
    await refused(404, 'not-found', decide(approval, 'approve', stranger))
    await refused(404, 'not-found', stranger.call('DELETE', `/approvals/${approval}`))
    assert.equal((await read(approval)).state, 'waiting')
  })

  test('the list is newest first, by state and in pages', async () => {
    const all = (await author.call('GET', '/approvals')).body
    assert.ok(all.length > 5)
    const times = all.map(({ askedAt }: { askedAt: string }) => askedAt)
    assert.deepEqual(times, times.toSorted().toReversed())
    const waiting = (await author.call('GET', '/approvals?state=waiting')).body
    assert.deepEqual(
      waiting.map(({ id }: { id: string }) => id),
      all.filter((one: { state: string }) => one.state === 'waiting').map(({ id }: { id: string }) => id),
    )
    const page = await author.call('GET', '/approvals?limit=2')
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.deepEqual([...page.body, ...(await author.call('GET', next)).body], all.slice(0, 4))
  })
})

suite('the audit of approvals', () => {
  test('records who made a request, who decided it and who was refused', async () => {
    const approval = await asked('action', await tested())
    await refused(403, 'approval-own', decide(await asked('action', await tested(), first), 'approve', first))
    assert.equal((await decide(approval, 'approve', second)).status, 200)
    const rows = (await call('GET', '/audit?object=approval&limit=5')).body
    const who = ({ id, name }: Colleague) => ({ type: 'person', id, name })
    const told = rows.map((row: { operation: string; who: object }) => [row.operation, row.who])
    assert.deepEqual(told.slice(0, 4), [
      ['POST /approvals/{id}/decision', who(second)],
      ['POST /approvals/{id}/decision', who(first)],
      ['POST /approvals', who(first)],
      ['POST /approvals', who(author)],
    ])
    assert.deepEqual(rows[0].changes['/state'], ['waiting', 'approved'])
    assert.notEqual(rows[1].outcome, rows[0].outcome)
  })
})

suite('concurrent approvals', () => {
  test('of two concurrent decisions, one wins', async () => {
    for (const decisions of [
      ['approve', 'approve'],
      ['approve', 'refuse'],
      ['refuse', 'refuse'],
    ]) {
      const id = await tested()
      const approval = await asked('action', id)
      const answers = await Promise.all([
        decide(approval, decisions[0]!, first),
        decide(approval, decisions[1]!, second),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
      const winner = answers.find(({ status }) => status === 200)!
      assert.equal((await read(approval)).state, winner.body.state)
      assert.equal(await state(id), winner.body.state === 'approved' ? 55 : 38)
    }
  })

  test('content changed during its approval is sent as it was approved, or not at all', async () => {
    for (let time = 0; time < 5; time++) {
      const id = await tested()
      const approval = await asked('action', id)
      const [decided, changed] = await Promise.all([
        decide(approval, 'approve'),
        call('PUT', `/actions/${id}`, { body: { content: { subject: 'Changed' } } }),
      ])
      const { content } = await stage.get(id)
      if (decided.status === 200) {
        assert.deepEqual([changed.status, content.subject, await state(id)], [409, 'Hello', 55])
      } else {
        assert.deepEqual([decided.status, changed.status, content.subject], [409, 200, 'Changed'])
        assert.deepEqual([(await read(approval)).state, await state(id)], ['stale', 20])
      }
    }
  })

  test('a deleted object makes its request stale', async () => {
    const id = await tested()
    const approval = await asked('action', id)
    assert.equal((await author.call('DELETE', `/actions/${id}`)).status, 204)
    await refused(409, 'approval-stale', decide(approval, 'approve'))
    assert.equal((await read(approval)).state, 'stale')
    await refused(410, 'gone', ask('action', id))
    const push = await notification()
    const waiting = await asked('notification', push.id)
    assert.equal((await call('DELETE', `/notifications/${push.id}`)).status, 204)
    await refused(409, 'approval-stale', decide(waiting, 'refuse'))
  })

  test('a person deactivated, demoted or removed meanwhile cannot decide', async () => {
    const approval = await asked('action', await tested())
    const changes = [
      (id: string) => sql`update people set active = false where id = ${id}`,
      (id: string) => sql`update memberships set role = 'author' where person = ${id}`,
      (id: string) => sql`delete from memberships where person = ${id}`,
    ]
    for (const change of changes) {
      const one = await colleague(stage, 'sender')
      // Their session is known for a moment more.
      assert.equal((await one.call('GET', `/approvals/${approval}`)).status, 200)
      await change(one.id).execute(context.db)
      const { status, text } = await decide(approval, 'approve', one)
      assert.ok(status === 403 || status === 401, text)
    }
    assert.equal((await read(approval)).state, 'waiting')
  })

  test('an operator who is not a member can decide', async () => {
    const approval = await asked('action', await tested())
    const operator = await colleague(stage, 'sender', { account: other })
    await sql`update people set operator = true where id = ${operator.id}`.execute(context.db)
    const headers = { 'x-account': own.code }
    const url = `/approvals/${approval}/decision`
    const answer = await operator.call('POST', url, { body: { decision: 'approve' }, headers })
    assert.equal(answer.status, 200, answer.text)
    clock.advance(1)
  })
})
