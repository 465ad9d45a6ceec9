import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DesignDocument } from '../../../src/features/designs/design-schemas.ts'
import { listLibraryDesigns } from '../../../src/features/designs/library/library.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call, contact, context, get, validated } = await startStage()
await call('POST', '/fields', { body: { name: 'Firstname', type: 'textField' } })
await call('POST', '/fields', { body: { name: 'Mobile', type: 'phone' } })
const [newsletter, announcement] = listLibraryDesigns('en').map(({ design }) => design) as [
  DesignDocument,
  DesignDocument,
]

const htmlOf = async (design: DesignDocument): Promise<string> =>
  (await call('POST', '/designs/render', { body: { design } })).body.html

async function made(content: object): Promise<string> {
  const body = { type: 'mailMessage', name: 'Letter', settings: { editionMode: 1 }, content }
  const { status, body: action, text } = await call('POST', '/actions', { body })
  assert.equal(status, 200, text)
  return action.id
}

const put = (id: string, content: object) => call('PUT', `/actions/${id}`, { body: { content } })

describe('content designs', () => {
  test('generate the HTML in place of any given HTML, and set editionMode 0', async () => {
    const id = await made({ subject: 'News', html: '<p>mine</p>', design: newsletter })
    const { content, settings } = await get(id)
    assert.deepEqual([content.html, content.design, settings.editionMode], [await htmlOf(newsletter), newsletter, 0])
    const changed = await put(id, { html: '<p>mine</p>', design: announcement })
    assert.deepEqual(
      [changed.body.content.html, changed.body.content.design],
      [await htmlOf(announcement), announcement],
    )
  })

  test('are replaced whole and never merged', async () => {
    const id = await made({ subject: 'News', design: newsletter })
    const small: DesignDocument = { version: 1, theme: newsletter.theme, rows: [] }
    const { body } = await put(id, { design: small })
    assert.deepEqual(body.content.design, small)
  })

  test('a request cannot bring the HTML that a design would be compiled to', async () => {
    const id = await made({ subject: 'News', html: '<p>mine</p>' })
    const compiledDesign = { design: newsletter, html: '<p>theirs</p>' }
    const { status, body } = await call('PUT', `/actions/${id}`, {
      body: { content: { subject: 'Other' }, compiledDesign },
    })
    assert.deepEqual([status, body.content.html, 'design' in body.content], [200, '<p>mine</p>', false])
  })

  test('a document sent back as read keeps design and HTML', async () => {
    const id = await made({ subject: 'News', design: newsletter })
    const before = await get(id)
    const { status, body } = await call('PUT', `/actions/${id}`, { body: before })
    assert.equal(status, 200)
    assert.deepEqual(body.content, before.content)
  })

  test('an update of only the HTML removes the design, and the same HTML keeps it', async () => {
    const id = await made({ subject: 'News', design: newsletter })
    const { html } = (await get(id)).content
    assert.deepEqual((await put(id, { html, subject: 'Other' })).body.content.design, newsletter)
    const { content } = (await put(id, { html: '<p>mine</p>' })).body
    assert.equal(content.html, '<p>mine</p>')
    assert.ok(!('design' in content), 'it is absent')
  })

  test('null removes the design and keeps the HTML', async () => {
    const id = await made({ subject: 'News', design: newsletter })
    const { html } = (await get(id)).content
    const { content } = (await put(id, { design: null })).body
    assert.deepEqual([content.html, 'design' in content], [html, false])
  })

  test('are 400 with pointers if they do not compile, and nothing is stored', async () => {
    const id = await made({ subject: 'News', design: newsletter })
    const before = await get(id)
    const bad = { ...announcement, rows: [{ columns: [40], blocks: [[]] }] }
    const refused = await put(id, { subject: 'Other', design: bad })
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.errors, [
      { pointer: '/content/design/rows/0/columns', detail: 'must add up to 100, not 40' },
    ])
    assert.deepEqual(await get(id), before)
  })

  test('are copied, stored with the content version, and omitted from lists', async () => {
    const id = await made({ subject: 'News', design: newsletter })
    const copy = await call('POST', `/actions/${id}/duplication`)
    assert.deepEqual(copy.body.content.design, newsletter)
    await contact('proof@desk.example')
    await validated(id)
    const versions = await context.db.selectFrom('content_versions').select(['design', 'source']).execute()
    assert.ok(versions.length > 0)
    for (const { design, source } of versions) {
      assert.deepEqual(design, newsletter)
      assert.doesNotMatch(JSON.stringify(source), /preheader/)
    }
    assert.doesNotMatch(JSON.stringify((await call('GET', '/actions')).body), /preheader/)
  })

  test('are ignored in SMS', async () => {
    const body = { type: 'smsMessage', name: 'Text', content: { textContent: 'Hi', design: newsletter } }
    const { status, body: action } = await call('POST', '/actions', { body })
    assert.equal(status, 200)
    assert.deepEqual(action.content, { textContent: 'Hi' })
  })
})
