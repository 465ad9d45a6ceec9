import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { decideApproval } from '../../../src/features/approvals/approvals.ts'
import { mailCampaignHeld } from '../../../src/features/approvals/mails.ts'
import { rightsByMemberRole } from '../../../src/lib/account.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import type { Answer } from '../../support/harness.ts'
import { type Colleague, colleague } from '../../support/stages/colleagues.ts'
import { compilableStage, pipeline } from '../../support/stages/pipeline-stage.ts'
import { startStage } from '../../support/stages/stage.ts'

const HOUR = 3_600_000

const sink = await startSink()
const stage = await startStage({ STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}` })
const { action, advance, call, clock, contact, context, gateway, own, settle, state, work } = stage

let author: Colleague
let sender: Colleague
let email: number
let named = 0

after(() => sink.close())

before(async () => {
  author = await colleague(stage, 'author')
  sender = await colleague(stage, 'sender')
  await colleague(stage, 'sender')
  assert.equal((await call('PUT', '/settings/people', { body: { approval: true } })).status, 200)
  ;[{ id: email }] = (await call('GET', '/fields')).body
})

async function refused(status: number, kind: string, answer: Promise<Answer>): Promise<void> {
  const { status: given, body, text } = await answer
  assert.deepEqual([given, body?.type], [status, `urn:stentor:problem:${kind}`], text)
}

const letter = (value: string) => ({ type: 'field', field: email, operator: 'startsWith', value })

async function dynamicSegment(criteria: object, more: object = {}): Promise<number> {
  const body = { type: 'dynamic', name: `Letter ${++named}`, criteria, ...more }
  const answer = await call('POST', '/segments', { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const setCriteria = (segment: number, criteria: object, who: Pick<Colleague, 'call'> = { call }) =>
  who.call('PUT', `/segments/${segment}`, { body: { criteria } })

/** A campaign that begins in an hour, or when it is validated, tested by its author. */
async function tested(segment: number, isPlanned = true): Promise<string> {
  const startDate = new Date(clock.now() + HOUR).toISOString()
  const planned = { type: 'scheduled', startDate, segments: { selected: [segment] } }
  const scheduler = isPlanned ? planned : { type: 'asap', segments: { selected: [segment] } }
  const id = await action({ type: 'mailCampaign', scheduler })
  const body = { fortest: true, mediaForTest: author.email }
  assert.equal((await author.call('POST', `/actions/${id}/validation`, { body })).status, 204)
  await settle()
  assert.equal(await state(id), 38)
  return id
}

async function asked(id: string): Promise<string> {
  const answer = await author.call('POST', '/approvals', { body: { type: 'action', id } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

/** The same, approved; gives its id and that of the approval. */
async function approved(segment: number, isPlanned = true): Promise<{ id: string; approval: string }> {
  const id = await tested(segment, isPlanned)
  const approval = await asked(id)
  const answer = await sender.call('POST', `/approvals/${approval}/decision`, { body: { decision: 'approve' } })
  assert.deepEqual([answer.status, answer.body.outcome], [200, 'done'], answer.text)
  return { id, approval }
}

const outcomeOf = async (approval: string): Promise<string> =>
  (await call('GET', `/approvals/${approval}`)).body.outcome

/** Lets the start of planned campaigns come. */
async function passHour(): Promise<void> {
  clock.advance(HOUR)
  await settle()
}

/** Takes what is to be told of campaigns that did not begin. */
async function undone(): Promise<{ account: number; approval: string }[]> {
  const { rows } = await context.pool.query<{ payload: { account: number; approval: string } }>(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = 'approvals.undone' returning j.payload`,
  )
  return rows.map(({ payload }) => payload)
}

/** A letter with which one new contact begins. */
async function reader(): Promise<string> {
  const start = `r${++named}x`
  await contact(`${start}@shop.example`)
  return start
}

suite('an approved campaign that begins later', () => {
  test('is sent as it was approved, since people cannot change its criteria meanwhile, even indirectly', async () => {
    const start = await reader()
    const inner = await dynamicSegment(letter(start))
    const nested = await dynamicSegment({ type: 'segment', segment: inner })
    const child = await dynamicSegment(letter('r'), { parentId: nested })
    const { id } = await approved(child)
    for (const segment of [inner, nested, child])
      for (const who of [author, sender])
        await refused(403, 'approval-required', setCriteria(segment, letter('z'), who))
    await refused(403, 'approval-required', author.call('PUT', `/segments/${child}`, { body: { parentId: null } }))
    await refused(400, 'invalid-request', setCriteria(child, { type: 'nothing' }, author))
    // What says the same, or says nothing of whom it is sent to, may change.
    const renamed = { name: `Renamed ${++named}`, criteria: letter(start) }
    assert.equal((await author.call('PUT', `/segments/${inner}`, { body: renamed })).status, 200)
    assert.equal((await setCriteria(await dynamicSegment(letter('a')), letter('b'), author)).status, 200)
    const sent = gateway.sent.length
    await passHour()
    assert.deepEqual([await state(id), gateway.sent.length], [60, sent + 1])
    assert.equal((await setCriteria(inner, letter('z'), author)).status, 200)
  })

  test('releases its segments when its validation is withdrawn', async () => {
    const segment = await dynamicSegment(letter(await reader()))
    const { id } = await approved(segment)
    await refused(403, 'approval-required', setCriteria(segment, letter('z'), author))
    assert.equal((await sender.call('DELETE', `/actions/${id}/validation`)).status, 204)
    assert.equal((await setCriteria(segment, letter('z'), author)).status, 200)
  })

  test('does not begin when a key has changed its criteria, and reports that', async () => {
    const start = await reader()
    const inner = await dynamicSegment(letter(start))
    const { id, approval } = await approved(await dynamicSegment({ type: 'segment', segment: inner }))
    assert.equal((await setCriteria(inner, letter('r'))).status, 200)
    const sent = gateway.sent.length
    sink.messages.splice(0)
    await passHour()
    const { lastValidation } = (await stage.get(id)).informations
    assert.deepEqual([await state(id), gateway.sent.length], [20, sent])
    assert.deepEqual(
      [lastValidation.result, lastValidation.errors.map(({ type }: { type: string }) => type)],
      ['failed', ['changed-since-approval']],
    )
    assert.equal(await outcomeOf(approval), 'failed')
    const payloads = await undone()
    assert.deepEqual(payloads, [{ account: own.account, approval }])
    await mailCampaignHeld(context, payloads[0]!, AbortSignal.timeout(10_000))
    const mails = await Promise.all(
      sink.messages.splice(0).map(async ({ to, bytes }) => [to.join(), await simpleParser(bytes)] as const),
    )
    assert.deepEqual(mails.map(([to]) => to).sort(), [author.email, sender.email].sort())
    const { name } = await stage.get(id)
    assert.ok(mails.every(([, { subject }]) => subject === `"${name}" did not start`))
    const [row] = (await call('GET', '/audit?object=action&limit=1')).body
    assert.deepEqual(
      [row.who.type, row.operation, row.object, row.outcome],
      ['system', 'campaign start', { type: 'action', id, name }, row.outcome],
    )
    // Nothing of it begins by itself; approved anew it does.
    await passHour()
    assert.equal(await state(id), 20)
  })

  test('begins when the criteria were changed back, and where no approval was requested', async () => {
    const start = await reader()
    const segment = await dynamicSegment(letter(start))
    const { id } = await approved(segment)
    const other = await dynamicSegment(letter(start))
    const byKey = await tested(other)
    assert.equal((await call('POST', `/actions/${byKey}/validation`, { body: { fortest: false } })).status, 204)
    for (const value of ['z', start]) assert.equal((await setCriteria(segment, letter(value))).status, 200)
    assert.equal((await setCriteria(other, { all: [letter(start), letter('r')] }, author)).status, 200)
    await passHour()
    assert.deepEqual([await state(id), await state(byKey)], [60, 60])
    assert.deepEqual(await undone(), [])
  })

  test('keeps its segments after it has begun, until their contacts are recorded', async () => {
    const segment = await dynamicSegment(letter(await reader()))
    const { id } = await approved(segment, false)
    assert.equal(await state(id), 55)
    assert.equal((await sender.call('POST', `/actions/${id}/pause`)).status, 204)
    await refused(403, 'approval-required', setCriteria(segment, letter('r'), author))
    assert.equal((await sender.call('DELETE', `/actions/${id}/pause`)).status, 204)
    await work()
    assert.equal((await setCriteria(segment, letter('z'), author)).status, 200)
    await settle()
    assert.equal(await state(id), 60)
  })

  test('and a concurrent change of its criteria cannot both succeed', async () => {
    for (let time = 0; time < 4; time++) {
      const segment = await dynamicSegment(letter(await reader()))
      const id = await tested(segment)
      const approval = await asked(id)
      const [decided, changed] = await Promise.all([
        sender.call('POST', `/approvals/${approval}/decision`, { body: { decision: 'approve' } }),
        setCriteria(segment, letter('z'), author),
      ])
      assert.deepEqual([decided.status, changed.status], decided.status === 200 ? [200, 403] : [409, 200])
    }
  })
})

suite('criteria in active use', () => {
  test('cannot be changed by people while a workflow uses them in a node or a pipeline', async () => {
    const [named1, piped] = [await dynamicSegment(letter('w')), await dynamicSegment(letter('w'))]
    const compilable = await compilableStage(stage).made(pipeline({ type: 'segment', segment: piped }, []))
    const body = {
      name: `Flow ${++named}`,
      nodes: [
        // biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is never a function.
        { id: 'is', type: 'match', default: true, settings: { segment: named1, then: 'rows', else: 'end' } },
        {
          id: 'rows',
          type: 'data-manager/pipeline',
          next: 'end',
          settings: { compilable, into: 'rows', failure: { mode: 'fail', retry: { attempts: 0 } } },
        },
        { id: 'end', type: 'terminal' },
      ],
    }
    const made = await call('POST', '/scripting/workflows', { body })
    assert.equal(made.status, 200, made.text)
    const url = `/scripting/workflows/${made.body.id}/activation`
    const setAll = async (value: string, works: (answer: Promise<Answer>) => Promise<unknown>, who?: Colleague) => {
      for (const segment of [named1, piped]) await works(setCriteria(segment, letter(value), who))
    }
    const succeeds = async (answer: Promise<Answer>) => assert.equal((await answer).status, 200)
    await setAll('v', succeeds, author)
    const activated = await call('POST', url)
    assert.equal(activated.status, 204, activated.text)
    await setAll('w', (answer) => refused(403, 'approval-required', answer), author)
    await setAll('u', succeeds)
    assert.equal((await sender.call('DELETE', url)).status, 204)
    await setAll('w', succeeds, author)
  })
})

test('compilation fails when the content is not the approved content', async () => {
  const segment = await dynamicSegment(letter(await reader()))
  const id = await tested(segment, false)
  const approval = await asked(id)
  // The process ends between the decision and the compilation.
  const compile = () => Promise.reject(new Error('the process ends here'))
  const by = { actor: { type: 'person' as const, id: sender.id, name: sender.name }, rights: rightsByMemberRole.sender }
  const dying = { ...context, renders: { ...context.renders, compile } }
  const key = { account: own.account, id: approval }
  await decideApproval(dying, key, { decision: 'approve' }, by)
  assert.deepEqual([await state(id), await outcomeOf(approval)], [40, 'running'])
  assert.equal((await call('PUT', '/settings/sending', { body: { honeypotLink: true } })).status, 200)
  const sent = gateway.sent.length
  clock.advance(11_000)
  await advance()
  const { lastValidation } = (await stage.get(id)).informations
  assert.deepEqual([await state(id), await outcomeOf(approval), gateway.sent.length], [20, 'failed', sent])
  assert.deepEqual(
    lastValidation.errors.map(({ type }: { type: string }) => type),
    ['changed-since-approval'],
  )
  await call('PUT', '/settings/sending', { body: { honeypotLink: false } })
  // Unchanged it is completed.
  const later = await tested(segment, false)
  const waiting = await asked(later)
  await decideApproval(dying, { ...key, id: waiting }, { decision: 'approve' }, by)
  clock.advance(11_000)
  await advance()
  assert.deepEqual([await state(later), await outcomeOf(waiting)], [55, 'done'])
})
