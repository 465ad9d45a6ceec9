import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'
import { assertPending, callTool, callTwice, connected, listening, problemOf, untrusted } from './clients.ts'

const stage = await startStage()
const { own, other, call } = stage
const url = await listening(stage)
const client = await connected(url, { 'x-key': own.key })
const rival = await connected(url, { 'x-key': other.key })
const reader = await connected(url, { 'x-key': await stage.makeKey(own.account, ['read']) })

const read = async (path: string) => (await call('GET', path)).body

suite('MCP tools that write', () => {
  test('a contact is created, and changed by its address', async () => {
    const created = await callTool(client, 'save_contact', { values: { Email: 'ann@reader.example' } })
    const { id } = created.value
    assert.deepEqual(created.value, { id, created: true })
    const duplicate = await callTool(client, 'save_contact', { values: { Email: 'ann@reader.example' } })
    assert.equal(problemOf(duplicate), 'unicity-taken')
    assert.match(duplicate.value.error.next, /pass its id to save_contact/)
    const values = { Email: 'ann.new@reader.example' }
    const changed = await callTool(client, 'save_contact', { id: 'ann@reader.example', values })
    assert.deepEqual(changed.value, { id, created: false })
    const shown = (await callTool(client, 'read_contact', { id })).value.contact.data
    assert.equal(shown.fields.Email, 'ann.new@reader.example')
    assert.equal(problemOf(await callTool(rival, 'save_contact', { id, values })), 'not-found')
    assert.equal(problemOf(await callTool(reader, 'save_contact', { id, values })), 'right-missing')
  })

  test('fields are listed, created with their values, and changed', async () => {
    const city = (await callTool(client, 'save_field', { name: 'City', type: 'textField' })).value
    assert.equal(city.created, true)
    const size = await callTool(client, 'save_field', { name: 'Size', type: 'singleSelectList', values: ['S', 'M'] })
    assert.equal(size.isError, false, JSON.stringify(size.value))
    await callTool(client, 'save_field', { id: city.id, name: 'Town' })
    const fields = (await callTool(client, 'list_fields')).value.fields.data as Record<string, unknown>[]
    assert.equal(fields.find(({ id }) => id === city.id)?.['name'], 'Town')
    assert.deepEqual(fields.find(({ id }) => id === size.value.id)?.['values'], ['S', 'M'])
    const { id } = (await callTool(client, 'save_contact', { values: { Email: 'ben@reader.example', Town: 'Lyon' } }))
      .value
    const matches = await callTool(client, 'find_contacts', { query: id })
    assert.equal(matches.value.contacts.data[0].fields.Town, 'Lyon')
    const late = await callTool(client, 'save_field', { id: city.id, values: ['A'] })
    assert.equal(problemOf(late), 'invalid-request')
  })

  test('a segment that is in use gets other criteria only with a confirmation', async () => {
    const [{ id: field }] = await read('/fields')
    const criteria = (value: string) => ({ type: 'field', field, operator: 'contains', value })
    const { id } = (await callTool(client, 'save_segment', { name: 'Readers', criteria: criteria('ann') })).value
    const changed = await callTool(client, 'save_segment', { id, criteria: criteria('reader.example') })
    assert.deepEqual(changed.value, { id, created: false })
    const scheduler = { type: 'asap', segments: { selected: [id] } }
    await stage.action({ type: 'mailCampaign', name: 'Uses it', scheduler })
    const renamed = await callTool(client, 'save_segment', { id, name: 'All readers' })
    assert.equal(renamed.value.created, false)
    const before = await read(`/segments/${id}`)
    const uses = await read(`/segments/${id}/links`)
    const args = { id, criteria: criteria('ben') }
    const first = await callTool(client, 'save_segment', args)
    const { newCriteria } = first.value.object.data
    assert.match(newCriteria, /ben/)
    assertPending(first, {
      will: 'change which contacts are in a segment that is in use',
      count: 1,
      of: 'contacts that would be in the segment',
      object: untrusted({ segment: before, uses, newCriteria }),
    })
    assert.deepEqual((await read(`/segments/${id}`)).criteria, before.criteria)
    const { confirmation } = first.value
    const done = await callTool(client, 'save_segment', { ...args, confirmation })
    assert.deepEqual(done.value.result, untrusted({ id, created: false }))
    assert.deepEqual((await read(`/segments/${id}`)).criteria, args.criteria)
  })

  test('designs are listed, read, saved with warnings, and used in a message', async () => {
    const { library } = (await callTool(client, 'list_designs')).value
    assert.ok(library.length >= 12)
    assert.equal(library[0].design, undefined)
    const { design } = (await callTool(client, 'read_design', { id: library[0].id })).value.design.data
    const created = await callTool(client, 'save_design', { name: 'Ours', design })
    assert.equal(created.value.created, true, JSON.stringify(created.value))
    const { id } = created.value
    const image = { type: 'image', src: 'https://shop.example/a.png', alt: '' }
    const rows = [...design.rows, { columns: [100], blocks: [[image]] }]
    const changed = await callTool(client, 'save_design', { id, design: { ...design, rows } })
    assert.ok(changed.value.warnings.data.length > 0, JSON.stringify(changed.value))
    const saved = (await callTool(client, 'read_design', { id })).value.design.data
    assert.equal(saved.design.rows.length, rows.length)
    assert.equal((await callTool(client, 'list_designs')).value.saved.data[0].id, id)
    const flawed = await callTool(client, 'save_design', { name: 'Flawed', design: { version: 1 } })
    assert.equal(problemOf(flawed), 'invalid-request')
    const definition = { type: 'mailMessage', name: 'Designed', content: { subject: 'Hello', design } }
    assert.equal((await callTool(client, 'draft_message', { definition })).value.state, 'a complete draft')
    assert.equal(problemOf(await callTool(rival, 'read_design', { id })), 'not-found')
  })

  test('a workflow is drafted, and its flaws are returned', async () => {
    const definition = { name: 'Welcome', nodes: [{ id: 'go', type: 'sleep', default: true, next: 'nowhere' }] }
    const created = await callTool(client, 'draft_workflow', { definition })
    assert.equal(created.isError, false, JSON.stringify(created.value))
    const { id, flaws } = created.value
    assert.ok(flaws.data.some(({ severity }: { severity: string }) => severity === 'error'))
    const nodes = [{ id: 'end', type: 'terminal', default: true, settings: { outcome: 'welcomed' } }]
    const changed = await callTool(client, 'draft_workflow', { id, definition: { nodes } })
    assert.deepEqual(changed.value, { id, version: 2, active: false, flaws: untrusted([]) })
    assert.equal((await read(`/scripting/workflows/${id}`)).name, 'Welcome')
    assert.equal(problemOf(await callTool(rival, 'draft_workflow', { id, definition: {} })), 'not-found')
  })

  test('a contact is suppressed and released, each by the second call', async () => {
    const id = await stage.contact('cid@reader.example')
    const args = { id: 'cid@reader.example', list: 'mail' }
    const reason = 'asked by phone'
    assert.equal(problemOf(await callTool(client, 'unsuppress_contact', { ...args, reason })), 'not-listed')
    const [first, done] = await callTwice(client, 'suppress_contact', args)
    assert.equal(first.value.will, 'add the contact to the mail suppression list')
    assert.equal(done.value.state, 'done')
    const { suppressions } = (await callTool(client, 'list_suppressions', { list: 'mail' })).value
    assert.deepEqual(
      suppressions.data.map((entry: { id: string; why: string }) => [entry.id, entry.why]),
      [[id, 'added through the API or by a user']],
    )
    const again = await callTool(client, 'suppress_contact', args)
    assert.deepEqual([again.value.state, again.value.why], ['unchanged', 'added through the API or by a user'])
    const [pending, released] = await callTwice(client, 'unsuppress_contact', { ...args, reason })
    assert.equal(pending.value.object.data.why, 'added through the API or by a user')
    assert.equal(released.value.state, 'done')
    assert.deepEqual((await callTool(client, 'list_suppressions', { list: 'mail' })).value.suppressions.data, [])
    assert.equal(problemOf(await callTool(reader, 'suppress_contact', args)), 'right-missing')
  })

  test('forms, the overview and the deliverability are read', async () => {
    const { id: field } = (await callTool(client, 'save_field', { name: 'Interest', type: 'textField' })).value
    const [title, text] = [{ en: 'Our news' }, { en: 'Text' }]
    const texts = { title, introduction: text, submitLabel: text, successMessage: text }
    const body = { name: 'News', ...texts, fields: [{ field, label: { en: 'Interest' } }] }
    const created = await call('POST', '/forms', { body })
    assert.equal(created.status, 200, created.text)
    const { id } = created.body
    const { forms } = (await callTool(client, 'list_forms')).value
    assert.deepEqual([forms.data[0].id, forms.data[0].name, forms.data[0].title], [id, 'News', undefined])
    const { form, uses } = (await callTool(client, 'read_form', { id })).value
    assert.deepEqual([form.data.title, uses.data], [{ en: 'Our news' }, []])
    const { overview } = (await callTool(client, 'read_overview')).value
    assert.ok(Array.isArray(overview.data.planned))
    const { deliverability } = (await callTool(client, 'read_deliverability')).value
    assert.deepEqual(deliverability.data.destinations, [])
    const [, deleted] = await callTwice(client, 'delete_object', { kind: 'form', id })
    assert.equal(deleted.value.state, 'done')
  })
})
