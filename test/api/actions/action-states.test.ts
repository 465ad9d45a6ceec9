import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'

const { call, clock, context, action, advance, contact, get, put, segment, state, settle } = await startStage()

clock.set('2026-03-02T10:00:00.000Z')
const NOW = Date.parse('2026-03-02T10:00:00.000Z')
const ann = await contact('ann@shop.example')
const spring = await segment([ann])

type Kind = 'message' | 'campaign'
const kinds: readonly Kind[] = ['message', 'campaign']

/** A document of each kind that can be validated; the campaign is far from its start. */
const documents = {
  message: { type: 'mailMessage' },
  campaign: {
    type: 'mailCampaign',
    scheduler: { type: 'scheduled', startDate: '2026-06-01T08:00:00.000Z', segments: { selected: [spring] } },
  },
}

/** Where an action may stand, as actions.md 3 distinguishes it. */
const standings: Record<Kind, readonly string[]> = {
  message: ['10', '20', '30', '35', '36', '38', '40', '50', 'deleted'],
  campaign: ['10', '20', '30', '35', '36', '38', '40', '50', '55', '55 paused', '60', 'deleted'],
}

/** The columns of the table, in its order, for one standing of an action. */
const titles = ['10', '20', '30 35 36', '38', '40', '50 message', '50 campaign', '55', '55 paused', '60', 'deleted']

function columnOf(kind: Kind, standing: string): number {
  const title = standing === '50' ? `50 ${kind}` : standing
  const column = titles.findIndex((one) => one === title || (one === '30 35 36' && one.split(' ').includes(title)))
  assert.notEqual(column, -1, title)
  return column
}

interface Operation {
  /** By column: the answer, and the state it leads to where that is another. */
  row: string
  request: [method: string, path: string, body?: unknown]
  /** After it: whether a campaign in 55 is paused. */
  paused?: boolean
}

const item = { recipient: { type: 'unicity', value: ['ann@shop.example'] } }
const proof = { fortest: true, mediaForTest: 'proof@desk.example' }
const blank = { content: { html: ' ' } }
const anywhere = (answer: number) => `${`${answer} `.repeat(10)}404`
const executing = '409 409 409 409 409 200 409 409 409 409 404'

/** actions.md 3, state x operation. A validation waits for its compilation, so 40 is seen as 50. */
const operations: Record<string, Operation> = {
  GET: { row: anywhere(200), request: ['GET', ''] },
  PUT: { row: '200->20 200->20 409 200->20 409 200->20 200->20 409 409 409 404', request: ['PUT', '', {}] },
  'PUT of what is incomplete': {
    row: '200->10 200->10 409 200->10 409 200->10 200->10 409 409 409 404',
    request: ['PUT', '', blank],
  },
  DELETE: { row: '204 204 204 204 409 204 204 409 204 204 404', request: ['DELETE', ''] },
  duplication: { row: '200 200 200 200 200 200 200 200 200 200 410', request: ['POST', '/duplication'] },
  test: { row: '409 204->30 409 409 409 409 409 409 409 409 410', request: ['POST', '/validation', proof] },
  validation: {
    row: '409 409 409 204->50 409 409 409 409 409 409 410',
    request: ['POST', '/validation', { fortest: false }],
  },
  'un-validation': {
    row: '409 409 409 204->20 409 204->20 204->20 409 409 409 410',
    request: ['DELETE', '/validation'],
  },
  render: { row: anywhere(200), request: ['POST', '/render', {}] },
  renders: { row: anywhere(200), request: ['POST', '/renders', [{}]] },
  'render/links': {
    row: anywhere(200),
    request: ['POST', '/render/links', { links: [{ type: 'system', destination: { type: 'mirror' } }] }],
  },
  execution: { row: executing, request: ['POST', '/execution', item] },
  executions: { row: executing, request: ['POST', '/executions', [item]] },
  'legacy send': { row: executing.replace('200', '204'), request: ['POST', `/targets/${ann}`] },
  pause: { row: '409 409 409 409 409 409 409 204 409 409 404', request: ['POST', '/pause'], paused: true },
  resume: { row: '409 409 409 409 409 409 409 409 204 409 404', request: ['DELETE', '/pause'], paused: false },
  'export of recipients': { row: anywhere(204), request: ['GET', '/export/recipients'] },
  'export of opens': { row: anywhere(204), request: ['GET', '/export/tracking/opens'] },
  'export of clicks': { row: anywhere(204), request: ['GET', '/export/tracking/clicks'] },
  archives: { row: anywhere(200), request: ['GET', '/archives'] },
}

/** Makes a complete action that was validated once, so that it has a frozen content; gives its id. */
async function made(kind: Kind): Promise<string> {
  const id = await action(documents[kind])
  await put(id, { state: 38 })
  const answer = await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
  assert.equal(answer.status, 204, answer.text)
  return id
}

/** A new action where the test wants it. */
async function standing(kind: Kind, where: string): Promise<string> {
  const id = await made(kind)
  if (where === 'deleted') assert.equal((await call('DELETE', `/actions/${id}`)).status, 204)
  else await put(id, { state: Number.parseInt(where, 10), paused: where.endsWith('paused') })
  return id
}

/** Asks one operation of an action and checks answer, state and document. */
async function walk(kind: Kind, where: string, { row, request, paused }: Operation): Promise<void> {
  const id = await standing(kind, where)
  const before = where === 'deleted' ? undefined : await get(id)
  const [method, path, body] = request
  const answer = await call(method, `/actions/${id}${path}`, { body })
  const cell = row.split(' ')[columnOf(kind, where)] ?? ''
  const [status, next] = cell.split('->').map(Number)
  const place = `${method} ${path} of a ${kind} in ${where}: ${answer.text}`
  assert.equal(answer.status, status, place)
  if (answer.status === 409) {
    assert.equal(answer.body.type, 'urn:stentor:problem:action-state', place)
    const isBusy = where === '40' && isSend(path)
    assert.equal(answer.headers['retry-after'], isBusy ? '1' : undefined, place)
  }
  const after = await call('GET', `/actions/${id}`)
  if (!before || (method === 'DELETE' && path === '' && answer.status === 204)) {
    assert.equal(after.status, 404, place)
    return
  }
  assert.deepEqual(
    [after.body.state, after.body.informations.state],
    [next ?? before.state, next ?? before.state],
    place,
  )
  const isPaused = answer.status === 204 && paused !== undefined ? paused : before.informations.paused
  assert.equal(after.body.informations.paused, isPaused, place)
  if (next === undefined && paused === undefined) assert.deepEqual(after.body, before, place)
}

function isSend(path: string): boolean {
  return path.startsWith('/execution') || path.startsWith('/targets/')
}

suite('operations on an action by state', () => {
  for (const kind of kinds) {
    for (const [name, operation] of Object.entries(operations)) {
      test(`${name} of a ${kind} returns the documented status and next state in every state`, async () => {
        assert.equal(operation.row.split(' ').length, titles.length, name)
        for (const where of standings[kind]) await walk(kind, where, operation)
      })
    }

    test(`validation of a ${kind} needs no test when the account does not require one`, async () => {
      await call('PUT', '/settings/sending', { body: { testRequired: false } })
      const operation: Operation = {
        row: '409 204->50 409 204->50 409 409 409 409 409 409 410',
        request: ['POST', '/validation', { fortest: false }],
      }
      for (const where of standings[kind]) await walk(kind, where, operation)
      await call('PUT', '/settings/sending', { body: { testRequired: true } })
    })
  }

  test('a campaign changed while it waits for its start is not started', async () => {
    const [changed, left] = [await made('campaign'), await made('campaign')]
    assert.equal((await call('PUT', `/actions/${changed}`, { body: {} })).body.state, 20)
    clock.set('2026-06-01T08:00:01.000Z')
    await advance()
    clock.set(NOW)
    assert.deepEqual([await state(changed), await state(left)], [20, 55])
  })

  test('a test sends no proof if its action is deleted in state 30 or 35', async () => {
    for (const where of [30, 35]) {
      const id = await action()
      assert.equal((await call('POST', `/actions/${id}/validation`, { body: proof })).status, 204)
      await put(id, { state: where })
      assert.equal((await call('DELETE', `/actions/${id}`)).status, 204)
    }
    await settle()
    const { length } = await context.db.selectFrom('messages').select('id').where('kind', '=', 'test').execute()
    assert.equal(length, 0)
  })
})

suite('two concurrent requests on one action', () => {
  const { test: asked, validation, 'un-validation': undone, DELETE: removed, pause, resume, PUT: changed } = operations

  /** One transition asked for twice at once: who wins answers the first status, who loses the second. */
  const races: [name: string, operation: Operation | undefined, from: string, answers: [number, number]][] = [
    ['test', asked, '20', [204, 409]],
    ['validation', validation, '38', [204, 409]],
    ['un-validation', undone, '38', [204, 409]],
    ['un-validation', undone, '50', [204, 409]],
    ['deletion', removed, '20', [204, 404]],
    ['pause', pause, '55', [204, 409]],
    ['resume', resume, '55 paused', [204, 409]],
    ['deletion of what is paused', removed, '55 paused', [204, 404]],
  ]
  for (const [name, operation, from, answers] of races) {
    test(`exactly one of two requests for ${name} in state ${from} succeeds`, async () => {
      assert.ok(operation)
      const [method, path, body] = operation.request
      for (const kind of kinds.filter((one) => standings[one].includes(from))) {
        for (let round = 0; round < 3; round++) {
          const id = await standing(kind, from)
          const ask = () => call(method, `/actions/${id}${path}`, { body })
          const given = await Promise.all([ask(), ask()])
          assert.deepEqual(given.map(({ status }) => status).toSorted(), answers.toSorted(), `${kind}, ${name}`)
        }
      }
    })
  }

  /** Two transitions at once: the answers and the state at the end, whichever is first. */
  const crossings: [string, string, [Operation | undefined, Operation | undefined], [number, number, number?][]][] = [
    [
      'test and change',
      '20',
      [asked, changed],
      [
        [204, 409, 30],
        [204, 200, 30],
      ],
    ],
    [
      'validation and change',
      '38',
      [validation, changed],
      [
        [204, 409, 50],
        [204, 200, 20],
        [409, 200, 20],
      ],
    ],
    [
      'un-validation and deletion',
      '50',
      [undone, removed],
      [
        [204, 204],
        [410, 204],
      ],
    ],
    [
      'pause and deletion',
      '55',
      [pause, removed],
      [
        [204, 204],
        [204, 409, 55],
      ],
    ],
    [
      'resume and deletion',
      '55 paused',
      [resume, removed],
      [
        [204, 409, 55],
        [404, 204],
      ],
    ],
  ]
  for (const [name, from, pair, outcomes] of crossings) {
    test(`the second of concurrent ${name} requests in state ${from} sees the state left by the first`, async () => {
      for (const kind of kinds.filter((one) => standings[one].includes(from))) {
        for (let round = 0; round < 3; round++) {
          const id = await standing(kind, from)
          const asks = pair.map((operation) => {
            assert.ok(operation)
            const [method, path, body] = operation.request
            return call(method, `/actions/${id}${path}`, { body })
          })
          const given = (await Promise.all(asks)).map(({ status }) => status)
          const after = await call('GET', `/actions/${id}`)
          const outcome = after.status === 404 ? given : [...given, after.body.state]
          assert.ok(
            outcomes.some((one) => one.join() === outcome.join()),
            `${kind}: ${outcome.join()} is none of ${outcomes.join(' | ')}`,
          )
        }
      }
    })
  }
})
