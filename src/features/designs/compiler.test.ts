import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { watchThreads } from '#test/fakes/threads.ts'
import type { Problem } from '../../lib/errors/problem.ts'
import { createDesignCompiler } from './compiler.ts'
import type { DesignDocument } from './design-schemas.ts'
import { listLibraryDesigns } from './library/library.ts'

const design = listLibraryDesigns('en')[0]?.design as DesignDocument
const threads = watchThreads()
const source = { design, base: '/design' }

describe('design compiler', () => {
  const slow = createDesignCompiler({ limitMs: 1 })
  const compiler = createDesignCompiler({ limitMs: 60_000, threads: 1 })
  after(() => Promise.all([slow.close(), compiler.close()]))

  test('refuses a source that takes too long in two threads, and goes on with new ones', async () => {
    const section = '<mj-section><mj-column><mj-text>Text</mj-text></mj-column></mj-section>'
    const long = { mjml: `<mjml><mj-body>${section.repeat(5000)}</mj-body></mjml>`, base: '/mjml' }
    for (const _ of [1, 2]) {
      const before = threads.started()
      await assert.rejects(slow.compile(long), ({ status, errors }: Problem) => {
        assert.deepEqual(errors, [{ pointer: '/mjml', detail: 'takes too long to compile: make it smaller' }])
        return status === 400
      })
      assert.equal(threads.started(), before + 2)
    }
  })

  test('compiles one design per thread at a time, previews last', async () => {
    // The thread starts before the first wait, so that none includes its start.
    await compiler.compile(source)
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

  test('warns of Liquid and other text between elements, which MJML leaves out, with its place', async () => {
    const mjml = `<mjml><mj-head><mj-title>T</mj-title><mj-html-attributes><mj-selector path=".a"><mj-html-attribute name="b">c</mj-html-attribute></mj-selector></mj-html-attributes></mj-head>
<mj-body><mj-section>
  {% if data.vip < 2 %}
  <mj-column><mj-text>Hi<br>{{ data.x }}</mj-text><mj-image src="https://shop.example/a.png" /></mj-column>
  {% endif %}
  <mj-column>Hello &amp; welcome<mj-raw>{% if data.y %}</mj-raw><mj-text /><mj-raw>{% endif %}</mj-raw></mj-column>
  <!-- {% comment %} -->
</mj-section></mj-body></mjml>`
    const { html, warnings } = await compiler.compile({ mjml, base: '/mjml' })
    assert.ok(!html.includes('data.vip') && !html.includes('welcome') && html.includes('data.y'))
    const rule = 'is between elements and was ignored; put it in mj-raw'
    assert.deepEqual(warnings, [
      { pointer: '', detail: `line 3, column 3: "{% if data.vip < 2 %}" ${rule}` },
      { pointer: '', detail: `line 5, column 3: "{% endif %}" ${rule}` },
      { pointer: '', detail: `line 6, column 14: "Hello" ${rule}` },
    ])
  })

  test('compiles the same design to the same HTML each time', async () => {
    const [one, other] = [await compiler.compile(source), await compiler.compile(source)]
    assert.deepEqual(one, other)
  })
})
