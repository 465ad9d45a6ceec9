import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { notFoundProblem } from '../../../src/lib/errors/problem.ts'
import { ScriptHostError } from '../../../src/scripting/sandbox/types.ts'
import { scriptHost } from '../../support/stages/script-host.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

interface Call {
  url: string
  headers: IncomingHttpHeaders
}
const calls: Call[] = []
/** Functions that end the held requests, in the order of arrival. */
const heldAnswers: (() => void)[] = []
const server = createServer((request, response) => {
  calls.push({ url: request.url ?? '', headers: request.headers })
  if (request.url?.startsWith('/held')) return void heldAnswers.push(() => response.end('{}'))
  if (request.url === '/away') response.writeHead(302, { location: 'http://localhost:1/' }).end()
  else response.end('{"rate":4}')
})
await once(server.listen(0, 'localhost'), 'listening')
const peer = `localhost:${(server.address() as AddressInfo).port}`

const stage = await startStage()
const { call, own, other } = stage
stage.context.config.outgoingAllow.push(peer)
after(() => {
  server.closeAllConnections()
  server.close()
})

interface Executed {
  account: number
  id: string
  arguments: object
  depth: number
}
const executed: Executed[] = []
const { value, error } = scriptHost(stage, async (_, asked) => {
  executed.push(asked)
  if (asked.id === 'gone') throw notFoundProblem('compilable', asked.id)
  if (asked.id === 'broken') throw new ScriptHostError('The rows are too many.')
  return { rows: 3 }
})

const { body: points } = await call('POST', '/fields', { body: { name: 'Points', type: 'numeric' } })
let made = 0
const address = () => `p${++made}@orchard.example`
const theirs = (await call('POST', '/targets', { body: { Email: address() }, key: other.key })).body.id as string
const byId = (id: string) => `{ type: "id", value: "${id}" }`

describe('targets.get', () => {
  test('returns a contact with its fields by id and by name, or null for an unknown one', async () => {
    const email = address()
    const id = await stage.contact(email, { Points: 3 })
    const contact = await value(`return targets.get({ type: "unicity", value: ["${email}"] })`)
    const { hash, creationDate, lastUpdateDate } = contact
    const { fields, ...rest } = contact
    assert.deepEqual(rest, { id, unicity: email, hash, creationDate, lastUpdateDate })
    assert.deepEqual([fields.Points, fields[points.id], fields.Email], [3, 3, email])
    assert.equal(new Date(creationDate).toISOString(), creationDate)
    for (const who of [byId('ZZZZZZZZ'), byId(theirs), '{ type: "hash", value: "0".repeat(32) }'])
      assert.equal(await value(`return targets.get(${who})`), null, who)
  })

  test('an invalid contact identification throws an error that the script can catch', async () => {
    for (const who of ['', '"me"', '{ type: "id" }', '[]', '{ type: "unicity", value: "a" }'])
      assert.equal(
        await value(`try { await targets.get(${who}) } catch (error) { return error.message }`),
        'This is not an identification of a contact.',
        who,
      )
  })
})

describe('segments.contains', () => {
  test('answers for static and dynamic segments', async () => {
    const [rich, poor] = [await stage.contact(address(), { Points: 9 }), await stage.contact(address(), { Points: 1 })]
    const fixed = await stage.segment([poor])
    const criteria = { type: 'field', field: points.id, operator: 'greater', value: 3 }
    const body = { type: 'dynamic', name: 'Rich', criteria }
    const moving = (await call('POST', '/segments', { body })).body.id
    const ask = (segment: number, who: string) => `await segments.contains(${segment}, ${byId(who)})`
    const answers = await value(
      `return [${ask(fixed, rich)}, ${ask(fixed, poor)}, ${ask(moving, rich)}, ${ask(moving, poor)}, ${ask(fixed, theirs)}]`,
    )
    assert.deepEqual(answers, [false, true, true, false, false])
  })

  test('throws for an unknown segment and for one of another account', async () => {
    const foreign = (await call('POST', '/segments', { body: { type: 'static', name: 'Theirs' }, key: other.key })).body
    const id = await stage.contact(address())
    for (const segment of [foreign.id, 999_999, '"x"', 1e15, 'null'])
      assert.equal(
        (await error(`return segments.contains(${segment}, ${byId(id)})`)).message,
        'There is no such segment.',
      )
  })
})

describe('events.list', () => {
  test('returns records as workflows see them, newest first, filtered by type, period and limit', async () => {
    const id = await stage.contact(address())
    await value(`for (let n = 0; n < 3; n++) events.publish("visit", { n }, ${byId(id)})`)
    const mail = await stage.action()
    await call('PUT', '/settings/sending', { body: { testRequired: false } })
    assert.equal((await call('POST', `/actions/${mail}/validation`, { body: { fortest: false } })).status, 204)
    const body = { receiver: { type: 'id', value: id } }
    assert.equal((await call('POST', `/actions/${mail}/execution`, { body })).status, 200)
    const all = await value(`return events.list(${byId(id)})`)
    assert.deepEqual(
      all.map(({ type, data }: { type: string; data?: { n: number } }) => [type, data?.n]),
      [
        ['execution', undefined],
        ['custom', 2],
        ['custom', 1],
        ['custom', 0],
      ],
    )
    const [, , middle] = all
    assert.deepEqual(Object.keys(middle).sort(), [
      'contact',
      'data',
      'depth',
      'id',
      'name',
      'stamp',
      'timestamp',
      'type',
    ])
    assert.equal(middle.contact, id)
    assert.equal(all[0].source.detail.execution.id, mail)
    const list = async (given: object) =>
      (await value(`return events.list(${byId(id)}, input)`, { input: given })).map((one: { id: string }) => one.id)
    const ids = all.map((one: { id: string }) => one.id)
    assert.deepEqual(await list({ types: ['custom'] }), ids.slice(1))
    assert.deepEqual(await list({ types: ['action.execution', 'action.hit'] }), ids.slice(0, 1))
    assert.deepEqual(await list({ types: [] }), [])
    assert.deepEqual(await list({ types: null, limit: 2 }), ids.slice(0, 2))
    assert.deepEqual(await list({ start: all[0].timestamp + 1 }), [])
    assert.deepEqual(await list({ end: all[3].timestamp }), [])
    assert.deepEqual(await list({ start: new Date(all[3].timestamp).toISOString(), end: all[0].timestamp + 1 }), ids)
  })

  test('returns nothing for unknown contacts and contacts of another account', async () => {
    assert.deepEqual(await value(`return events.list(${byId('ZZZZZZZZ')})`), [])
    assert.deepEqual(await value(`return events.list(${byId(theirs)})`), [])
  })

  test('bad arguments throw errors that name the rule', async () => {
    const id = await stage.contact(address())
    const faults: [string, RegExp][] = [
      [`${byId(id)}, { types: ["click"] }`, /^The types of events.list must be a list of action.execution, /],
      [`${byId(id)}, { types: "custom" }`, /^The types of events.list/],
      [`${byId(id)}, { limit: 101 }`, /^The limit of events.list must be from 1 to 100\.$/],
      [`${byId(id)}, { limit: 0 }`, /^The limit/],
      [`${byId(id)}, { start: "soon" }`, /^The start of events.list must be an ISO 8601 date/],
      [`${byId(id)}, { start: 2, end: 1 }`, /^The end of events.list must not be before its start\.$/],
      [`${byId(id)}, 3`, /^events.list takes/],
      ['', /^This is not an identification of a contact\.$/],
    ]
    for (const [args, message] of faults) assert.match((await error(`return events.list(${args})`)).message, message)
  })
})

describe('compilables.execute', () => {
  test('returns the value of the compilable and increases the depth by one', async () => {
    executed.length = 0
    const body = 'return [await compilables.execute("top", { n: 1 }), await compilables.execute("top")]'
    assert.deepEqual(await value(body, { compilables: 2 }), [{ rows: 3 }, { rows: 3 }])
    assert.deepEqual(executed, [
      { account: own.account, id: 'top', arguments: { n: 1 }, depth: 3 },
      { account: own.account, id: 'top', arguments: {}, depth: 3 },
    ])
  })

  test('is refused at depth 5, and passes on the errors of the compilable', async () => {
    const of = async (args: string, compilables = 0) =>
      (await error(`return compilables.execute(${args})`, { compilables })).message
    assert.equal(await of('"top"', 5), 'Compilables can execute each other at most 5 levels deep.')
    assert.equal(await of('"gone"'), 'There is no compilable gone.')
    assert.equal(await of('"broken"'), 'The rows are too many.')
    assert.equal(await of('7'), 'There is no such compilable.')
    assert.equal(await of('"top", [1]'), 'The arguments of compilables.execute must be an object.')
  })

  test('an unknown compilable throws in the script', async () => {
    const alone = scriptHost(stage)
    const { message } = await alone.error('return compilables.execute("top")')
    assert.equal(message, 'There is no compilable top.')
  })
})

describe('http.fetch', () => {
  const http = { allow: [`http://${peer}`], secrets: new Map([['shop', 's3cret']]), idempotencyKey: 'run:node:1' }

  test('a secret is sent in the header, and the script sees only its placeholder', async () => {
    calls.length = 0
    const body = `const headers = { authorization: "Bearer [[secret:shop]]" };
      const answer = await http.fetch("http://${peer}/rate", { headers });
      return [headers.authorization, answer.json().rate, JSON.stringify(answer).includes("s3cret")]`
    assert.deepEqual(await value(body, { http }), ['Bearer [[secret:shop]]', 4, false])
    const { authorization, 'idempotency-key': key } = calls[0]!.headers
    assert.deepEqual([authorization, key], ['Bearer s3cret', 'run:node:1:1'])
  })

  test('a disallowed address, or a redirect to one, is an error of type capability', async () => {
    for (const url of ['http://other.test/', `http://127.0.0.1:${peer.split(':')[1]}/`, `http://${peer}/away`]) {
      const { type, message } = await error(`return http.fetch("${url}")`, { http })
      assert.equal(type, 'capability', url)
      assert.match(message, /^The address of http.fetch /)
    }
  })

  test('the eleventh call is an error of type capability', async () => {
    calls.length = 0
    const body = (count: number) =>
      `for (let n = 0; n < ${count}; n++) await http.fetch("http://${peer}/n" + n); return "done"`
    assert.equal(await value(body(10), { http }), 'done')
    const { type, message } = await error(body(11), { http })
    assert.deepEqual([type, message], ['capability', 'A run can call http.fetch at most 10 times.'])
    assert.equal(calls.length, 20)
  })

  test('ten parallel calls all succeed, four at a time', async () => {
    calls.length = 0
    const body = `const all = Array.from({ length: 10 }, (_, n) => http.fetch("http://${peer}/held" + n));
      return (await Promise.all(all)).map(({ status }) => status)`
    const statuses = value(body, { http })
    // Each that is answered makes place for one more, and for no other.
    for (let answered = 0; answered < 10; answered++) {
      const sent = Math.min(answered + 4, 10)
      await eventually(() => calls.length >= sent)
      assert.equal(calls.length, sent)
      heldAnswers.shift()!()
    }
    assert.deepEqual(
      await statuses,
      Array.from({ length: 10 }, () => 200),
    )
  })
})

test('reads see the state before the run, and the next run sees what was written', async () => {
  const id = await stage.contact(address(), { Points: 1 })
  const segment = await stage.segment([])
  const seen = await value(`
    segments.add(${segment}, ${byId(id)});
    targets.update(${byId(id)}, { Points: 2 });
    return [await segments.contains(${segment}, ${byId(id)}), (await targets.get(${byId(id)})).fields.Points]`)
  assert.deepEqual(seen, [false, 1])
  assert.equal(await value(`return segments.contains(${segment}, ${byId(id)})`), true)
})
