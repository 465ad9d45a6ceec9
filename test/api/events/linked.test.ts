import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call } = stage

let named = 0
async function made(url: string, body: object): Promise<{ id: number | string; identifier?: { guid: number } }> {
  const answer = await call('POST', url, { body: { name: `Linked ${++named}`, ...body } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Things that something else holds on to: their paths, and those of their holders. */
const holds: Record<string, () => Promise<{ held: string; holder: string }>> = {
  'a segment that is a parent': async () => {
    const parentId = await stage.segment([], { type: 'dynamic' })
    const { id } = await made('/segments', { type: 'dynamic', parentId })
    return { held: `/segments/${parentId}`, holder: `/segments/${id}` }
  },
  'a segment within criteria': async () => {
    const segment = await stage.segment([])
    const { id } = await made('/segments', { type: 'dynamic', criteria: { all: [{ type: 'segment', segment }] } })
    return { held: `/segments/${segment}`, holder: `/segments/${id}` }
  },
  'a segment that an import fills': async () => {
    const segmentId = await stage.segment([])
    const { id } = await made('/imports', { features: [{ type: 'segmentation', segmentId }] })
    return { held: `/segments/${segmentId}`, holder: `/imports/${id}` }
  },
  'a segment of a campaign': async () => {
    const selected = [await stage.segment([])]
    const id = await stage.action({ type: 'mailCampaign', scheduler: { type: 'asap', segments: { selected } } })
    return { held: `/segments/${selected[0]}`, holder: `/actions/${id}` }
  },
  'a form that an action links to': async () => {
    const field = await made('/fields', { type: 'textField' })
    const form = await made('/forms', { fields: [{ field: field.id }] })
    const html = `<a href="${form.id}" linktype="form">x</a>`
    const id = await stage.action({ content: { subject: 'Hi', html } })
    return { held: `/forms/${form.id}`, holder: `/actions/${id}` }
  },
  'a field of a form': async () => {
    const field = await made('/fields', { type: 'textField' })
    const { id } = await made('/forms', { fields: [{ field: field.id }] })
    return { held: `/fields/${field.id}`, holder: `/forms/${id}` }
  },
  'a value list of a field': async () => {
    const list = await made('/valueLists', { values: [{ value: 'Ms' }] })
    const { id } = await made('/fields', { type: 'singleSelectList', valueListId: list.id })
    return { held: `/valueLists/${list.id}`, holder: `/fields/${id}` }
  },
  'an import format': async () => {
    const field = (await call('GET', '/fields')).body[0].id
    const { identifier } = await made('/importFormats', { binds: [{ columnIndex: 0, fieldId: field }] })
    const { id } = await made('/imports', { binding: identifier?.guid })
    return { held: `/importFormats/${identifier?.guid}`, holder: `/imports/${id}` }
  },
}

suite('the deletion of an object in use', () => {
  for (const [name, hold] of Object.entries(holds)) {
    test(`is refused with or without If-Match until the object is free: ${name}`, async () => {
      const { held, holder } = await hold()
      const refusal = async (headers: Record<string, string>) => {
        const { status, body } = await call('DELETE', held, { headers })
        const { instance: _, ...problem } = body
        return { status, problem }
      }
      const etag = String((await call('GET', held)).headers['etag'])
      const plain = await refusal({})
      assert.equal(plain.status, 409, JSON.stringify(plain))
      assert.deepEqual(await refusal({ 'if-match': etag }), plain)
      assert.deepEqual(await refusal({ 'if-match': '*' }), plain)
      assert.equal((await call('DELETE', held, { headers: { 'if-match': '"other"' } })).status, 412)
      assert.equal((await call('DELETE', holder)).status, 204)
      assert.equal((await call('DELETE', held, { headers: { 'if-match': '*' } })).status, 204)
      assert.equal((await call('GET', held)).status, 404)
    })
  }
})
