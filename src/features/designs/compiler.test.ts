import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventually } from '../../../test/support/wait.ts'
import type { Problem } from '../../lib/problem.ts'
import { createCompiler } from './compiler.ts'
import type { Design } from './design-schemas.ts'
import { libraryDesigns } from './library/library.ts'

const design = libraryDesigns('en')[0]?.design as Design
const source = { design, base: '/design' }

describe('design compiler', () => {
  const slow = createCompiler({ limitMs: 1 })
  const compiler = createCompiler({ limitMs: 60_000, threads: 1 })
  after(() => Promise.all([slow.close(), compiler.close()]))

  test('refuses a design that takes too long and compiles the next one in a new thread', async () => {
    // Where this thread was busy, a design may be compiled before its thread is looked at.
    const refused = () =>
      assert.rejects(slow.compile(source), ({ status, errors }: Problem) => {
        assert.deepEqual(errors, [{ pointer: '/design', detail: 'takes too long to compile: make it smaller' }])
        return status === 400
      })
    for (const _ of [1, 2]) await eventually(() => refused().then(() => true))
  })

  test('compiles one design per thread at a time and refuses more with 503', async () => {
    const first = compiler.compile(source)
    await assert.rejects(compiler.compile(source), ({ status }: Problem) => status === 503)
    const { html } = await first
    assert.deepEqual(await compiler.compile(source), { ...(await first), html })
  })

  test('compiles the same design to the same HTML each time', async () => {
    const [one, other] = [await compiler.compile(source), await compiler.compile(source)]
    assert.deepEqual(one, other)
  })
})
