import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import type { App } from '../../src/http/app-type.ts'
import { type Document, operationsOf } from '../../src/http/description/document.ts'
import { readExamples } from '../../src/http/description/examples.ts'
import { startHarness } from '../harness.ts'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document
const examples = readExamples()

/** The answer to a request that nothing refused before its handler. */
const ACCEPTED = 299

/** What examples name is not there: a request that the service accepts goes no further than its handler. */
function stopBeforeHandlers(app: App): void {
  app.addHook('preHandler', async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(ACCEPTED).end()
  })
}

const { call } = await startHarness({}, {}, stopBeforeHandlers)

suite('examples of requests', () => {
  for (const { method, operation } of operationsOf(document)) {
    const example = examples[operation.operationId!]
    // Those that ask for a session are refused before they are read.
    const isKeyed = operation.security === undefined || operation.security.some((one) => 'key' in one)
    if (!example?.request || !isKeyed) continue
    test(`${operation.operationId}: the service accepts it`, async () => {
      const { type, body } = example.request!
      const options = { body: JSON.stringify(body), headers: { 'content-type': type } }
      const { status, text } = await call(method.toUpperCase(), example.path, options)
      assert.equal(status, ACCEPTED, text)
    })
  }

  test('a request that is wrong is not accepted', async () => {
    const { status } = await call('POST', '/actions', { body: { type: 'letter' } })
    assert.equal(status, 400)
  })
})
