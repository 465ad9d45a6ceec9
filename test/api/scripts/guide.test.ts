import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startWebtaskStage, WEBTASKS } from '../../support/stages/webtask-stage.ts'

/*
 * The examples of docs/reference/scripts.md are stored and run as they are printed there; the server of the shop is one of this machine.
 */

const { answers, app, call, execute, host, seen } = await startWebtaskStage()
const guide = await readFile(new URL('../../../docs/reference/scripts.md', import.meta.url), 'utf8')

/** The JSON of an example, with the server of the test in the place of the shop. */
function example(name: string): Record<string, unknown> {
  const [, text = ''] = new RegExp(`\`\`\`json ${name}\\n(.*?)\`\`\``, 's').exec(guide) ?? []
  return JSON.parse(
    text
      .replaceAll('https://points.shop.example', `http://${host}`)
      .replaceAll('points.shop.example', `http://${host}`),
  )
}

test('webtasks guide: the example fetches points from a shop, once for each stamp', async () => {
  assert.equal((await call('POST', '/fields', { body: { name: 'Tier', type: 'textField' } })).status, 200)
  const { body: ann } = await call('POST', '/targets', { body: { Email: 'ann@orchard.example' } })
  const made = await call('POST', WEBTASKS, { body: example('points') })
  assert.equal(made.status, 200, made.text)
  const { id, scripting } = made.body
  assert.deepEqual(scripting.environment.secrets, { shop: '***' })

  answers.push((response) => void response.end('{"points":1200}'))
  const { body } = await execute(id, example('item'))
  const { durationMs, logs, ...result } = body
  assert.deepEqual(result, example('result'))
  assert.deepEqual([Number.isInteger(durationMs), logs[0].text], [true, 'points 1200'])
  assert.deepEqual(
    seen.map(({ url, headers }) => [url, headers.authorization]),
    [['/customers/c-17', 'Bearer the key that the shop gave you']],
  )
  assert.ok(Object.values((await call('GET', `/targets/${ann.id}`)).body.fields).includes('gold'))
  assert.deepEqual((await execute(id, example('item'))).body, body)
  assert.equal(seen.length, 1)

  answers.push((response) => void response.writeHead(503).end())
  const failed = await execute(id, { ...example('item'), stamp: null })
  assert.equal(failed.body.value.message, 'The shop answered 503')

  const token = await call('POST', `${WEBTASKS}/${id}/cipher`, { body: { data: { customer: 'c-18' } } })
  answers.push((response) => void response.end('{"points":12}'))
  const visited = await app.inject({ url: new URL(token.body.url).pathname })
  assert.deepEqual(visited.json(), { points: 12, tier: 'blue' })
})

test('compilables guide: the pipeline picks the best customers, and the template works', async () => {
  for (const name of ['Age', 'Spent'])
    assert.equal((await call('POST', '/fields', { body: { name, type: 'numeric' } })).status, 200)
  const customers = [
    { Email: 'ann@orchard.example', Age: 30, Spent: 640 },
    { Email: 'bob@orchard.example', Age: 17, Spent: 2000 },
    { Email: 'cleo@orchard.example', Age: 41, Spent: 912.5 },
    { Email: 'dan@orchard.example', Age: 18, Spent: 12 },
  ]
  const imported = await Promise.all(customers.map((body) => call('PUT', '/targets', { body })))
  assert.deepEqual(
    imported.map(({ status }) => status),
    customers.map(() => 200),
  )
  const stored = async (name: string) => {
    const { status, body, text } = await call('POST', '/scripting/compilables', { body: example(name) })
    assert.deepEqual([status, body.state], [200, 'ready'], text)
    return `/scripting/compilables/${body.id}`
  }
  const pipeline = await stored('pipeline')
  assert.deepEqual((await call('POST', `${pipeline}/execution`, { body: { top: 2 } })).body, example('rows'))
  const { value, plan } = (await call('POST', `${pipeline}/preview`)).body
  assert.deepEqual([value.length, plan.sql, plan.memory], [3, 4, 0])
  const { body } = await call('POST', `${await stored('template')}/execution`, { body: { name: 'Ann', points: 120 } })
  assert.deepEqual(body, { type: 'success', arguments: { name: 'Ann', points: 120 }, value: 'Dear Ann' })
})
