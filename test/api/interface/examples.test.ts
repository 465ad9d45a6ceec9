import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import type { HttpApp } from '../../../src/http/app-type.ts'
import { listOpenApiOperations, type OpenApiDocument } from '../../../src/http/openapi/document.ts'
import { readOperationExamples } from '../../../src/http/openapi/examples.ts'
import { startHarness } from '../../support/harness.ts'
import { makePerson, signedIn } from '../../support/stages/people.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument
const examples = readOperationExamples()

/** The answer to a request that nothing refused before its handler. */
const ACCEPTED = 299

let isStopping = false

/** What examples name is not there: a request that the service accepts goes no further than its handler. */
function stopBeforeHandlers(app: HttpApp): void {
  app.addHook('preHandler', async (_request, reply) => {
    if (!isStopping) return
    reply.hijack()
    reply.raw.writeHead(ACCEPTED).end()
  })
}

const harness = await startHarness({}, {}, stopBeforeHandlers)
const { call, own } = harness
const person = await makePerson(harness, 'Ada', [[own, 'admin']], { operator: true })
const browser = await signedIn(harness, person)
isStopping = true

suite('request examples', () => {
  for (const { method, operation } of listOpenApiOperations(document)) {
    const { operationId = '', security } = operation
    const { path, request } = examples[operationId] ?? {}
    // The token of this one is looked up first.
    if (path === undefined || !request || path.startsWith('/hooks/rcs/')) continue
    const isKeyed = security === undefined || security.some((one) => 'key' in one)
    test(`the service accepts the example of ${operationId}`, async () => {
      const { type, body } = request
      const headers = { 'content-type': type }
      const { status, text } = isKeyed
        ? await call(method.toUpperCase(), path, { body: JSON.stringify(body), headers })
        : await browser.visit(method.toUpperCase(), path, { body, headers, account: own.code })
      assert.equal(status, ACCEPTED, text)
    })
  }

  test('an invalid request is refused', async () => {
    const asKey = await call('POST', '/actions', { body: { type: 'letter' } })
    const asPerson = await browser.visit('PUT', '/me', { body: { name: 7 } })
    assert.deepEqual([asKey.status, asPerson.status], [400, 400])
  })
})
