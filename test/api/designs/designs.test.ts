import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DesignDocument } from '../../../src/features/designs/design-schemas.ts'
import { listLibraryDesigns } from '../../../src/features/designs/library/library.ts'
import type { LibraryDesign, SavedDesign } from '../../../src/features/designs/saved-design-schemas.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call, makeKey, own, other, action, contact } = await startStage()
const library = listLibraryDesigns()
const [newsletter] = library as [LibraryDesign]

/** What the designs of the program read. */
const data = {
  url: 'https://shop.example/new',
  order: {
    number: 'A-1042',
    date: '2026-03-20T08:00:00Z',
    currency: 'EUR',
    total: 74.5,
    url: 'https://shop.example/o',
    address: 'Ann Example, 1 Example Street, Lyon',
    lines: [{ quantity: 2, name: 'Lamp', price: 37.25 }],
  },
  parcel: { date: '2026-03-22', url: 'https://shop.example/p', carrier: 'Example Post', number: 'P-77' },
  cart: {
    currency: 'EUR',
    url: 'https://shop.example/c',
    items: [{ name: 'Lamp', detail: 'brass', price: 37.25, url: 'https://shop.example/lamp' }],
  },
  articles: [{ title: 'Brass', summary: 'From ore to lamp', url: 'https://shop.example/brass' }],
}

interface Rendered {
  html: string
  text: string
  warnings: { pointer: string; detail: string }[]
}

const paragraph = (text: string) => ({ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] })

/** A design of one row with blocks. */
function designOf(...blocks: DesignDocument['rows'][number]['blocks'][number]): DesignDocument {
  return { version: 1, theme: newsletter.design.theme, rows: [{ columns: [100], blocks: [blocks] }] }
}

describe('designs', () => {
  test('are saved, returned unchanged, listed without their rows, changed and deleted', async () => {
    const { design } = newsletter
    const made = await call('POST', '/designs', { body: { name: 'Ours', category: 'news', design } })
    assert.equal(made.status, 200)
    const { id, creationDate, updateDate } = made.body as SavedDesign
    const rest = { id, name: 'Ours', description: null, category: 'news', type: 'design', creationDate, updateDate }
    assert.deepEqual(made.body, { ...rest, design })
    assert.deepEqual((await call('GET', `/designs/${id}`)).body, { ...rest, design })
    assert.deepEqual((await call('GET', '/designs')).body, [rest])
    assert.deepEqual((await call('GET', `/designs/${id}/links`)).body, [])
    const smaller = designOf({ type: 'divider' })
    const changed = await call('PUT', `/designs/${id}`, { body: { description: 'Short', design: smaller } })
    const { updateDate: later } = changed.body as SavedDesign
    assert.deepEqual(changed.body, { ...rest, description: 'Short', updateDate: later, design: smaller })
    assert.equal((await call('DELETE', `/designs/${id}`)).status, 204)
    assert.equal((await call('GET', `/designs/${id}`)).status, 404)
  })

  test('are unknown to another account, and require rights', async () => {
    const { body } = await call('POST', '/designs', { body: { name: 'Ours', design: newsletter.design } })
    const path = `/designs/${(body as SavedDesign).id}`
    for (const [method, url, given] of [
      ['GET', path],
      ['GET', `${path}/links`],
      ['PUT', path, { name: 'Theirs' }],
      ['DELETE', path],
    ] as const)
      assert.equal((await call(method, url, { key: other.key, body: given })).status, 404, `${method} ${url}`)
    const reader = await makeKey(own.account, ['read'])
    assert.equal(
      (await call('POST', '/designs', { key: reader, body: { name: 'x', design: newsletter.design } })).status,
      403,
    )
    assert.equal((await call('GET', path, { key: reader })).status, 200)
  })

  test('are refused with pointers if they cannot be compiled, and nothing is stored', async () => {
    const before = (await call('GET', '/designs')).body
    const design = designOf(
      { type: 'text', text: { type: 'doc', content: [paragraph('{{ contact.Firstname')] } },
      { type: 'product', title: 'x', repeat: { over: 'a %} b', as: 'item' } },
    )
    design.rows.push({ columns: [50, 40], blocks: [[]], condition: '{% if x' })
    const refused = await call('POST', '/designs', { body: { name: 'x', design } })
    assert.equal(refused.status, 400)
    assert.deepEqual((refused.body as { errors: unknown }).errors, [
      {
        pointer: '/design/rows/0/blocks/0/1/repeat/over',
        detail: 'must be a path such as data.products, without braces',
      },
      { pointer: '/design/rows/1/columns', detail: 'must add up to 100, not 90' },
      { pointer: '/design/rows/1/blocks', detail: 'must have one list for each column: 2 lists' },
      { pointer: '/design/rows/1/condition', detail: 'must be the condition between {% if and %}' },
      {
        pointer: '/design/rows/0/blocks/0/0/text/content/0/content/0/text',
        detail: 'has invalid Liquid: output "{{ contact.Firstname" not closed, line:1, col:1',
      },
      {
        pointer: '/design/rows/1/condition',
        detail: 'has invalid Liquid: tag "{% if x" not closed, line:1, col:1',
      },
    ])
    const unknown = await call('POST', '/designs/render', {
      body: { design: { ...design, rows: [{ columns: [100], blocks: [[{ type: 'video' }]] }] } },
    })
    assert.equal(unknown.status, 400)
    assert.deepEqual(
      (unknown.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer),
      ['/design/rows/0/blocks/0/0/type', '/design/rows/0/blocks/0/0'],
    )
    assert.deepEqual((await call('GET', '/designs')).body, before)
  })

  test('over 1,000 blocks or 1 MiB are refused', async () => {
    const many = designOf(...Array.from({ length: 1_001 }, () => ({ type: 'divider' as const })))
    const large = designOf(...Array.from({ length: 6 }, () => ({ type: 'html' as const, html: 'x'.repeat(190_000) })))
    for (const design of [many, large]) {
      for (const url of ['/designs', '/designs/render']) {
        const refused = await call('POST', url, { body: { ...(url === '/designs' && { name: 'x' }), design } })
        assert.equal(refused.status, 400, url)
      }
    }
  })

  test('keep Liquid in text and attributes, and escape everything else', async () => {
    const design = designOf(
      { type: 'heading', text: 'A & B <b> {{ contact.Firstname | default: "a & b" }}' },
      { type: 'button', text: 'Go', href: 'https://shop.example/?a="1"&b={{ contact.Name | default: "x" }}' },
      { type: 'html', html: '<b>{% if data.x < 3 %}as it is{% endif %}</b>' },
      { type: 'footer', address: 'Street', unsubscribe: 'Leave' },
    )
    const { status, body } = await call('POST', '/designs/render', { body: { design } })
    assert.equal(status, 200)
    const { html, text, warnings } = body as Rendered
    assert.match(html, />A &amp; B &lt;b&gt; \{\{ contact\.Firstname \| default: "a & b" \}\}</)
    assert.match(
      html,
      /href="https:\/\/shop\.example\/\?a=&quot;1&quot;&amp;b=\{\{ contact\.Name \| default: 'x' \}\}"/,
    )
    assert.match(html, /<b>\{% if data\.x < 3 %\}as it is\{% endif %\}<\/b>/)
    assert.match(html, /<a href="Unsubscribe" linktype="System"/)
    assert.match(text, /A & B <b> \{\{ contact\.Firstname \| default: "a & b" \}\}/)
    assert.deepEqual(warnings, [])
    assert.doesNotMatch(html, /https?:\/\/(?!shop\.example|www\.w3\.org)/, 'no address that nobody wrote')
  })

  test('warn of images without alt text, buttons without link, poor colours and a missing footer', async () => {
    const design = designOf(
      { type: 'image', src: 'https://shop.example/a.png', alt: '' },
      { type: 'button', text: 'Go', href: '' },
    )
    design.theme = { ...design.theme, dark: null, colours: { ...design.theme.colours, muted: '#bbbbbb' } }
    const { body } = await call('POST', '/designs/render', { body: { design } })
    assert.deepEqual(
      (body as Rendered).warnings.map(({ pointer }) => pointer),
      ['/theme/colours/muted', '/rows/0/blocks/0/0/alt', '/rows/0/blocks/0/1/href', '/rows'],
    )
  })

  test('accept MJML, and refuse invalid MJML and mj-include with 400', async () => {
    const mjml =
      '<mjml><mj-body><mj-section><mj-column><mj-text wrong="1">Hi {{ contact.id }}</mj-text></mj-column></mj-section></mj-body></mjml>'
    const { status, body } = await call('POST', '/designs/render', { body: { mjml } })
    assert.equal(status, 200)
    const { html, text, warnings } = body as Rendered
    assert.match(html, /Hi \{\{ contact\.id \}\}/)
    assert.match(text, /^Hi \{\{ contact\.id \}\}/)
    assert.deepEqual(warnings, [{ pointer: '', detail: 'line 1: Attribute wrong is illegal' }])
    for (const bad of ['<mjml><mj-include path="/etc/passwd" /></mjml>', 'nothing of the kind']) {
      const refused = await call('POST', '/designs/render', { body: { mjml: bad } })
      assert.equal(refused.status, 400)
      assert.equal((refused.body as { errors: { pointer: string }[] }).errors[0]?.pointer, '/mjml')
    }
    for (const none of [{}, { mjml, design: newsletter.design }])
      assert.equal((await call('POST', '/designs/render', { body: none })).status, 400)
  })

  test('more than two concurrent renders wait their turn', async () => {
    const design = newsletter.design
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', '/designs/render', { body: { design } })),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  })
})

describe('library designs', () => {
  test('use no field that the account may lack, so that each can be sent as it is', async () => {
    const { text, body } = await call('GET', '/designs/library?language=en')
    assert.doesNotMatch(text, /contact\.(?!id\b)/)
    const { text: html } = await call('POST', '/designs/render', { body: { design: body[0].design } })
    assert.match(html, /Dear reader,/)
    // Words that a value became are one text with those beside them.
    assert.match(text, /"text":"Dear reader,"/)
  })

  test('are twelve per language, with the same blocks', async () => {
    await call('POST', '/fields', { body: { name: 'Firstname', type: 'textField' } })
    const { body } = await call('GET', '/designs/library')
    assert.deepEqual(body, library)
    assert.equal(library.length, 24)
    const shapeOf = ({ design }: LibraryDesign) =>
      design.rows.map(({ columns, blocks }) => [columns, blocks.map((some) => some.map(({ type }) => type))])
    const french = (await call('GET', '/designs/library?language=fr')).body as LibraryDesign[]
    const english = library.filter(({ language }) => language === 'en')
    assert.deepEqual(french.map(shapeOf), english.map(shapeOf))
    assert.equal((await call('GET', '/designs/library?language=de')).status, 400)
  })

  test('compile without a warning and render for a contact with the data that they read', async () => {
    await contact('ann@shop.example')
    for (const { id, language, category, design } of library) {
      const name = `${id} ${language}`
      const { status, body } = await call('POST', '/designs/render', { body: { design } })
      assert.equal(status, 200, name)
      const { html, warnings } = body as Rendered
      const isService = category === 'service'
      assert.deepEqual(
        warnings.filter(({ pointer }) => !(isService && pointer.endsWith('/unsubscribe'))),
        [],
        name,
      )
      const made = await action({ content: { subject: design.title ?? id, html } })
      const recipient = { type: 'unicity', value: ['ann@shop.example'] }
      const shown = await call('POST', `/actions/${made}/render`, { body: { recipient, data } })
      assert.equal((shown.body as { type: string }).type, 'success', `${name}: ${shown.text.slice(0, 500)}`)
      assert.doesNotMatch((shown.body as { html: string }).html, /\{[{%]/, name)
    }
  })
})
