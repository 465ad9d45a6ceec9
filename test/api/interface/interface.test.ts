import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import operations from '../../../src/http/operations.json' with { type: 'json' }
import { startHarness } from '../../support/harness.ts'

const harness = await startHarness()

/** A path that fits every parameter of an operation, whatever its kind of id. */
function example(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '000001')
}

function name({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`
}

suite('the API interface', () => {
  test('the operations list equals the contract', (t) => {
    const contract = new URL('../../../../shared/interface/operations.json', import.meta.url)
    if (!existsSync(contract)) return t.skip('the contract is not beside this checkout')
    assert.deepEqual(operations, JSON.parse(readFileSync(contract, 'utf8')))
  })

  test('every operation is served', async () => {
    for (const operation of operations) {
      const { status, body } = await harness.call(operation.method, example(operation.path))
      assert.notEqual(status, 405, name(operation))
      assert.ok(
        status !== 404 || body === undefined || body.detail !== 'Unknown path.',
        `${name(operation)} has no route`,
      )
    }
  })

  test('every operation requires a key', async () => {
    for (const operation of operations) {
      const { status } = await harness.call(operation.method, example(operation.path), { key: null })
      assert.equal(status, 401, name(operation))
    }
  })

  test('the OpenAPI document contains every operation', async () => {
    const { body } = await harness.call('GET', '/openapi.json', { key: null })
    assert.equal(body.openapi, '3.1.0')
    const documented = Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`.replaceAll(/\{\w+\}/g, '{}').toLowerCase()),
    )
    const missing = operations
      .map(name)
      .filter((operation) => !documented.includes(operation.replaceAll(/\{\w+\}/g, '{}').toLowerCase()))
    assert.deepEqual(missing, [])
  })
})
