import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { withAdvisoryLock } from '../../../src/database/locks/advisory-lock.ts'
import { requeueActionTests } from '../../../src/features/actions/validation/test-run.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import type { Answer } from '../../support/harness.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const {
  call,
  clock,
  context,
  gateway,
  action,
  contact,
  get,
  put,
  segment,
  settle,
  state,
  validated,
  work,
  advance,
  sendDue,
} = stage

const TEST_MS = 30 * 60_000
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function validate(id: string, body?: object) {
  return call('POST', `/actions/${id}/validation`, body && { body })
}

/** Asks for a test with one proof to an address, and goes no further. */
async function asked(id: string, more: object = {}): Promise<string> {
  const answer = await validate(id, { fortest: true, mediaForTest: 'proof@desk.example', ...more })
  assert.equal(answer.status, 204, answer.text)
  return id
}

async function lastValidation(id: string) {
  return (await get(id)).informations.lastValidation
}

async function events(path: string) {
  return (await call('GET', path)).body
}

suite('operations by state', () => {
  /** actions.md 3, the table state x operation, as it stands there: answers, or `answer -> state`. */
  const columns = [
    '10',
    '20',
    '30',
    '35',
    '36',
    '38',
    '40',
    '50 message',
    '50 campaign',
    '55',
    'paused',
    '60',
    'deleted',
  ] as const
  const rows: [string, string][] = [
    ['GET', '200 200 200 200 200 200 200 200 200 200 200 200 404'],
    ['PUT', '200->20 200->20 409 409 409 200->20 409 200->20 200->20 409 409 409 404'],
    ['DELETE', '204 204 204 204 204 204 409 204 204 409 204 204 404'],
    ['duplication', '200 200 200 200 200 200 200 200 200 200 200 200 410'],
    ['test', '409 204->30 409 409 409 409 409 409 409 409 409 409 410'],
    ['validation', '409 409 409 409 409 204->50 409 409 409 409 409 409 410'],
    ['un-validation', '409 409 409 409 409 204->20 409 204->20 204->20 409 409 409 410'],
    ['render', '200 200 200 200 200 200 200 200 200 200 200 200 404'],
    ['renders', '200 200 200 200 200 200 200 200 200 200 200 200 404'],
    ['execution', '409 409 409 409 409 409 409 200 409 409 409 409 404'],
    ['executions', '409 409 409 409 409 409 409 200 409 409 409 409 404'],
    ['pause', '409 409 409 409 409 409 409 409 409 204 409 409 404'],
    ['resume', '409 409 409 409 409 409 409 409 409 409 204 409 404'],
  ]
  const item = { recipient: { type: 'unicity', value: ['matrix@shop.example'] } }
  const requests: Record<string, [string, string, unknown?]> = {
    GET: ['GET', ''],
    PUT: ['PUT', '', {}],
    DELETE: ['DELETE', ''],
    duplication: ['POST', '/duplication'],
    test: ['POST', '/validation', { fortest: true, mediaForTest: 'proof@desk.example' }],
    validation: ['POST', '/validation', {}],
    'un-validation': ['DELETE', '/validation', {}],
    render: ['POST', '/render', {}],
    renders: ['POST', '/renders', [{}]],
    execution: ['POST', '/execution', item],
    executions: ['POST', '/executions', [item]],
    pause: ['POST', '/pause'],
    resume: ['DELETE', '/pause'],
  }

  async function standing(column: string, operation: string): Promise<string> {
    const isCampaign = ['50 campaign', '55', 'paused'].includes(column)
    const id = await action({ type: isCampaign ? 'mailCampaign' : 'mailMessage' })
    if (column === 'deleted') {
      await call('DELETE', `/actions/${id}`)
      return id
    }
    if (column === '50 message' && operation.startsWith('execution')) return validated(id)
    await put(id, { state: column === 'paused' ? 55 : Number.parseInt(column, 10), paused: column === 'paused' })
    return id
  }

  for (const [operation, answers] of rows) {
    test(`${operation} returns the documented status in every state`, async () => {
      if (operation.startsWith('execution')) await call('PUT', '/targets', { body: { Email: 'matrix@shop.example' } })
      const cells = answers.split(' ')
      for (const [index, column] of columns.entries()) {
        const id = await standing(column, operation)
        const before = column === 'deleted' ? undefined : await get(id)
        const [status, next] = cells[index]!.split('->').map(Number)
        const [method, path, body] = requests[operation]!
        const answer = await call(method, `/actions/${id}${path}`, { body })
        assert.equal(answer.status, status, `${operation} in ${column}: ${answer.text}`)
        if (answer.status === 409 && operation !== 'render')
          assert.equal(answer.body.type, 'urn:stentor:problem:action-state')
        if (answer.status === 409 && column === '40' && operation.startsWith('execution'))
          assert.equal(answer.headers['retry-after'], '1')
        if (next !== undefined) assert.equal(await state(id), next, `${operation} in ${column}`)
        else if (before && operation !== 'DELETE' && !['pause', 'resume'].includes(operation)) {
          assert.equal(await state(id), before.state)
        }
        if (answer.status === 409) assert.deepEqual(await get(id), before)
      }
    })
  }

  test('a change that leaves an action incomplete moves it to state 10 instead of 20', async () => {
    for (const from of [10, 20, 38, 50]) {
      const id = await action()
      await put(id, { state: from })
      assert.equal(
        (await call('PUT', `/actions/${id}`, { body: { content: { html: ' ' } } })).body.state,
        10,
        String(from),
      )
    }
  })

  test('exactly one of two concurrent requests for the same transition succeeds', async () => {
    const id = await action()
    const tests = await Promise.all(
      [1, 2, 3].map(() => validate(id, { fortest: true, mediaForTest: 'proof@desk.example' })),
    )
    assert.deepEqual(tests.map(({ status }) => status).sort(), [204, 409, 409])
    await settle()
    const productions = await Promise.all([1, 2, 3].map(() => validate(id)))
    assert.deepEqual(productions.map(({ status }) => status).sort(), [204, 409, 409])
    const undone = await Promise.all([1, 2].map(() => call('DELETE', `/actions/${id}/validation`)))
    assert.deepEqual(undone.map(({ status }) => status).sort(), [204, 409])
  })

  test('a changed action returns to 20 and answers executions with 409, and cannot be changed in 36', async () => {
    await contact('changed@shop.example')
    const id = await validated(await action())
    assert.equal((await call('PUT', `/actions/${id}`, { body: { name: 'Changed' } })).body.state, 20)
    const item = { recipient: { type: 'unicity', value: ['changed@shop.example'] } }
    assert.equal((await call('POST', `/actions/${id}/execution`, { body: item })).status, 409)
    await asked(id)
    await work()
    const sending = await get(id)
    assert.equal(sending.state, 36)
    assert.equal((await call('PUT', `/actions/${id}`, { body: { name: 'Again' } })).status, 409)
    assert.deepEqual(await get(id), sending)
    await settle()
  })

  test('an action of another account is 404, and a key without the send right is 403', async () => {
    const id = await action()
    const body = { fortest: true, mediaForTest: 'proof@desk.example' }
    const writer = await stage.makeKey(stage.own.account, ['read', 'write'])
    for (const [method, path] of [
      ['POST', 'validation'],
      ['DELETE', 'validation'],
    ] as const) {
      const as = async (key: string) => (await call(method, `/actions/${id}/${path}`, { body, key })).status
      assert.deepEqual([await as(stage.other.key), await as(writer)], [404, 403])
    }
    assert.equal(await state(id), 20)
  })
})

suite('tests of an action', () => {
  test('sends a proof to each test contact not excluded and ends in 38, and an opened proof is no reactivity', async () => {
    const [ann, ben, red] = [
      await contact('ann@test.example'),
      await contact('ben@test.example'),
      await contact('red@test.example'),
    ]
    assert.equal((await call('POST', `/targets/${red}/redlist/mail`, { body: {} })).status, 204)
    const testers = await segment([ann, ben, red], { isTest: true })
    const id = await action()
    clock.set('2026-08-01T10:00:00Z')
    assert.equal((await validate(id, { fortest: true, testSegments: [testers], comments: 'final check' })).status, 204)
    assert.equal(await state(id), 30)
    assert.equal((await call('DELETE', `/segments/${testers}`)).status, 409)
    await settle()
    const { state: reached, informations } = await get(id)
    assert.equal(reached, 38)
    assert.deepEqual(informations.lastValidation, {
      phase: 'test',
      result: 'passed',
      startedAt: '2026-08-01T10:00:00.000Z',
      endedAt: '2026-08-01T10:00:00.000Z',
      recipients: 3,
      sent: 2,
      refused: 0,
      comments: 'final check',
      errors: [
        {
          type: 'cancelled',
          message: `${red}: no proof was sent; see the reason of its cancellation.`,
          part: null,
          position: null,
        },
      ],
      findings: [],
    })
    for (const address of ['ann@test.example', 'ben@test.example']) {
      const [proof, ...more] = gateway.to(address)
      assert.equal(more.length, 0)
      assert.match(String(proof?.bytes), /^Subject: \[TEST\] Hello\r$/m)
    }
    assert.equal(gateway.to('red@test.example').length, 0)
    const { html } = await simpleParser(gateway.to('ann@test.example')[0]!.bytes)
    const [, pixel = ''] = /src="https:\/\/stentor\.example(\/t\/o\/[^"]+)"/.exec(String(html)) ?? []
    clock.advance(60_000)
    assert.equal((await stage.app.inject({ url: pixel, headers: { 'user-agent': BROWSER } })).statusCode, 200)
    clock.advance(60_000)
    await finalizeHits(context.db)
    const hits = await events(`/actions/${id}/events/hits/open?classification=all`)
    assert.deepEqual(
      hits.map((hit: Answer['body']) => hit.source.detail.activation.kind),
      ['test'],
    )
    assert.deepEqual(await events(`/actions/${id}/reactivities`), [])
    assert.equal((await call('DELETE', `/segments/${testers}`)).status, 204)
  })

  test('an unknown, expired or non-test segment is refused, and the state stays 20', async () => {
    const member = await contact('member@test.example')
    const plain = await segment([member])
    const expired = await segment([member], { isTest: true, expiration: '2020-01-01' })
    const id = await action()
    for (const [testSegments, status, type] of [
      [[plain], 409, 'segment-not-test'],
      [[expired], 409, 'segment-expired'],
      [[999999], 404, 'not-found'],
    ] as const) {
      const answer = await validate(id, { fortest: true, testSegments })
      assert.deepEqual([answer.status, answer.body.type], [status, `urn:stentor:problem:${type}`])
      assert.equal(await state(id), 20)
    }
  })

  test('accepts 200 contacts and refuses 201', async () => {
    const testers = await segment([], { isTest: true })
    const id = await action()
    await sql`
      with made as (
        insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
        select ${stage.own.account}, jsonb_build_object('1', 'crowd' || n || '@test.example'), 'crowd' || n, 'crowd' || n,
          decode(md5('crowd' || n), 'hex'), now(), now() from generate_series(1, 201) n returning id)
      insert into segment_members (account, segment, contact) select ${stage.own.account}, ${testers}, id from made`.execute(
      context.db,
    )
    const crowded = await validate(id, { fortest: true, testSegments: [testers] })
    assert.deepEqual([crowded.status, crowded.body.type], [409, 'urn:stentor:problem:test-too-large'])
    await sql`delete from segment_members where segment = ${testers} and contact = (select max(contact) from segment_members where segment = ${testers})`.execute(
      context.db,
    )
    assert.equal((await validate(id, { fortest: true, testSegments: [testers] })).status, 204)
    await settle()
    assert.equal((await lastValidation(id)).sent, 200)
  })

  test('refuses a body without recipients or with faults', async () => {
    const id = await action()
    for (const [body, pointer] of [
      [{ fortest: true }, '/testSegments'],
      [{ fortest: true, testSegments: [] }, '/testSegments'],
      [{ fortest: true, mediaForTest: 'nobody' }, '/mediaForTest'],
      [{ fortest: 'yes' }, '/fortest'],
      [{ fortest: true, testSegments: ['1'] }, '/testSegments/0'],
      [{ fortest: true, mediaForTest: 'a@desk.example', variables: [{ value: 1 }] }, '/variables/0/key'],
    ] as const) {
      const answer = await validate(id, body)
      assert.deepEqual([answer.status, answer.body.errors?.[0].pointer], [400, pointer])
    }
    assert.equal(await state(id), 20)
  })

  test('an incomplete action names what it lacks, and one in 10 for another reason names its state', async () => {
    const id = await action({ content: { html: 'x' } })
    assert.equal(await state(id), 10)
    for (const body of [{ fortest: true, mediaForTest: 'proof@desk.example' }, {}]) {
      const answer = await validate(id, body)
      assert.deepEqual([answer.status, answer.body.type], [409, 'urn:stentor:problem:action-incomplete'])
      assert.match(answer.body.detail, /content\.subject/)
    }
    await call('PUT', `/actions/${id}`, { body: { content: { subject: 'Hi' } } })
    await put(id, { state: 10 })
    assert.equal((await validate(id, {})).body.type, 'urn:stentor:problem:action-state')
  })

  test('an address alone gets one proof of an empty contact, and with segments it gets all proofs', async () => {
    const id = await action({ content: { subject: 'Dear {{ contact.Email }}', html: '<p>x</p>' } })
    await asked(id, { mediaForTest: 'alone@desk.example' })
    await settle()
    assert.match(String(gateway.to('alone@desk.example')[0]?.bytes), /^Subject: \[TEST\] Dear\r$/m)
    const members = [await contact('one@test.example'), await contact('two@test.example')]
    const other = await action()
    await asked(other, { mediaForTest: 'all@desk.example', testSegments: [await segment(members, { isTest: true })] })
    await settle()
    assert.deepEqual([gateway.to('all@desk.example').length, gateway.to('one@test.example').length], [2, 0])
  })

  test('textandHtml sends one HTML proof and one text proof', async () => {
    const id = await action()
    await asked(id, { mediaForTest: 'both@desk.example', textandHtml: true })
    await settle()
    const types = gateway
      .to('both@desk.example')
      .map(({ bytes }) => /^Content-Type: ([\w/]+)/m.exec(String(bytes))?.[1])
    assert.deepEqual(types.sort(), ['text/html', 'text/plain'])
    assert.equal((await lastValidation(id)).recipients, 2)
  })

  test('variables are available in the proofs', async () => {
    const id = await action({ content: { subject: 'In {{ season }}', html: '<p>{{ variables.season }}</p>' } })
    await asked(id, {
      mediaForTest: 'season@desk.example',
      variables: [
        { key: 'season', value: 'winter' },
        { key: 'season', value: 'spring' },
      ],
    })
    await settle()
    const [proof] = gateway.to('season@desk.example')
    assert.match(String(proof?.bytes), /^Subject: \[TEST\] In spring\r$/m)
    assert.match(String(proof?.bytes), /<p>spring<\/p>/)
  })

  test('an unknown field ends the test in 10 with part, line and column, and a PUT returns it to 20', async () => {
    const id = await action({ content: { subject: 'Hi', html: '<p>\n  {{ contact.Nofield }}</p>' } })
    await asked(id)
    await settle()
    assert.equal(await state(id), 10)
    const { result, errors, sent } = await lastValidation(id)
    assert.deepEqual([result, sent, errors.length], ['repair', 0, 1])
    assert.deepEqual(
      [errors[0].type, errors[0].part, errors[0].position],
      ['unknown-field', 'html', { line: 2, column: 6 }],
    )
    assert.equal((await call('PUT', `/actions/${id}`, { body: {} })).body.state, 20)
  })

  test('a template that exceeds a limit while rendering ends in 10', async () => {
    const id = await action({ content: { subject: 'Hi', html: '{% for i in (1..100000000) %}x{% endfor %}' } })
    await asked(id)
    await settle()
    assert.equal(await state(id), 10)
    assert.equal((await lastValidation(id)).errors[0].type, 'limit')
  })

  test('an empty test segment ends the test in 20', async () => {
    const id = await action()
    assert.equal(
      (await validate(id, { fortest: true, testSegments: [await segment([], { isTest: true })] })).status,
      204,
    )
    await settle()
    const { result, errors } = await lastValidation(id)
    assert.deepEqual([await state(id), result, errors[0].type], [20, 'failed', 'no-recipient'])
  })

  test('a gateway that refuses every proof ends the test in 20 as failed', async () => {
    gateway.plan('refused@desk.example', { result: 'refused' })
    const id = await action()
    await asked(id, { mediaForTest: 'refused@desk.example' })
    await settle()
    const { result, refused, sent, errors } = await lastValidation(id)
    assert.deepEqual([await state(id), result, refused, sent, errors[0].type], [20, 'failed', 1, 0, 'refused'])
  })

  test('the test passes if one proof is accepted, and the others are listed', async () => {
    const [good, bad] = [await contact('good@test.example'), await contact('bad@test.example')]
    gateway.plan('bad@test.example', { result: 'refused' })
    const id = await action()
    await validate(id, { fortest: true, testSegments: [await segment([good, bad], { isTest: true })] })
    await settle()
    const { result, refused, sent, errors } = await lastValidation(id)
    assert.deepEqual([await state(id), result, refused, sent], [38, 'passed', 1, 1])
    assert.deepEqual(errors, [
      { type: 'refused', message: `${bad}: the gateway refused the proof.`, part: null, position: null },
    ])
  })

  test('an unverified domain is a finding, or an error where the account refuses it', async () => {
    const content = {
      subject: 'Hi',
      html: '<p>x</p>',
      headers: { from: { prefix: 'shop', domain: 'elsewhere.example' } },
    }
    const id = await action({ content })
    await asked(id, { mediaForTest: 'substituted@desk.example' })
    await settle()
    assert.equal((await lastValidation(id)).findings[0].type, 'domain-substituted')
    const [proof] = gateway.to('substituted@desk.example')
    assert.match(String(proof?.bytes), /^From: shop@stentor\.example\r$/m)
    assert.match(String(proof?.bytes), /^Reply-To: shop@elsewhere\.example\r$/m)
    await call('PUT', '/settings/sending', { body: { unverifiedDomain: 'refuse' } })
    const refused = await asked(await action({ content }))
    await settle()
    await call('PUT', '/settings/sending', { body: { unverifiedDomain: 'substitute' } })
    assert.deepEqual([await state(refused), (await lastValidation(refused)).errors[0].type], [10, 'sender'])
  })

  test('the test ends in 20 as failed if every contact is excluded, with an error for each', async () => {
    const red = await contact('allred@test.example')
    await call('POST', `/targets/${red}/redlist/mail`, { body: {} })
    const empty = (await call('POST', '/targets', { body: { Email: 'gone@test.example' } })).body.id
    await sql`update contacts set fields = '{}' where id = ${parseContactId(empty)}`.execute(context.db)
    const id = await action()
    await validate(id, { fortest: true, testSegments: [await segment([red, empty], { isTest: true })] })
    await settle()
    const { result, recipients, sent, errors } = await lastValidation(id)
    assert.deepEqual([await state(id), result, recipients, sent], [20, 'failed', 2, 0])
    assert.deepEqual(
      errors.map(({ message }: { message: string }) => message.slice(0, 8)),
      [red, empty],
    )
  })

  test('contacts whose values cause an error are left out, and with no proof left the test ends in 20', async () => {
    const [good, bad] = [await contact('fine@test.example'), await contact('odd@test.example')]
    const text = '{% if contact.Email contains "odd" %}{{ contact.Email | tracked: "site" }}{% endif %}.'
    const content = { subject: 'Hi', html: '<p>x</p>', text }
    const run = async (contacts: string[]) => {
      const id = await action({ content })
      await validate(id, { fortest: true, testSegments: [await segment(contacts, { isTest: true })] })
      await settle()
      const { result, recipients, sent, errors } = await lastValidation(id)
      const message = `${bad}: "tracked" requires an http or https address, not "odd@test.example".`
      assert.deepEqual(errors, [{ type: 'unsafe-link', message, part: 'text', position: { line: 1, column: 38 } }])
      return [await state(id), result, recipients, sent]
    }
    assert.deepEqual(await run([good, bad]), [38, 'passed', 1, 1])
    assert.deepEqual(await run([bad]), [20, 'failed', 0, 0])
  })

  test('a template with thousands of errors reports 100', async () => {
    const id = await asked(await action({ content: { subject: 'Hi', html: '{{ contact.No }}\n'.repeat(2000) } }))
    await settle()
    const { result, errors } = await lastValidation(id)
    assert.deepEqual([await state(id), result, errors.length], [10, 'repair', 100])
    assert.deepEqual(errors[99].position, { line: 100, column: 4 })
  })

  test('waits for a deferred proof, and ends after 30 minutes with the results so far', async () => {
    const [quick, slow] = [await contact('quick@test.example'), await contact('slow@test.example')]
    gateway.plan('slow@test.example', { result: 'deferred' })
    const id = await action()
    await validate(id, { fortest: true, testSegments: [await segment([quick, slow], { isTest: true })] })
    await settle()
    assert.equal(await state(id), 36)
    assert.equal((await lastValidation(id)).result, 'running')
    clock.advance(TEST_MS - 1)
    await advance()
    assert.equal(await state(id), 36)
    clock.advance(1)
    await advance()
    const { sent, errors } = await lastValidation(id)
    assert.deepEqual([await state(id), sent], [38, 1])
    const message = `${slow}: no gateway accepted the proof in time; the last answer was 451 4.3.0.`
    assert.deepEqual(errors, [{ type: 'unsent', message, part: null, position: null }])
  })

  test('ends as failed after 30 minutes without a reachable gateway, with an error for each proof', async () => {
    gateway.down = 'connection refused'
    const id = await asked(await action(), { mediaForTest: 'unreachable@desk.example' })
    await settle()
    clock.advance(TEST_MS)
    await advance()
    gateway.down = undefined
    const { result, errors } = await lastValidation(id)
    const message = 'the address of the test: no gateway accepted the proof in time.'
    assert.deepEqual([await state(id), result], [20, 'failed'])
    assert.deepEqual(errors, [{ type: 'unsent', message, part: null, position: null }])
  })

  test('a proof sent without an answer is listed as held', async () => {
    gateway.plan('doubt@desk.example', { result: 'doubtful' })
    const id = await asked(await action(), { mediaForTest: 'doubt@desk.example' })
    await settle()
    const { result, errors } = await lastValidation(id)
    assert.deepEqual([await state(id), result, errors[0].type], [20, 'failed', 'held'])
  })

  test('is prepared again within seconds if its process died, and not while another prepares it', async () => {
    const id = await asked(await action(), { mediaForTest: 'again@desk.example' })
    const number = parseActionId(id)!
    const jobs = async (locked: boolean) => {
      const { rows } = await context.pool.query(
        `select id from graphile_worker._private_jobs where payload ->> 'action' = $1::text and (locked_by is not null) = $2`,
        [String(number), locked],
      )
      return rows.length
    }
    await context.pool.query(
      "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead', attempts = 1 where payload ->> 'action' = $1::text",
      [String(number)],
    )
    assert.deepEqual([await jobs(true), await jobs(false)], [1, 0])
    await put(id, { state: 35 })
    await requeueActionTests(context.db)
    await requeueActionTests(context.db)
    assert.equal(await jobs(false), 1)
    const { rows } = await context.pool.query('select attempt from actions where id = $1', [number])
    await withAdvisoryLock(context.pool, `actions.test ${number} ${rows[0].attempt}`, async () => {
      await work()
      assert.equal(await state(id), 35)
    })
    await settle()
    assert.deepEqual([await state(id), gateway.to('again@desk.example').length], [38, 1])
    await requeueActionTests(context.db)
    assert.equal(await jobs(false), 1)
  })

  test('a test that no process prepares ends as failed after 30 minutes', async () => {
    const id = await asked(await action())
    clock.advance(TEST_MS)
    await advance()
    const { result, errors } = await lastValidation(id)
    assert.deepEqual([await state(id), result, errors[0].type], [20, 'failed', 'unsent'])
    await work()
    assert.equal(await state(id), 20)
  })

  test('stops when the action is deleted', async () => {
    const member = await contact('stopped@test.example')
    const id = await action()
    await validate(id, { fortest: true, testSegments: [await segment([member], { isTest: true })] })
    await work()
    assert.equal(await state(id), 36)
    assert.equal((await call('DELETE', `/actions/${id}`)).status, 204)
    await sendDue()
    assert.equal(gateway.to('stopped@test.example').length, 0)
    const { last_validation } = await context.db
      .selectFrom('actions')
      .select('last_validation')
      .where('id', '=', parseActionId(id)!)
      .executeTakeFirstOrThrow()
    assert.equal((last_validation as { result: string }).result, 'stopped')
  })
})

suite('requests that wait for a test', () => {
  /** Asks without the harness's wish not to wait; gives the status, the problem and the state that the answer found. */
  async function askAndWait(id: string, body: object, prefer = '') {
    const { status, body: problem } = await call('POST', `/actions/${id}/validation`, { body, headers: { prefer } })
    return { status, problem, state: await state(id) }
  }
  const proof = { fortest: true, mediaForTest: 'proof@desk.example' }

  async function until(id: string, wanted: number): Promise<void> {
    await eventually(async () => (await state(id)) === wanted)
  }

  test('a test, a validation and a send in a row are answered as each ends', async () => {
    await contact('row@shop.example')
    const id = await action()
    const tested = askAndWait(id, proof)
    await until(id, 30)
    const production = askAndWait(id, { fortest: false })
    await settle()
    assert.deepEqual(await production, { status: 204, problem: undefined, state: 50 })
    assert.equal((await tested).status, 204)
    const item = { recipient: { type: 'unicity', value: ['row@shop.example'] } }
    assert.equal((await call('POST', `/actions/${id}/execution`, { body: item })).body.type, 'success')
  })

  test('a test request is answered when the test ends, whatever the result', async () => {
    gateway.plan('refusedwait@desk.example', { result: 'refused' })
    const ends: [object, object, number][] = [
      [{}, { mediaForTest: 'proof@desk.example' }, 38],
      [{}, { mediaForTest: 'refusedwait@desk.example' }, 20],
      [{ content: { subject: 'Hi', html: '{{ contact.Nofield }}' } }, { mediaForTest: 'proof@desk.example' }, 10],
    ]
    for (const [document, media, end] of ends) {
      const id = await action(document)
      const tested = askAndWait(id, { fortest: true, ...media })
      await until(id, 30)
      await settle()
      assert.deepEqual(await tested, { status: 204, problem: undefined, state: end })
    }
  })

  test('a test that fails meanwhile refuses the validation with its state, even where none is required', async () => {
    gateway.plan('refusedwait@desk.example', { result: 'refused' })
    for (const testRequired of [true, false]) {
      await call('PUT', '/settings/sending', { body: { testRequired } })
      const id = await asked(await action(), { mediaForTest: 'refusedwait@desk.example' })
      const production = askAndWait(id, { fortest: false })
      // The first look at the test comes before its end.
      await context.db.selectFrom('actions').select('id').execute()
      await settle()
      const { status, problem, state: reached } = await production
      await call('PUT', '/settings/sending', { body: { testRequired: true } })
      assert.deepEqual([status, problem.type, reached], [409, 'urn:stentor:problem:action-state', 20])
      assert.match(problem.detail, /is in state 20; it can be validated for production in state 38/)
    }
  })

  test('waits no longer than the client prefers, and then answers by the current state', async () => {
    const id = await action()
    assert.deepEqual(await askAndWait(id, proof, 'wait=0'), { status: 204, problem: undefined, state: 30 })
    const { status, problem, state: reached } = await askAndWait(id, { fortest: false }, 'wait=1')
    assert.deepEqual([status, problem.type, reached], [409, 'urn:stentor:problem:action-state', 30])
    assert.match(problem.detail, /is in state 30 to 36/)
  })

  /** Sessions of the database whose last statement is the one by which a request waits for a test. */
  const looking = `select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%state in (30, 35, 36)%'`

  test('a client that disconnects while waiting validates nothing', async () => {
    const url = await stage.app.listen({ host: '127.0.0.1', port: 0 })
    const id = await asked(await action())
    const leaving = new AbortController()
    const headers = { 'x-key': stage.own.key, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: '{}', signal: leaving.signal }
    const arrived = once(stage.app.server, 'request')
    const answer = fetch(`${url}/actions/${id}/validation`, request)
    const [{ socket }] = await arrived
    const gone = once(socket, 'close')
    await eventually(async () => (await context.pool.query(looking)).rowCount !== 0)
    leaving.abort()
    await assert.rejects(answer, { name: 'AbortError' })
    await gone
    await settle()
    assert.equal(await state(id), 38)
    // A request still waiting would have looked again by then.
    const other = await action()
    const tested = askAndWait(other, proof)
    await until(other, 30)
    await settle()
    assert.equal((await tested).state, 38)
    assert.equal(await state(id), 38)
  })

  test('a validation of an action deleted meanwhile is 410', async () => {
    const id = await asked(await action())
    const production = call('POST', `/actions/${id}/validation`, { body: {}, headers: { prefer: '' } })
    assert.equal((await call('DELETE', `/actions/${id}`)).status, 204)
    assert.equal((await production).status, 410)
  })
})

suite('validation', () => {
  test('requires a test unless the account does not require one', async () => {
    const id = await action()
    assert.equal((await validate(id, { fortest: false })).status, 409)
    await call('PUT', '/settings/sending', { body: { testRequired: false } })
    const answer = await validate(id, { fortest: null, testSegments: [999999], mediaForTest: 'nobody', comments: 'go' })
    await call('PUT', '/settings/sending', { body: { testRequired: true } })
    assert.deepEqual([answer.status, await state(id)], [204, 50])
    assert.equal((await lastValidation(id)).comments, 'go')
  })

  test('an execution sent right after validation is accepted', async () => {
    await contact('after@shop.example')
    const id = await validated(await action())
    assert.equal(await state(id), 50)
    const item = { recipient: { type: 'unicity', value: ['after@shop.example'] } }
    const answer = await call('POST', `/actions/${id}/execution`, { body: item })
    assert.deepEqual([answer.status, answer.body.type], [200, 'success'])
    const { phase, result, endedAt } = await lastValidation(id)
    assert.deepEqual([phase, result, endedAt === null], ['production', 'passed', false])
  })

  test('can be undone once, and is 410 for a deleted action', async () => {
    const id = await validated(await action())
    assert.equal((await call('DELETE', `/actions/${id}/validation`, { body: {} })).status, 204)
    assert.equal(await state(id), 20)
    assert.equal((await call('DELETE', `/actions/${id}/validation`)).status, 409)
    await call('DELETE', `/actions/${id}`)
    assert.equal((await call('DELETE', `/actions/${id}/validation`)).status, 410)
    assert.equal((await validate(id)).status, 410)
  })

  test('content that cannot be compiled returns the action to 20 as failed', async () => {
    const id = await action({ content: { subject: '{% if %}', html: '<p>x</p>' } })
    await put(id, { state: 38 })
    assert.equal((await validate(id)).status, 204)
    const { result, errors } = await lastValidation(id)
    assert.deepEqual([await state(id), result, errors[0].part], [20, 'failed', 'subject'])
  })

  test('the periodic task completes a validation abandoned by its request', async () => {
    const id = await action()
    await put(id, { state: 38 })
    await validate(id)
    await put(id, { state: 40 })
    clock.advance(10_000)
    await advance()
    assert.equal(await state(id), 50)
  })

  test("consent requires the account's opt-in field", async () => {
    const id = await action({ settings: { consent: 1 } })
    await put(id, { state: 38 })
    const answer = await validate(id)
    assert.deepEqual(
      [answer.status, answer.body.type, await state(id)],
      [409, 'urn:stentor:problem:consent-field-missing', 38],
    )
    await call('PUT', '/settings/sending', { body: { optInField: 1 } })
    assert.equal((await validate(id)).status, 204)
  })
})

suite('validation of campaigns', () => {
  async function tested(scheduler: object): Promise<string> {
    const id = await action({ type: 'mailCampaign', scheduler })
    await put(id, { state: 38 })
    return id
  }

  test('refuses a campaign that cannot start, such as one with an expired segment, and the state stays 38', async () => {
    clock.set('2026-09-01T12:00:00Z')
    const selected = [await segment([])]
    const expired = [await segment([], { expiration: '2026-08-31T00:00:00Z' })]
    const cases: [object, string][] = [
      [{}, 'segment-missing'],
      [{ segments: { selected: expired } }, 'segment-expired'],
      [{ type: 'scheduled', segments: { selected } }, 'start-missing'],
      [{ type: 'scheduled', startDate: '2026-09-01T11:59:59Z', segments: { selected } }, 'start-past'],
      [{ type: 'timeZoneSchedule', segments: { selected } }, 'start-missing'],
      [{ type: 'timeZoneSchedule', startDate: '2026-08-31T23:59:00', segments: { selected } }, 'start-past'],
      [{ endDate: '2026-09-01T12:00:00Z', segments: { selected } }, 'end-past'],
    ]
    for (const [scheduler, kind] of cases) {
      const id = await tested(scheduler)
      const answer = await validate(id)
      assert.deepEqual(
        [answer.status, answer.body.type],
        [409, `urn:stentor:problem:${kind}`],
        JSON.stringify(scheduler),
      )
      assert.equal(await state(id), 38)
    }
  })

  test('a zoned start can have passed in some zones but not in all', async () => {
    clock.set('2026-09-01T12:00:00Z')
    const { body: zone } = await call('POST', '/fields', { body: { type: 'textField', name: 'Zone' } })
    const scheduler = { type: 'timeZoneSchedule', timeZoneField: zone.id, segments: { selected: [await segment([])] } }
    const past = await tested({ ...scheduler, startDate: '2026-08-31T23:59:00' })
    assert.equal((await validate(past)).status, 409)
    const late = await tested({ ...scheduler, startDate: '2026-09-01T01:00:00' })
    assert.equal((await validate(late)).status, 204)
    assert.equal(await state(late), 55)
  })

  test('an asap campaign starts on validation', async () => {
    clock.set('2026-09-02T12:00:00Z')
    const id = await tested({ segments: { selected: [await segment([await contact('asap@shop.example')])] } })
    assert.equal((await validate(id)).status, 204)
    const begun = await get(id)
    assert.deepEqual([begun.state, begun.scheduler.startDate], [55, '2026-09-02T12:00:00.000Z'])
    assert.deepEqual(begun.monitor.started, { at: '2026-09-02T12:00:00.000Z' })
    await settle()
    const { state: reached, monitor } = await get(id)
    assert.equal(reached, 60)
    assert.deepEqual(monitor, {
      recipients: 1,
      sent: 1,
      cancelled: 0,
      refused: 0,
      held: 0,
      pending: 0,
      postponed: 0,
      deferred: 0,
      started: { at: '2026-09-02T12:00:00.000Z' },
      lastSent: { at: '2026-09-02T12:00:00.000Z' },
    })
    assert.equal(gateway.to('asap@shop.example').length, 1)
  })

  test('reports the number of deferred messages among the pending ones', async () => {
    clock.set('2026-09-02T14:00:00Z')
    gateway.plan('busy@shop.example', { result: 'deferred' }, { result: 'accepted' })
    const people = [await contact('busy@shop.example'), await contact('quickly@shop.example')]
    const id = await tested({ segments: { selected: [await segment(people)] } })
    await validate(id)
    await settle()
    const counts = async () => {
      const { recipients, sent, pending, postponed, deferred } = (await get(id)).monitor
      return { recipients, sent, pending, postponed, deferred }
    }
    assert.deepEqual(await counts(), { recipients: 2, sent: 1, pending: 1, postponed: 0, deferred: 1 })
    const listed = (await call('GET', '/actions')).body.find((one: { id: string }) => one.id === id)
    assert.equal(listed.monitor.deferred, 1)
    clock.advance(3_600_000)
    await settle()
    assert.deepEqual(await counts(), { recipients: 2, sent: 2, pending: 0, postponed: 0, deferred: 0 })
  })

  test('a scheduled campaign waits for its date, and does not start after its validation is undone', async () => {
    clock.set('2026-09-03T12:00:00Z')
    const scheduler = {
      type: 'scheduled',
      startDate: '2026-09-03T13:00:00Z',
      segments: { selected: [await segment([await contact('later@shop.example')])] },
    }
    const [id, undone] = [await tested(scheduler), await tested(scheduler)]
    await validate(id)
    await validate(undone)
    await advance()
    assert.deepEqual([await state(id), (await get(id)).monitor], [50, null])
    assert.equal((await call('DELETE', `/actions/${undone}/validation`)).status, 204)
    clock.set('2026-09-03T13:00:00Z')
    await settle()
    assert.deepEqual([await state(id), await state(undone)], [60, 20])
    assert.equal(gateway.to('later@shop.example').length, 1)
  })

  test('a campaign whose end passes before it can start ends with no recipients', async () => {
    clock.set('2026-09-04T12:00:00Z')
    const scheduler = { type: 'scheduled', startDate: '2026-09-04T13:00:00Z', endDate: '2026-09-04T14:00:00Z' }
    const id = await tested({
      ...scheduler,
      segments: { selected: [await segment([await contact('never@shop.example')])] },
    })
    await validate(id)
    clock.set('2026-09-05T00:00:00Z')
    await settle()
    const { state: reached, monitor } = await get(id)
    assert.deepEqual([reached, monitor.recipients], [60, 0])
    assert.equal(gateway.to('never@shop.example').length, 0)
  })

  test('a finished campaign releases its segments and still names them', async () => {
    clock.set('2026-09-06T12:00:00Z')
    const [selected, excluded] = [await segment([]), await segment([])]
    const id = await tested({ segments: { selected: [selected], excluded: [excluded] } })
    await validate(id)
    assert.equal((await call('DELETE', `/segments/${selected}`)).status, 409)
    await settle()
    assert.equal(await state(id), 60)
    assert.equal((await call('DELETE', `/segments/${selected}`)).status, 204)
    assert.deepEqual((await get(id)).scheduler.segments, { selected: [selected], excluded: [excluded] })
    const copy = await call('POST', `/actions/${id}/duplication`)
    assert.deepEqual([copy.status, copy.body.scheduler.segments], [200, { selected: [], excluded: [excluded] }])
  })

  test('sends once to a contact in both selected segments, and never to one in an excluded segment', async () => {
    clock.set('2026-09-07T12:00:00Z')
    const [both, out] = [await contact('both@shop.example'), await contact('out@shop.example')]
    const segments = { selected: [await segment([both, out]), await segment([both])], excluded: [await segment([out])] }
    const id = await tested({ segments })
    await validate(id)
    await settle()
    assert.equal(await state(id), 60)
    assert.deepEqual([gateway.to('both@shop.example').length, gateway.to('out@shop.example').length], [1, 0])
  })

  test('a paused campaign sends nothing more, and on resume every contact gets exactly one message', async () => {
    clock.set('2026-09-08T12:00:00Z')
    const contacts = [
      await contact('p1@shop.example'),
      await contact('p2@shop.example'),
      await contact('p3@shop.example'),
    ]
    const id = await tested({ speed: 60, segments: { selected: [await segment(contacts)] } })
    await validate(id)
    await settle()
    const sent = () => ['p1', 'p2', 'p3'].map((name) => gateway.to(`${name}@shop.example`).length)
    assert.deepEqual(sent(), [1, 0, 0])
    assert.equal((await call('POST', `/actions/${id}/pause`)).status, 204)
    assert.equal((await get(id)).informations.paused, true)
    clock.advance(3 * 60_000)
    await settle()
    assert.deepEqual(sent(), [1, 0, 0])
    assert.equal((await call('DELETE', `/actions/${id}/pause`)).status, 204)
    await settle()
    assert.deepEqual(sent(), [1, 1, 0])
    clock.advance(60_000)
    await settle()
    assert.deepEqual([sent(), await state(id)], [[1, 1, 1], 60])
  })

  test('messages left at the end date expire, even while paused, and the state is 60', async () => {
    clock.set('2026-09-09T12:00:00Z')
    const contacts = [await contact('e1@shop.example'), await contact('e2@shop.example')]
    const id = await tested({ endDate: '2026-09-09T13:00:00Z', segments: { selected: [await segment(contacts)] } })
    await validate(id)
    await work()
    await call('POST', `/actions/${id}/pause`)
    await settle()
    assert.equal(await state(id), 55)
    clock.set('2026-09-09T13:00:00Z')
    await advance()
    await settle()
    const { state: reached, monitor } = await get(id)
    assert.deepEqual([reached, monitor.cancelled, monitor.sent], [60, 2, 0])
    const cancelled = await events(`/actions/${id}/events/cancellations`)
    assert.deepEqual(
      cancelled.map(
        ({ source }: { source: { detail: { cancellation: { type: string } } } }) => source.detail.cancellation.type,
      ),
      ['expired', 'expired'],
    )
  })

  test('a paused campaign sends nothing more once deleted', async () => {
    clock.set('2026-09-10T12:00:00Z')
    const id = await tested({
      speed: 1,
      segments: { selected: [await segment([await contact('d1@shop.example'), await contact('d2@shop.example')])] },
    })
    await validate(id)
    await settle()
    await call('POST', `/actions/${id}/pause`)
    assert.equal((await call('DELETE', `/actions/${id}`)).status, 204)
    await settle()
    assert.deepEqual([gateway.to('d1@shop.example').length, gateway.to('d2@shop.example').length], [1, 0])
    const own = context.db.selectFrom('sendings').select('id').where('source', '=', parseActionId(id)!)
    const left = await context.db.selectFrom('messages').select('id').where('sending', 'in', own).execute()
    assert.deepEqual(left, [])
  })
})
