import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startWebtaskStage, WEBTASKS } from '../../support/stages/webtask-stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startWebtaskStage()
const { answers, call, clock, context, execute, executeAll, host, makeKey, own, other, seen, webtask } = stage
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Processor time that a script may use by default. */
const SCRIPT_CPU_MS = 1000

const granted = (...capabilities: string[]) => ({ scripting: { environment: { capabilities } } })
const fetching = { capabilities: ['http.fetch'], http: { allow: [`http://${host}`] } }
const field = (await call('POST', '/fields', { body: { name: 'Tier', type: 'textField' } })).body.id

async function contact(address: string, more: object = {}): Promise<string> {
  const { status, body, text } = await call('POST', '/targets', { body: { Email: address, ...more } })
  assert.equal(status, 200, text)
  return body.id
}
const tierOf = async (id: string) => (await call('GET', `/targets/${id}`)).body.fields[field] ?? null
const byId = (value: string) => ({ type: 'id', value })

/** The lines of an answer, as they come. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
  assert.equal(rest, '')
}

suite('webtask executions that stream their log', async () => {
  const url = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const accept = 'application/x-ndjson'
  const followed = (id: number) =>
    fetch(`${url}${WEBTASKS}/${id}/execution`, { method: 'POST', headers: { 'x-key': own.key, accept } })
  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('send log lines while the script runs, and the result as the last line', async () => {
    const held = Promise.withResolvers<void>()
    answers.push((response) => void held.promise.then(() => response.end('{}')))
    const source = `export default async () => { log('asks'); await http.fetch('http://${host}/'); console.warn('asked'); return 4 }`
    const id = await webtask(source, { scripting: { environment: fetching } })
    const answer = await followed(id)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, accept])
    const given = linesOf(answer.body!)
    const { value: first } = await given.next()
    assert.deepEqual([first.type, first.level, first.text, first.at >= 0], ['log', 'info', 'asks', true])
    // Its result cannot have come: the script waits for this.
    held.resolve()
    const [second = {}, result, ...more] = await Array.fromAsync(given)
    assert.deepEqual([second['type'], second['level'], second['text'], more], ['log', 'warn', 'asked', []])
    assert.deepEqual([result?.type, result?.value], ['success', 4])
    assert.deepEqual(
      result?.['logs'],
      [first, second].map(({ type: _, ...line }) => line),
    )
  })

  test('send the log of a script that never stops logging, which still fails at its CPU limit', async () => {
    const id = await webtask('export default () => { log(1); for (let n = 0; ; n++) if (n % 1e5 === 0) log(n) }', {
      settings: { cpuMs: 100, wallMs: 30_000 },
    })
    const answer = await followed(id)
    const all = await Array.fromAsync(linesOf(answer.body!))
    assert.ok(all.length > 1)
    const { type, value, logs } = all.at(-1) as { type: string; value: { limit: string }; logs: unknown[] }
    assert.deepEqual([type, value.limit], ['error', 'cpu'])
    assert.deepEqual(
      all.slice(0, -1).map(({ type: _, ...line }) => line),
      logs,
    )
  })

  test('send only the result when logs are off, and a problem when refused', async () => {
    const silent = await webtask('export default () => { log("a"); return 1 }', { settings: { logs: false } })
    const { status, text } = await execute(silent, undefined, { headers: { accept } })
    assert.deepEqual([status, lines(text).map(({ type }) => type)], [200, ['success']])
    const gone = await execute(999_999, undefined, { headers: { accept } })
    assert.deepEqual([gone.status, gone.headers['content-type']], [404, 'application/problem+json; charset=utf-8'])
  })

  test('with a known stamp send only the first result', async () => {
    const id = await webtask('export default () => { log("once"); return Math.random() }')
    const item = { stamp: { id: randomUUID() } }
    const first = lines((await execute(id, item, { headers: { accept } })).text)
    const again = lines((await execute(id, item, { headers: { accept } })).text)
    assert.deepEqual([first.length, again], [2, [first[1]]])
  })
})

suite('webtask executions', () => {
  test('return the value, the log and the duration, and treat an empty body as an empty item', async () => {
    const id = await webtask(
      'export default async ({ data, variables }) => { log("rate", { value: 4 }); console.warn("w"); return { data, variables } }',
    )
    const { status, body } = await execute(id)
    const { id: run, durationMs, logs, ...others } = body
    assert.deepEqual([status, others], [200, { type: 'success', value: { data: {}, variables: {} } }])
    assert.match(run, UUID)
    assert.ok(Number.isInteger(durationMs))
    assert.deepEqual(
      logs.map(({ level, text }: { level: string; text: string }) => [level, text]),
      [
        ['info', 'rate {"value":4}'],
        ['warn', 'w'],
      ],
    )
    assert.ok(logs.every(({ at }: { at: unknown }) => Number.isInteger(at)))
  })

  test('pass the item, its contacts and constants to the script without any capability', async () => {
    const [receiver, related] = [
      await contact('ann@orchard.example', { Tier: 'blue' }),
      await contact('bob@orchard.example'),
    ]
    const id = await webtask(
      'export default (input) => ({ input, same: environment.rate === input.environment.rate })',
      {
        scripting: { environment: { variables: { rate: 2 } } },
      },
    )
    const stamp = { id: randomUUID(), thread: randomUUID(), set: randomUUID(), time: 5 }
    const item = {
      receiver: { type: 'unicity', value: ['ann@orchard.example'] },
      related: byId(related),
      data: { a: 1 },
      variables: [{ key: 'v', value: [1] }],
      event: { type: 'x' },
      stamp,
    }
    const { body, text } = await execute(id, item)
    assert.equal(body.type, 'success', text)
    const { input, same } = body.value
    assert.deepEqual([body.id, same], [stamp.id, true])
    const { contact: shown, related: other, ...others } = input
    assert.deepEqual(others, {
      data: { a: 1 },
      variables: { v: [1] },
      arguments: {},
      event: { type: 'x' },
      stamp,
      public: null,
      environment: { rate: 2 },
    })
    const { id: shownId, unicity, fields, hash, ...dates } = shown
    assert.deepEqual(
      [shownId, unicity, fields[field], fields.Tier, hash.length],
      [receiver, 'ann@orchard.example', 'blue', 'blue', 32],
    )
    assert.deepEqual(Object.keys(dates).sort(), ['creationDate', 'lastUpdateDate'])
    assert.equal(other.id, related)
  })

  test("errors have their position in the author's text", async () => {
    const id = await webtask('export default ({ data }) => {\n  const a = data.a\n  return a.b }')
    const { body } = await execute(id)
    assert.deepEqual([body.type, body.value.type, body.value.position.line, body.logs], ['error', 'script', 3, []])
    assert.match(body.value.message, /'b' of undefined/)
    assert.doesNotMatch(JSON.stringify(body), /node_modules|src\//)
    assert.ok(!JSON.stringify(body).includes(process.cwd()))
    const imported = await webtask('import { fail } from "tools"\nexport default () => {\n  fail() }', {
      scripting: {
        imports: [{ name: 'tools', type: 'source', value: 'export function fail() { throw new Error("no") }' }],
      },
    })
    const { value } = (await execute(imported)).body
    assert.deepEqual([value.message, value.position.line], ['no', 3])
    assert.match(value.stack, /import:tools/)
  })

  test('the time limits in the settings apply', async () => {
    const id = await webtask(
      'export default async () => (await http.fetch("http://HOST/slow")).status'.replace('HOST', host),
      {
        settings: { wallMs: 200 },
        scripting: { environment: fetching },
      },
    )
    const never = () => undefined
    answers.push(never)
    const { body } = await execute(id)
    assert.deepEqual([body.value.type, body.value.limit], ['timeout', 'wall'])
    // On a busy machine the time may be over before the server is asked.
    if (answers.includes(never)) answers.splice(answers.indexOf(never), 1)
    const busy = await webtask('export default () => { for (;;); }', { settings: { cpuMs: 10, logs: false } })
    // The least of some: what else the process does, such as collecting garbage, is counted too.
    const used: number[] = []
    for (let n = 0; n < 3; n++) {
      const before = process.cpuUsage()
      assert.equal((await execute(busy)).body.value.limit, 'cpu')
      const { user, system } = process.cpuUsage(before)
      used.push((user + system) / 1000)
    }
    assert.ok(Math.min(...used) < SCRIPT_CPU_MS, `each took ${used} ms`)
  })

  test('no logs are returned when logs are off', async () => {
    const id = await webtask('export default () => log("a")', { settings: { logs: false } })
    assert.deepEqual((await execute(id)).body.logs, [])
  })

  test('a global set by one run is not visible in the next', async () => {
    const id = await webtask('export default () => { globalThis.n = (globalThis.n ?? 0) + 1; return n }')
    assert.deepEqual([(await execute(id)).body.value, (await execute(id)).body.value], [1, 1])
  })

  test("initializers run first, and the webtask's own imports are available", async () => {
    const id = await webtask('import { twice } from "tools"\nexport default () => twice(base)', {
      scripting: {
        initializers: [{ name: 'base', value: 'globalThis.base = 21' }],
        imports: [{ name: 'tools', type: 'source', value: 'export const twice = (n) => 2 * n' }],
      },
    })
    assert.equal((await execute(id)).body.value, 42)
  })

  test('a function without its capability is undefined', async () => {
    const id = await webtask('export default () => [typeof http, typeof targets, typeof actions]')
    assert.deepEqual((await execute(id)).body.value, ['undefined', 'undefined', 'undefined'])
  })

  test('a new script applies from the next run', async () => {
    const id = await webtask('export default () => 1')
    assert.equal((await execute(id)).body.value, 1)
    await call('PUT', `${WEBTASKS}/${id}/script`, { body: { value: 'export default () => 2' } })
    assert.equal((await execute(id)).body.value, 2)
  })

  test('read a recipient as the receiver, alone and in lists, and an id without its zeros as none', async () => {
    const id = await webtask('export default ({ contact }) => contact?.id ?? null')
    const ann = await contact('ann-again@orchard.example')
    for (const headers of [{}, { prefer: 'handling=strict' }] as Record<string, string>[]) {
      assert.equal((await execute(id, { recipient: byId(ann) }, { headers })).body.value, ann)
      assert.equal((await execute(id, { recipient: byId(ann), receiver: null }, { headers })).body.value, ann)
    }
    const { body } = await executeAll(id, [{ recipient: byId(ann) }, {}, { receiver: byId(ann) }])
    assert.deepEqual(
      body.map(({ value }: { value: unknown }) => value),
      [ann, null, ann],
    )
    const short = await execute(id, { recipient: byId(ann.replace(/^0+/, '')) })
    assert.equal(short.body.value.type, 'recipient not found')
  })

  test('an invalid item returns 400 and nothing runs', async () => {
    const id = await webtask('export default () => 1')
    const pointers = async (item: object) =>
      (await execute(id, item)).body.errors.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(await pointers({ data: 1 }), ['/data'])
    assert.deepEqual(await pointers({ stamp: { id: 'x' } }), ['/stamp/id'])
    assert.deepEqual(await pointers({ cipher: 'v1.x' }), ['/cipher'])
    assert.equal((await execute(id, { receiver: 'ann@orchard.example' })).status, 400)
    assert.equal((await executeAll(id, Array(1001).fill({}))).status, 400)
    assert.equal((await execute(id, { other: 1 }, { headers: { prefer: 'handling=strict' } })).status, 400)
    assert.equal((await execute(id, { other: 1, data: null })).status, 200)
    const listed = await executeAll(id, [{}, { cipher: 'v1.x' }])
    assert.deepEqual(listed.body.errors[0].pointer, '/1/cipher')
    assert.deepEqual((await call('GET', `${WEBTASKS}/${id}/runs`)).body.length, 1)
  })
})

suite('webtask imports', () => {
  test('are read at each run, with their own imports under separate names', async () => {
    const source = (name: string, value: string) => ({ name, type: 'source', value })
    const named = (name: string, value: number) => ({ name, type: 'webtask', value })
    const rates = await webtask('import { n } from "tools"\nexport const rate = () => n\nexport default () => n', {
      scripting: { imports: [source('tools', 'export const n = 10')] },
    })
    const shop = await webtask(
      'import { rate } from "rates"\nexport const price = () => 2 * rate()\nexport default price',
      {
        scripting: { imports: [named('rates', rates)] },
      },
    )
    const id = await webtask(
      'import { price } from "shop"\nimport { rate } from "own"\nimport { n } from "tools"\nexport default () => [price(), rate(), n]',
      { scripting: { imports: [named('shop', shop), named('own', rates), source('tools', 'export const n = 1')] } },
    )
    assert.deepEqual((await execute(id)).body.value, [20, 10, 1])
    const changed = { imports: [source('tools', 'export const n = 7')] }
    assert.equal((await call('PUT', `${WEBTASKS}/${rates}`, { body: { scripting: changed } })).status, 200)
    assert.deepEqual((await execute(id)).body.value, [14, 7, 1])
    const reaching = await webtask('export default () => import("webtask 1/tools")', {
      scripting: { imports: [named('rates', rates)] },
    })
    assert.match((await execute(reaching)).body.value.message, /There is no import/)
  })
})

suite('webtask rights and secrets', () => {
  test('a key without the rights for the capabilities gets 403 and nothing runs', async () => {
    const id = await webtask('export default () => 1', granted('actions.send', 'targets.read'))
    const [read, send] = [await makeKey(own.account, ['read']), await makeKey(own.account, ['read', 'send'])]
    const refused = await execute(id, {}, { key: read })
    assert.deepEqual([refused.status, refused.body.type], [403, 'urn:stentor:problem:right-missing'])
    assert.equal((await executeAll(id, [{}], { key: read })).status, 403)
    assert.deepEqual((await call('GET', `${WEBTASKS}/${id}/runs`)).body, [])
    assert.equal((await execute(id, {}, { key: send })).status, 200)
    assert.equal((await execute(id, {}, { key: await makeKey(own.account, ['send']) })).status, 403)
  })

  test('a secret is sent to the server but never visible to the script, in answers or in the database', async () => {
    const script = `export default async () => {
      const headers = { authorization: "Bearer [[secret:shop]]" }
      const answer = await http.fetch("http://${host}/rate", { method: "POST", headers, body: { key: "[[secret:shop]]" } })
      log(headers.authorization)
      return [headers.authorization, answer.json().value]
    }`
    const environment = { ...fetching, secrets: { shop: 's3cret' } }
    const id = await webtask(script, { scripting: { environment } })
    const shown = (await call('GET', `${WEBTASKS}/${id}`)).body
    assert.deepEqual(shown.scripting.environment.secrets, { shop: '***' })
    const { body } = await execute(id)
    assert.deepEqual(body.value, ['Bearer [[secret:shop]]', 4])
    const last = seen.at(-1)!
    assert.deepEqual([last.headers.authorization, last.body], ['Bearer s3cret', '{"key":"s3cret"}'])
    const { rows } = await sql<{ text: string }>`select scripting::text as text from webtasks where id = ${id}`.execute(
      context.db,
    )
    assert.ok(!rows[0]?.text.includes('s3cret'))
    assert.ok(!JSON.stringify(body).includes('s3cret'))
    // Sent back as it was read it stays.
    const put = await call('PUT', `${WEBTASKS}/${id}`, { body: shown })
    assert.deepEqual(put.body, shown)
    await execute(id)
    assert.equal(seen.at(-1)?.headers.authorization, 'Bearer s3cret')
  })

  test('a host that is not listed is an error of type capability', async () => {
    const id = await webtask('export default () => http.fetch("https://elsewhere.example/")', {
      scripting: { environment: fetching },
    })
    assert.equal((await execute(id)).body.value.type, 'capability')
  })
})

suite('webtask writes', () => {
  const writing = granted('targets.write', 'targets.read', 'events.publish')
  const twice = (end: string) => `export default async ({ contact }) => {
    const who = { type: "id", value: contact.id }
    targets.update(who, { Tier: "first" })
    targets.update(who, { Tier: "second" })
    const seen = await targets.get(who)
    ${end}
    return seen.fields.Tier
  }`

  test('are applied after the script returns, or not at all', async () => {
    const who = await contact('cat@orchard.example', { Tier: 'none' })
    const [failing, good] = [await webtask(twice('throw new Error("no")'), writing), await webtask(twice(''), writing)]
    assert.equal((await execute(failing, { receiver: byId(who) })).body.type, 'error')
    assert.equal(await tierOf(who), 'none')
    const { body, text } = await execute(good, { receiver: byId(who) })
    assert.deepEqual([body.type, body.value], ['success', 'none'], text)
    assert.equal(await tierOf(who), 'second')
  })

  test('a write that cannot be applied undoes all, and reports its call and problem', async () => {
    const who = await contact('dan@orchard.example', { Tier: 'none' })
    const id = await webtask(
      `export default ({ contact }) => {
        log("begun")
        targets.update({ type: "id", value: contact.id }, { Tier: "gold" })
        targets.update({ type: "id", value: contact.id }, { Nothing: 1 })
        return 1
      }`,
      writing,
    )
    const stamp = { id: randomUUID() }
    const { body } = await execute(id, { receiver: byId(who), stamp })
    assert.deepEqual(
      [body.type, body.value.type, body.value.call, body.value.problem.status],
      ['error', 'write', 2, 400],
    )
    assert.match(body.value.message, /^Call 2, targets\.update: /)
    assert.equal(body.logs.length, 1)
    assert.equal(await tierOf(who), 'none')
    const [{ error, outcome }] = (await call('GET', `${WEBTASKS}/${id}/runs`)).body
    assert.deepEqual([outcome, error], ['error', body.value])
    assert.deepEqual((await execute(id, { receiver: byId(who), stamp })).body, body)
  })

  test('the id returned for a created contact is the stored one', async () => {
    const id = await webtask('export default ({ data }) => targets.create({ Email: data.address })', writing)
    const { body, text } = await execute(id, { data: { address: 'eve@orchard.example' } })
    assert.equal(body.type, 'success', text)
    assert.equal((await call('GET', '/targets?unicity=eve@orchard.example')).body.id, body.value)
    const again = await execute(id, { data: { address: 'eve@orchard.example' } })
    assert.equal(again.body.value.type, 'write')
  })
})

suite('webtask executions of many items', () => {
  test('run once for each item, and an unknown receiver is the error of its item only', async () => {
    const who = await contact('fay@orchard.example')
    const id = await webtask('export default ({ contact }) => contact && contact.id')
    const nobody = { type: 'unicity', value: ['nobody@orchard.example'] }
    const { body } = await executeAll(id, [{ receiver: byId(who) }, { receiver: nobody }, {}, { related: nobody }])
    const brief = body.map(({ type, value }: { type: string; value: unknown }) => [type, value])
    assert.deepEqual(brief, [
      ['success', who],
      ['error', { type: 'recipient not found', receiver: nobody }],
      ['success', null],
      ['error', { type: 'recipient not found', receiver: nobody }],
    ])
    assert.equal((await call('GET', `${WEBTASKS}/${id}/runs`)).body.length, 2)
    assert.deepEqual((await executeAll(id, [])).body, [])
  })

  test('results are in order, and a failing item does not affect the others', async () => {
    const id = await webtask(
      'export default ({ data }) => { if (data.n % 7 === 3) throw new Error("n"); return data.n }',
    )
    const items = Array.from({ length: 300 }, (_, n) => ({ data: { n } }))
    const { body } = await executeAll(id, items)
    assert.deepEqual(
      body.map(({ value }: { value: unknown }) => (typeof value === 'number' ? value : 'error')),
      items.map(({ data: { n } }) => (n % 7 === 3 ? 'error' : n)),
    )
  })

  test('items for the same contact run one after another', async () => {
    const who = await contact('gil@orchard.example', { Tier: '0' })
    const id = await webtask(
      'export default ({ contact }) => targets.update({ type: "id", value: contact.id }, { Tier: String(Number(contact.fields.Tier) + 1) })',
      granted('targets.write'),
    )
    const { body } = await executeAll(id, Array(12).fill({ receiver: byId(who) }))
    assert.deepEqual(new Set(body.map(({ type }: { type: string }) => type)), new Set(['success']))
    assert.equal(await tierOf(who), '12')
  })

  test('items not started within a minute fail without running', async () => {
    const id = await webtask(
      `export default async ({ data }) => { await http.fetch("http://${host}/"); return data.n }`,
      {
        scripting: { environment: fetching },
      },
    )
    const { atOnce } = context.sandbox
    // The minute passes while the first ones wait for the server.
    for (let n = 0; n < atOnce; n++)
      answers.push((response) => {
        if (n === 0) clock.advance(60_000)
        response.end('{}')
      })
    const stamp = { id: randomUUID() }
    const items = Array.from({ length: atOnce + 3 }, (_, n) => ({ data: { n }, ...(n === atOnce + 2 && { stamp }) }))
    const { body } = await executeAll(id, items)
    const results = body.map(({ type, value }: { type: string; value: { type?: string; limit?: string } }) =>
      type === 'success' ? value : `${value.type} ${value.limit}`,
    )
    const completed = Array.from({ length: atOnce }, (_, n) => n)
    assert.deepEqual(results, [...completed, 'timeout budget', 'timeout budget', 'timeout budget'])
    // Its stamp is free.
    assert.equal((await execute(id, items.at(-1))).body.type, 'success')
  })
})

suite('webtask stamps', () => {
  const counting = `export default async ({ data }) => {
    await http.fetch("http://${host}/count")
    return data.n
  }`
  const scripting = { environment: fetching }

  test('a stamp used again within 24 hours returns the first result, for any webtask of the account', async () => {
    const [id, another] = [await webtask(counting, { scripting }), await webtask('export default () => "another"')]
    const stamp = { id: randomUUID().toUpperCase() }
    const before = seen.length
    const first = await execute(id, { stamp, data: { n: 1 } })
    assert.deepEqual([first.body.id, first.body.value], [stamp.id.toLowerCase(), 1])
    assert.deepEqual((await execute(id, { stamp, data: { n: 2 } })).body, first.body)
    assert.deepEqual((await execute(another, { stamp })).body, first.body)
    const unknown = { receiver: byId('ZZZZZZZZ'), stamp }
    assert.deepEqual((await execute(id, unknown)).body, first.body)
    assert.equal(seen.length, before + 1)
    const theirs = await call('POST', WEBTASKS, { body: { name: 'x' }, key: other.key })
    assert.equal((await execute(theirs.body.id, { stamp }, { key: other.key })).body.value, null)
    clock.advance(24 * 3_600_000 + 1)
    assert.equal((await execute(id, { stamp, data: { n: 3 } })).body.value, 3)
  })

  test('simultaneous executions with the same stamp run once', async () => {
    const id = await webtask(counting, { scripting })
    const stamp = { id: randomUUID() }
    const before = seen.length
    let answer: () => void = () => assert.fail()
    answers.push((response) => {
      answer = () => void response.end('{}')
    })
    const runs = [1, 2, 3].map((n) => execute(id, { stamp, data: { n } }))
    await eventually(() => seen.length > before)
    answer()
    const [one, ...others] = (await Promise.all(runs)).map(({ body }) => body)
    for (const another of others) assert.deepEqual(another, one)
    assert.equal(seen.length, before + 1)
    const listed = await executeAll(
      id,
      [1, 2, 3].map((n) => ({ stamp: { id: '018f0000-0000-7000-8000-000000000001' }, data: { n } })),
    )
    assert.equal(new Set(listed.body.map(({ value }: { value: unknown }) => value)).size, 1)
    assert.equal(seen.length, before + 2)
  })

  test('a failed run is returned again, and one whose process died runs again', async () => {
    const id = await webtask('export default ({ data }) => data.a.b')
    const stamp = { id: randomUUID() }
    const failed = (await execute(id, { stamp })).body
    assert.equal(failed.type, 'error')
    assert.deepEqual((await execute(id, { stamp, data: { a: { b: 1 } } })).body, failed)
    const dead = randomUUID()
    await sql`
      insert into webtask_stamps (account, stamp, claim, claimed_at, contacts)
      values (${own.account}, ${dead}, ${randomUUID()}, ${new Date(clock.now() - 121_000)}, '{}')`.execute(context.db)
    assert.equal((await execute(id, { stamp: { id: dead }, data: { a: { b: 1 } } })).body.value, 1)
  })

  test('a run whose stamp was taken over has no effect', async () => {
    const who = await contact('ida@orchard.example', { Tier: 'none' })
    const id = await webtask(
      `export default async ({ contact }) => {
        targets.update({ type: "id", value: contact.id }, { Tier: "late" })
        await http.fetch("http://${host}/")
        return "late"
      }`,
      { scripting: { environment: { ...fetching, capabilities: ['http.fetch', 'targets.write'] } } },
    )
    const stamp = { id: randomUUID() }
    const before = seen.length
    let answer: () => void = () => assert.fail()
    answers.push((response) => {
      answer = () => void response.end('{}')
    })
    const run = execute(id, { receiver: byId(who), stamp })
    await eventually(() => seen.length > before)
    const result = { type: 'success', id: stamp.id, value: 'first', durationMs: 1, logs: [] }
    await sql`
      update webtask_stamps set claim = ${randomUUID()}, result = ${JSON.stringify(result)}
      where account = ${own.account} and stamp = ${stamp.id}`.execute(context.db)
    answer()
    assert.deepEqual((await run).body, result)
    assert.equal(await tierOf(who), 'none')
  })
})

suite('a full sandbox pool', () => {
  test('returns 503 for one item, and the error "busy" for each item of a batch', async () => {
    const id = await webtask('export default () => 1')
    // They hold longer than others wait for a place.
    const holding = await webtask(`export default () => http.fetch("http://${host}/held", { timeoutMs: 30_000 })`, {
      settings: { wallMs: 30_000 },
      scripting: { environment: fetching },
    })
    const { atOnce } = context.sandbox
    const held: (() => void)[] = []
    for (let n = 0; n < atOnce; n++) answers.push((response) => void held.push(() => response.end('{}')))
    const runs = Array.from({ length: atOnce }, () => execute(holding))
    await eventually(() => held.length === atOnce)
    const stamp = { id: randomUUID() }
    const [one, many] = await Promise.all([execute(id, { stamp }), executeAll(id, [{}, {}])])
    assert.deepEqual(
      [one.status, one.body.type, one.headers['retry-after']],
      [503, 'urn:stentor:problem:overloaded', '1'],
    )
    assert.deepEqual(
      [many.status, many.body.map(({ value }: { value: { type: string } }) => value.type)],
      [200, ['busy', 'busy']],
    )
    for (const answer of held) answer()
    await Promise.all(runs)
    assert.equal((await execute(id, { stamp })).body.value, 1)
    assert.equal((await call('GET', `${WEBTASKS}/${id}/runs`)).body.length, 1)
  })
})
