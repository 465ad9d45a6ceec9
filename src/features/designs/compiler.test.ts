import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { watchThreads } from '../../../test/fakes/threads.ts'
import { eventually } from '../../../test/support/wait.ts'
import type { Problem } from '../../lib/problem.ts'
import { createCompiler } from './compiler.ts'
import type { Design } from './design-schemas.ts'
import { libraryDesigns } from './library/library.ts'

const design = libraryDesigns('en')[0]?.design as Design
const threads = watchThreads()
const source = { design, base: '/design' }

describe('design compiler', () => {
  const slow = createCompiler({ limitMs: 1 })
  const compiler = createCompiler({ limitMs: 60_000, threads: 1 })
  after(() => Promise.all([slow.close(), compiler.close()]))

  test('refuses a design that takes too long in two threads, and compiles the next one in a new thread', async () => {
    // Where this thread was busy, a design may be compiled before its thread is looked at.
    const refused = () =>
      assert.rejects(slow.compile(source), ({ status, errors }: Problem) => {
        assert.deepEqual(errors, [{ pointer: '/design', detail: 'takes too long to compile: make it smaller' }])
        return status === 400
      })
    const before = threads.started()
    for (const _ of [1, 2]) await eventually(() => refused().then(() => true))
    assert.ok(threads.started() >= before + 4)
  })

  test('compiles one design per thread at a time, previews last', async () => {
    const order: string[] = []
    const compile = async (name: string, isPreview: boolean) => {
      const compiled = await compiler.compile(source, { isPreview })
      order.push(name)
      return compiled
    }
    const all = [compile('first', true), compile('preview', true), compile('save', false)]
    const [first, ...others] = await Promise.all(all)
    assert.deepEqual(others, [first, first])
    assert.deepEqual(order, ['first', 'save', 'preview'])
  })

  test('compiles the same design to the same HTML each time', async () => {
    const [one, other] = [await compiler.compile(source), await compiler.compile(source)]
    assert.deepEqual(one, other)
  })
})
