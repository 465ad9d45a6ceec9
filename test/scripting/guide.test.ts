import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startWebtaskStage, WEBTASKS } from '../webtask-stage.ts'

/*
 * The example of docs/scripts.md is stored and run as it is printed there; the server of the shop is one of this machine.
 */

const { answers, app, call, execute, host, seen } = await startWebtaskStage()
const guide = await readFile(new URL('../../docs/scripts.md', import.meta.url), 'utf8')

/** The JSON of an example, with the server of the test in the place of the shop. */
function example(name: string): Record<string, unknown> {
  const [, text = ''] = new RegExp(`\`\`\`json ${name}\\n(.*?)\`\`\``, 's').exec(guide) ?? []
  return JSON.parse(
    text
      .replaceAll('https://points.shop.example', `http://${host}`)
      .replaceAll('points.shop.example', `http://${host}`),
  )
}

test('the guide to webtasks: one that asks a shop for points', async () => {
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
