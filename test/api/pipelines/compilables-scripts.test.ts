import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { compilableStage, path, pipeline } from '../../support/stages/pipeline-stage.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, own, other, makeKey } = stage
const { make, made, url, execute, preview, resultOf, errorOf } = compilableStage(stage)

const module = (body: string) => `export default async (input) => {\n${body}\n}`
const scripted = (body: string, more: object = {}) => ({ type: 'script', value: module(body), ...more })
const granted = (...capabilities: string[]) => ({ scripting: { environment: { capabilities } } })
const who = [{ name: 'who', type: 'string', default: '<Ann>' }]

suite('compilable templates', () => {
  const template = (value: string, more: object = {}) => ({ type: 'template', value, parameters: who, ...more })

  test('output is text, escaped HTML or parsed JSON', async () => {
    assert.equal(await resultOf(template('Dear {{ arguments.who }}!')), 'Dear <Ann>!')
    assert.equal(await resultOf(template('Dear {{ arguments.who }}!', { output: 'html' })), 'Dear &lt;Ann&gt;!')
    const json = template('{"who": {{ arguments.who | json }}, "n": [1]}', { output: 'json' })
    assert.deepEqual(await resultOf(json, { who: 'Bob' }), { who: 'Bob', n: [1] })
    clock.set('2031-06-15T12:00:00Z')
    assert.equal(await resultOf(template('{{ arguments.nothing }}|{{ now | date: "%Y" }}')), '|2031')
  })

  test('invalid JSON, endless loops and overlong output are errors, with a position where there is one', async () => {
    assert.match((await errorOf(template('{', { output: 'json' }))).message, /valid JSON/)
    const endless = await errorOf(template('a\n {% for i in (1..9999999) %}xxxxxxxx{% endfor %}'))
    assert.deepEqual({ ...endless, message: '' }, { type: 'template', message: '', position: { line: 2, column: 2 } })
    const large = template('{% for i in (1..300) %}{{ arguments.who }}{% endfor %}')
    assert.equal((await errorOf(large, { who: 'x'.repeat(1000) })).type, 'template')
  })

  test('a preview of a template reads no rows', async () => {
    const { body } = await preview(await made(template('x')))
    assert.deepEqual(
      { ...body, plan: { ...body.plan, durationMs: 0 } },
      {
        type: 'success',
        arguments: { who: '<Ann>' },
        value: 'x',
        writes: [],
        plan: { sql: 0, memory: 0, rowsRead: 0, durationMs: 0 },
      },
    )
  })
})

suite('compilable scripts', () => {
  test('receive arguments and their environment and return JSON', async () => {
    const value = scripted('return { given: input.arguments, rate: environment.rate, contact: input.contact }', {
      parameters: who,
      scripting: { environment: { variables: { rate: 2 } } },
    })
    assert.deepEqual(await resultOf(value), { given: { who: '<Ann>' }, rate: 2, contact: null })
  })

  test('import modules and webtasks, and become drafts when an imported export is removed', async () => {
    const webtask = await call('POST', '/scripting/webtasks', {
      body: { name: 'twice', value: 'export const twice = (n) => 2 * n; export default () => null' },
    })
    assert.equal(webtask.status, 200, webtask.text)
    const imports = [
      { name: 'one', type: 'source', value: 'export const one = 1' },
      { name: 'w', type: 'webtask', value: webtask.body.id },
    ]
    const value = {
      type: 'script',
      value: 'import { one } from "one"; import { twice } from "w"; export default () => twice(one)',
      scripting: { imports },
    }
    const id = await made(value)
    assert.deepEqual((await execute(id)).body.value, 2)
    const source = 'export const thrice = 1; export default () => null'
    assert.equal((await call('PUT', `/scripting/webtasks/${webtask.body.id}`, { body: { value: source } })).status, 200)
    assert.equal((await call('GET', url(id))).body.state, 'draft', 'what it imports has gone')
  })

  test('errors have the types and positions of script errors', async () => {
    const thrown = await errorOf(scripted('throw new Error("no")'))
    assert.deepEqual(
      { ...thrown, stack: '' },
      { type: 'script', message: 'no', position: { line: 2, column: 16 }, stack: '' },
    )
    assert.equal((await errorOf(scripted('while (true) {}'))).type, 'timeout')
    assert.equal((await errorOf(scripted('return () => 1'))).type, 'result')
    assert.equal((await errorOf(scripted('return http.fetch("https://x.example")'))).type, 'script')
  })

  test('secrets are sealed, shown as "***" and retained when that is sent back', async () => {
    const value = scripted('return 1', { scripting: { environment: { secrets: { shop: 's3cret' } } } })
    const { body } = await make({ name: 'secret', value })
    assert.deepEqual(body.value.scripting.environment.secrets, { shop: '***' })
    const stored = async () =>
      (await stage.context.pool.query('select value::text as value from compilables where id = $1', [body.id])).rows[0]
        .value
    const before = await stored()
    assert.doesNotMatch(before, /s3cret/)
    const put = await call('PUT', url(body.id), { body: { ...body, name: 'renamed' } })
    assert.equal(put.status, 200, put.text)
    assert.equal(await stored(), before)
    const without = await call('PUT', url(body.id), { body: { value: scripted('return 2') } })
    assert.deepEqual(without.body.value.scripting.environment, { secrets: { shop: '***' } })
  })

  test('writes are applied after the script returns, all of them or none', async () => {
    const address = 'written@scripts.example'
    const value = (end: string) => scripted(`targets.create({ Email: "${address}" }); ${end}`, granted('targets.write'))
    const read = () => call('GET', `/targets?unicity=${address}`)
    assert.equal((await errorOf(value('throw new Error("no")'))).type, 'script')
    assert.equal((await read()).status, 404)
    const refused = (await errorOf(
      value('targets.update({ type: "id", value: "00000001" }, { Nothing: 1 })'),
    )) as unknown as {
      type: string
      call: number
      problem: { status: number }
    }
    assert.deepEqual([refused.type, refused.call, refused.problem.status], ['write', 2, 404])
    assert.equal((await read()).status, 404)
    const { body } = await preview(await made(value('return "shown"')))
    assert.deepEqual(
      [body.type, body.value, body.writes],
      ['success', 'shown', [{ call: 'targets.create', arguments: [{ Email: address }] }]],
    )
    assert.equal((await read()).status, 404)
    assert.equal(await resultOf(value('return "done"')), 'done')
    assert.equal((await read()).status, 200)
  })

  test('a preview shows the log, also of a failed script', async () => {
    const logged = await preview(await made(scripted('log("a", 1)')))
    assert.deepEqual(
      logged.body.logs.map(({ text }: { text: string }) => text),
      ['a 1'],
    )
    const failed = await preview(await made(scripted('log("b"); throw 1')))
    assert.deepEqual([failed.body.type, failed.body.logs.length], ['error', 1])
  })

  test('a key without the rights for the capabilities gets 403 and nothing runs', async () => {
    const reader = await makeKey(own.account, ['read'])
    const writer = await makeKey(own.account, ['read', 'write'])
    const value = scripted('targets.create({ Email: "right@scripts.example" })', granted('targets.write'))
    const id = await made(value)
    for (const run of [execute, preview]) assert.equal((await run(id, undefined, { key: reader })).status, 403)
    assert.equal((await execute(id, undefined, { key: writer })).status, 200)
    const sending = { ...value, ...granted('actions.send') }
    assert.equal((await make({ name: 'x', value: sending }, { key: writer })).status, 403)
    assert.equal((await call('PUT', url(id), { body: { value: sending }, key: writer })).status, 403)
    const draft = await preview(await made(pipeline([], [])), { value }, { key: reader })
    assert.equal(draft.status, 403)
  })
})

suite('compilables executed by scripts', () => {
  const calling = (id: unknown, given: unknown = {}) =>
    scripted(
      `return compilables.execute(${JSON.stringify(id)}, ${JSON.stringify(given)})`,
      granted('compilables.execute'),
    )

  test('return their value, and errors reach the calling script', async () => {
    const rows = await made(
      pipeline(
        [{ n: 1 }, { n: 2 }],
        [{ type: 'limit', count: path('arguments.top') }],
        [{ name: 'top', type: 'number' }],
      ),
    )
    assert.deepEqual(await resultOf(calling(rows, { top: 1 })), [{ n: 1 }])
    assert.match((await errorOf(calling(rows, { top: 'x' }))).message, /must be a number/)
    assert.match((await errorOf(calling('x'))).message, /There is no compilable x/)
    const foreign = await make({ name: 'x', value: pipeline([], []) }, { key: other.key })
    assert.match((await errorOf(calling(foreign.body.id))).message, /There is no compilable/)
    const draft = await made(pipeline({ type: 'segment', segment: 99_999 }, []))
    assert.match((await errorOf(calling(draft))).message, /has flaws/)
    assert.match((await errorOf(calling(await made(scripted('throw new Error("inner")'))))).message, /inner/)
  })

  test('can be nested at most 5 deep', async () => {
    let id = await made(scripted('return "end"'))
    for (let n = 0; n < 4; n++) id = await made(calling(id))
    assert.equal((await execute(id)).body.value, 'end')
    const deeper = await execute(await made(calling(id)))
    assert.equal(deeper.body.type, 'error')
    assert.match(deeper.body.value.message, /5 levels deep/)
  })

  test('may only read, so one that may write is refused', async () => {
    const writing = await made(scripted('return 1', granted('targets.write')))
    const { type, message } = await errorOf(calling(writing))
    assert.deepEqual([type, /targets\.write/.test(message)], ['capability', true])
  })
})
