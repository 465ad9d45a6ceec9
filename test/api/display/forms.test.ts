import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { parseActionId } from '../../../src/lib/ids.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { app, call, clock, context, gateway, other, makeKey, own } = stage

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let named = 0

async function made(url: string, body: object) {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const list = await made('/valueLists', {
  name: 'Drinks',
  ordered: false,
  values: [{ value: 'Tea' }, { value: 'Milk' }],
})
const field = {
  email: (await call('GET', '/fields')).body[0].id as number,
  name: (await made('/fields', { type: 'textField', name: 'Firstname' })).id as number,
  born: (await made('/fields', { type: 'date', name: 'Birthday' })).id as number,
  drinks: (await made('/fields', { type: 'multipleSelectList', name: 'Drinks', valueListId: list.id })).id as number,
  best: (await made('/fields', { type: 'singleSelectList', name: 'Best drink', valueListId: list.id })).id as number,
  size: (await made('/fields', { type: 'numeric', name: 'Size', constraint: { operator: 1, value: '0' } }))
    .id as number,
  phone: (await made('/fields', { type: 'phone', name: 'Phone' })).id as number,
  mail2: (await made('/fields', { type: 'email', name: 'Other address' })).id as number,
  note: (await made('/fields', { type: 'textArea', name: 'Note' })).id as number,
}

const TEXTS = {
  title: { fr: 'Parlez-nous de vous', en: 'Tell us about you' },
  introduction: { fr: 'Deux questions', en: 'Two questions' },
  submitLabel: { fr: 'Répondre', en: 'Answer' },
  successMessage: { fr: 'Merci !', en: 'Thank you!' },
}

const form = (more: object = {}) =>
  made('/forms', {
    name: `Form ${++named}`,
    ...TEXTS,
    fields: [
      { field: field.name, label: { en: 'First name', fr: 'Prénom' }, required: true, prefill: true },
      { field: field.born, label: { en: 'Birthday', fr: 'Naissance' } },
    ],
    ...more,
  })

const link = (id: string) =>
  `<html><body><a href="${id}" linktype="Form" dataminingname="survey">Tell us</a></body></html>`

async function send(html: string, { values = {}, culture = 'en-GB' }: { values?: object; culture?: string } = {}) {
  const address = `reader${++named}@example.org`
  const contact = await stage.contact(address, { Firstname: 'Ann', ...values })
  const action = await stage.validated(await stage.action({ content: { subject: 'Hi', html }, settings: { culture } }))
  const { status, text } = await call('POST', `/actions/${action}/execution`, {
    body: { recipient: { type: 'id', value: contact } },
  })
  assert.equal(status, 200, text)
  await stage.settle()
  clock.advance(60_000)
  return { action, contact, url: await formUrl(address) }
}

/** The path of the form link in the last mail to an address. */
async function formUrl(address: string): Promise<string> {
  const mail = await simpleParser(gateway.to(address).at(-1)!.bytes)
  return /https:\/\/stentor\.example(\/t\/f\/[\w-]{72})"/.exec(String(mail.html))?.[1] ?? ''
}

interface Visit {
  method?: 'GET' | 'HEAD' | 'POST'
  answers?: readonly (readonly [string | number, string])[]
  headers?: Record<string, string>
}

async function visit(url: string, { method = 'GET', answers, headers }: Visit = {}) {
  const answer = await app.inject({
    method: answers ? 'POST' : method,
    url,
    remoteAddress: '203.0.113.77',
    headers: {
      'user-agent': BROWSER,
      ...(answers && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(answers && { payload: new URLSearchParams(answers.map(([name, value]) => [String(name), value])).toString() }),
  })
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload }
}

const hits = async (action: string) =>
  (await call('GET', `/actions/${action}/events/hits/form?classification=all`)).body
const values = async (contact: string) => (await call('GET', `/targets/${contact}`)).body

suite('/forms', () => {
  test('a form is created, read, listed, changed and deleted', async () => {
    const segment = await stage.segment([])
    const made = await form({ segment, redList: ['sms', 'mail', 'sms'] })
    assert.match(made.id, /^[0-9A-Z]{6}$/)
    assert.deepEqual(
      { ...made, name: '' },
      {
        id: made.id,
        name: '',
        ...TEXTS,
        fields: [
          { field: field.name, label: { en: 'First name', fr: 'Prénom' }, required: true, prefill: true },
          { field: field.born, label: { en: 'Birthday', fr: 'Naissance' }, required: false, prefill: false },
        ],
        segment,
        redList: ['mail', 'sms'],
        creationDate: made.creationDate,
        updateDate: made.creationDate,
      },
    )
    assert.deepEqual((await call('GET', `/forms/${made.id.toLowerCase()}`)).body, made)
    assert.ok((await call('GET', '/forms')).body.some(({ id }: { id: string }) => id === made.id))
    const unset = { title: null, introduction: null, submitLabel: null, successMessage: null, redList: null }
    const same = (await call('PUT', `/forms/${made.id}`, { body: unset })).body
    assert.deepEqual({ ...same, updateDate: made.updateDate }, made)
    clock.advance(1000)
    const changed = await call('PUT', `/forms/${made.id}`, {
      body: { ...made, title: { en: 'Hello' }, segment: null, redList: [], fields: [{ field: field.note }] },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body, {
      ...made,
      title: { en: 'Hello' },
      fields: [{ field: field.note, label: { en: 'Note', fr: 'Note' }, required: false, prefill: false }],
      segment: null,
      redList: [],
      updateDate: new Date(clock.now()).toISOString(),
    })
    const kept = await call('PUT', `/forms/${made.id}`, { body: {} })
    assert.deepEqual({ ...kept.body, updateDate: '' }, { ...changed.body, updateDate: '' })
    assert.equal((await call('DELETE', `/forms/${made.id}`)).status, 204)
    assert.equal((await call('GET', `/forms/${made.id}`)).status, 404)
    assert.equal((await call('DELETE', `/forms/${made.id}`)).status, 404)
  })

  test('requires a name and fields, and has default texts', async () => {
    const { body } = await call('POST', '/forms', { body: { name: 'Least', fields: [{ field: field.name }] } })
    assert.deepEqual(body.title, { en: 'Least', fr: 'Least' })
    assert.deepEqual(body.submitLabel, { en: 'Send', fr: 'Envoyer' })
    const pointers = async (form: object) => {
      const answer = await call('POST', '/forms', { body: form })
      assert.equal(answer.status, 400, answer.text)
      return answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    }
    const fields = [{ field: field.name }]
    assert.deepEqual(await pointers({ fields }), ['/name'])
    assert.deepEqual(await pointers({ name: 'x'.repeat(101), fields }), ['/name'])
    assert.deepEqual(await pointers({ name: 'A' }), ['/fields'])
    assert.deepEqual(await pointers({ name: 'A', fields: [] }), ['/fields'])
    assert.deepEqual(await pointers({ name: 'A', fields: Array(51).fill(fields[0]) }), ['/fields'])
    assert.deepEqual(await pointers({ name: 'A', fields: [...fields, ...fields] }), ['/fields/1/field'])
    assert.deepEqual(await pointers({ name: 'A', fields: [{ field: 99_999 }] }), ['/fields/0/field'])
    assert.deepEqual(await pointers({ name: 'A', fields, title: {} }), ['/title'])
    assert.deepEqual(await pointers({ name: 'A', fields, title: { en: ' ', '?': 'x' } }), ['/title/en', '/title/?'])
    assert.deepEqual(await pointers({ name: 'A', fields, submitLabel: { en: 'a\u0007b' } }), ['/submitLabel/en'])
    assert.deepEqual(await pointers({ name: 'A', fields, redList: 'mail' }), ['/redList'])
  })

  test('refuses a name in use, a unicity field, and an unknown or dynamic segment', async () => {
    const { name } = await form()
    const refusal = async (more: object) => {
      const { status, body } = await call('POST', '/forms', {
        body: { name: `Form ${++named}`, fields: [{ field: field.name }], ...more },
      })
      return [status, body.type.split(':').at(-1)]
    }
    assert.deepEqual(await refusal({ name: name.toUpperCase() }), [409, 'name-taken'])
    assert.deepEqual(await refusal({ fields: [{ field: field.email }] }), [409, 'field-unicity'])
    assert.deepEqual(await refusal({ segment: 99_999 }), [404, 'not-found'])
    const dynamic = await made('/segments', { type: 'dynamic', name: 'Dynamic' })
    assert.deepEqual(await refusal({ segment: dynamic.id }), [409, 'segment-dynamic'])
  })

  test('is visible only to its account, and requires the right', async () => {
    const { id } = await form()
    for (const method of ['GET', 'PUT', 'DELETE'])
      assert.equal(
        (await call(method, `/forms/${id}`, { key: other.key, ...(method === 'PUT' && { body: {} }) })).status,
        404,
      )
    assert.deepEqual((await call('GET', '/forms', { key: other.key })).body, [])
    const foreign = await call('POST', '/forms', {
      key: other.key,
      body: { name: 'x', fields: [{ field: field.name }] },
    })
    assert.deepEqual([foreign.status, foreign.body.errors[0].pointer], [400, '/fields/0/field'])
    const reader = await makeKey(own.account, ['read'])
    assert.equal((await call('GET', `/forms/${id}`, { key: reader })).status, 200)
    assert.equal((await call('POST', '/forms', { key: reader, body: { name: 'x', fields: [] } })).status, 403)
    assert.equal((await call('DELETE', `/forms/${id}`, { key: reader })).status, 403)
    assert.equal((await call('GET', '/forms/nothing')).status, 404)
  })

  test('prevents the deletion of its segment and fields, whose 409 names it', async () => {
    const segment = await stage.segment([])
    const asked = await made('/fields', { type: 'textField', name: 'Asked once' })
    const { id, name } = await form({ segment, fields: [{ field: asked.id }] })
    for (const [url, kind] of [
      [`/segments/${segment}`, 'segment-linked'],
      [`/fields/${asked.id}`, 'field-linked'],
    ] as const) {
      const { status, body } = await call('DELETE', url)
      assert.equal(status, 409)
      assert.ok(body.type.endsWith(kind))
      assert.deepEqual(body.links, [{ type: 'form', id, name }])
    }
    assert.equal((await call('DELETE', `/forms/${id}`)).status, 204)
    assert.equal((await call('DELETE', `/segments/${segment}`)).status, 204)
    assert.equal((await call('DELETE', `/fields/${asked.id}`)).status, 204)
  })

  test('cannot be deleted while an unfinished action links to it', async () => {
    const { id } = await form()
    const ways = [
      link(id),
      link(id.toLowerCase()).replaceAll('"', "'"),
      `<a href=${id} linktype=form>x</a>`,
      `<a href="{{ links.form["${id}"] }}">x</a>`,
    ]
    for (const html of ways) {
      const action = await stage.action({ content: { subject: 'Hi', html } })
      const { status, body } = await call('DELETE', `/forms/${id}`)
      assert.equal(status, 409, html)
      assert.deepEqual(
        body.links.map((one: { type: string; id: string }) => [one.type, one.id]),
        [['action', action]],
      )
      const matched = await call('DELETE', `/forms/${id}`, { headers: { 'if-match': '*' } })
      assert.deepEqual([matched.status, matched.body.type, matched.body.links], [409, body.type, body.links])
      await call('PUT', `/actions/${action}`, { body: { content: { html: '<p>none</p>' } } })
      assert.deepEqual(await linked(id), [])
      await call('PUT', `/actions/${action}`, { body: { content: { html } } })
      await call('DELETE', `/actions/${action}`)
      assert.deepEqual(await linked(id), [])
    }
    const over = await stage.action({ content: { subject: 'Hi', html: link(id) } })
    await stage.put(over, { state: 60 })
    assert.equal((await call('DELETE', `/forms/${id}`)).status, 204)
  })

  test('is linked by frozen content in whatever way the content refers to it', async () => {
    const { id } = await form()
    const html = `{% assign which = "${id}" %}<a href="{{ links.form[which] }}">x</a>`
    const action = await stage.validated(await stage.action({ content: { subject: 'Hi', html } }))
    assert.deepEqual(await linked(id), [parseActionId(action)])
    assert.equal((await call('DELETE', `/forms/${id}`)).status, 409)
  })
})

async function linked(form: string): Promise<number[]> {
  const query = context.db
    .selectFrom('action_forms')
    .select('action')
    .where('form', '=', parseActionId(form) ?? 0)
  return (await query.execute()).map(({ action }) => action)
}

suite('a link to a form', () => {
  test('ends the test in state 10 if the form is unknown', async () => {
    const action = await stage.action({ content: { subject: 'Hi', html: link('00ZZZZ') } })
    await call('POST', `/actions/${action}/validation`, { body: { fortest: true, mediaForTest: 'proof@desk.example' } })
    await stage.settle()
    const { state, informations } = await stage.get(action)
    assert.equal(state, 10)
    assert.equal(informations.lastValidation.errors[0].type, 'unknown-reference')
  })

  test("shows the form with the contact's values, and showing it writes nothing", async () => {
    const { id } = await form()
    const { url, action } = await send(link(id))
    for (const method of ['GET', 'HEAD'] as const) assert.equal((await visit(url, { method })).status, 200)
    const { text, headers } = await visit(url)
    assert.match(text, /<html lang="en">/)
    assert.match(text, /<h1>Tell us about you<\/h1>/)
    assert.match(text, new RegExp(`<label for="f${field.name}">First name`))
    assert.match(text, new RegExp(`name="${field.name}" required value="Ann"`))
    assert.match(text, new RegExp(`<input type="date" id="f${field.born}" name="${field.born}" value="">`))
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/)
    assert.equal(headers['set-cookie'], undefined)
    assert.ok(Buffer.byteLength(text) < 10_240)
    assert.deepEqual(await hits(action), [])
  })

  test('shows French for French cultures', async () => {
    const { id } = await form()
    const { text } = await visit((await send(link(id), { culture: 'fr-CA' })).url)
    assert.match(text, /<html lang="fr">/)
    assert.match(text, /Parlez-nous de vous/)
    assert.match(text, />Répondre<\/button>/)
    assert.match(text, /\(obligatoire\)/)
  })

  test('a number that could mean several dates is no answer, and YYYYMMDD is one', async () => {
    const { contact, url } = await send(link((await form()).id))
    for (const text of ['45292', '1700000000', '20240230']) {
      const { status } = await visit(url, {
        answers: [
          [field.name, 'Anna'],
          [field.born, text],
        ],
      })
      assert.equal(status, 422, text)
    }
    await visit(url, {
      answers: [
        [field.name, 'Anna'],
        [field.born, '20240131'],
      ],
    })
    assert.equal((await values(contact)).fields[field.born], '2024-01-31T00:00:00.000Z')
  })

  test('answers an invalid date with 422 and writes nothing, and a corrected one writes the fields and one hit', async () => {
    const segment = await stage.segment([])
    const { id } = await form({ segment, redList: ['mail'] })
    const { url, action, contact } = await send(link(id))
    const before = await values(contact)
    const bad = await visit(url, {
      answers: [
        [field.name, 'Anna <b>'],
        [field.born, '2001-02-31'],
      ],
    })
    assert.equal(bad.status, 422)
    assert.match(bad.text, new RegExp(`aria-invalid="true" aria-describedby="e${field.born}"`))
    assert.match(bad.text, new RegExp(`id="e${field.born}">Enter a date`))
    assert.match(bad.text, /value="Anna &lt;b&gt;"/)
    assert.deepEqual(await values(contact), before)
    assert.deepEqual(await hits(action), [])

    const good = await visit(url, {
      answers: [
        [field.name, 'Anna'],
        [field.born, '2001-02-28'],
      ],
    })
    assert.equal(good.status, 200)
    assert.match(good.text, /Thank you!/)
    const after = await values(contact)
    assert.deepEqual([after.fields[field.name], after.fields[field.born]], ['Anna', '2001-02-28T00:00:00.000Z'])
    assert.equal(after.redList.mail.reason, 3)
    const listed = (await call('GET', '/targets/redlist/mail')).body.find(
      (entry: { id: string }) => entry.id === contact,
    )
    assert.deepEqual(listed.detail, { formId: id })
    assert.deepEqual((await call('GET', `/segments/${segment}/targets`)).body, [contact])
    const [hit, ...more] = await hits(action)
    assert.deepEqual(more, [])
    assert.deepEqual(hit.source.detail.link, { type: 'form', id: 1, name: 'survey', form: id })
    assert.equal(hit.source.detail.hit.classification, null)
    assert.equal(hit.source.detail.activation.receiver.id, contact)
  })

  test('accepts every field type, and reports an invalid value at its field', async () => {
    const asked = [field.drinks, field.best, field.size, field.phone, field.mail2, field.note]
    const { id } = await form({ fields: asked.map((one) => ({ field: one, required: true })) })
    const { url, contact } = await send(link(id))
    const page = (await visit(url)).text
    assert.equal(page.match(/<input type="checkbox"/g)?.length, 2)
    assert.match(page, new RegExp(`<select id="f${field.best}"`))
    assert.match(page, new RegExp(`<input type="number" step="any" id="f${field.size}"`))
    assert.match(page, new RegExp(`<input type="tel" autocomplete="tel" id="f${field.phone}"`))
    assert.match(page, new RegExp(`<input type="email" autocomplete="email" id="f${field.mail2}"`))
    assert.match(page, new RegExp(`<textarea id="f${field.note}"`))

    const empty = await visit(url, { answers: [] })
    assert.equal(empty.status, 422)
    assert.equal(empty.text.match(/This answer is required/g)?.length, asked.length)
    const bad = await visit(url, {
      answers: [
        [field.drinks, 'Tea'],
        [field.drinks, 'Beer'],
        [field.best, 'Beer'],
        [field.size, '-1'],
        [field.phone, 'none'],
        [field.mail2, 'none'],
        [field.note, 'x'.repeat(65_001)],
      ],
    })
    assert.equal(bad.status, 422)
    assert.deepEqual(
      [...bad.text.matchAll(/id="e\d+">([^<]+)/g)].map(([, said]) => said),
      [
        'Choose from the list.',
        'Choose from the list.',
        'This value is not allowed.',
        'Enter a phone number.',
        'Enter an e-mail address, such as ann@example.org.',
        'This text is too long.',
      ],
    )
    const good = await visit(url, {
      answers: [
        [field.drinks, 'Milk'],
        [field.drinks, 'Tea'],
        [field.best, 'tea'],
        [field.size, '12.50'],
        [field.phone, '+33 1 23 45 67 89'],
        [field.mail2, 'Ann@EXAMPLE.org'],
        [field.note, 'One\r\ntwo'],
      ],
    })
    assert.equal(good.status, 200)
    const { fields } = await values(contact)
    assert.deepEqual(
      asked.map((one) => fields[one]),
      [['Tea', 'Milk'], 'Tea', 12.5, '+33123456789', 'Ann@example.org', 'One\ntwo'],
    )
  })

  test('a blank answer empties a prefilled field, and leaves others alone', async () => {
    const { id } = await form({
      fields: [
        { field: field.note, prefill: true },
        { field: field.drinks, prefill: true },
        { field: field.best },
        { field: field.born, prefill: true },
      ],
    })
    const born = '2001-02-28T10:30:00.000Z'
    const { url, contact } = await send(link(id), {
      values: { Note: 'old', Drinks: ['Tea'], 'Best drink': 'Milk', Birthday: born },
    })
    const { text } = await visit(url)
    assert.match(text, /value="Tea" checked/)
    assert.match(text, /value="2001-02-28"/)
    assert.doesNotMatch(text, /selected/)
    const answer = await visit(url, {
      answers: [
        [field.note, ''],
        [field.best, ''],
        [field.born, '2001-02-28'],
      ],
    })
    assert.equal(answer.status, 200)
    const { fields } = await values(contact)
    assert.deepEqual([fields[field.note], fields[field.drinks], fields[field.best]], [null, [], 'Milk'])
    assert.equal(fields[field.born], born, 'an answer that was left as it was shown keeps the time of day')
  })

  test('writes only the fields of the form', async () => {
    const { id } = await form()
    const { url, contact } = await send(link(id), { values: { Note: 'mine' } })
    await visit(url, {
      answers: [
        [field.name, 'Anna'],
        [field.note, 'theirs'],
        [field.email, 'thief@example.org'],
        ['unicity', 'x'],
      ],
    })
    const { fields } = await values(contact)
    assert.equal(fields[field.name], 'Anna')
    assert.equal(fields[field.note], 'mine')
    assert.notEqual(fields[field.email], 'thief@example.org')
  })

  test('a multipart body is accepted as well', async () => {
    const { id } = await form()
    const { url, contact } = await send(link(id))
    const data = new FormData()
    data.append(String(field.name), 'Zoé')
    const request = new Request('https://stentor.example/', { method: 'POST', body: data })
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': request.headers.get('content-type') ?? '', 'user-agent': BROWSER },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    assert.equal(answer.statusCode, 200)
    assert.equal((await values(contact)).fields[field.name], 'Zoé')
  })

  test('a filled hidden field is answered like success, writes nothing, and is a robot hit', async () => {
    const segment = await stage.segment([])
    const { id } = await form({ segment, redList: ['mail'] })
    const { url, action, contact } = await send(link(id))
    const before = await values(contact)
    const answer = await visit(url, {
      answers: [
        [field.name, 'Robot'],
        ['website', 'https://spam.example'],
      ],
    })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /Thank you!/)
    assert.deepEqual(await values(contact), before)
    assert.deepEqual((await call('GET', `/segments/${segment}/targets`)).body, [])
    const [hit] = await hits(action)
    assert.equal(hit.source.detail.hit.classification, 'genericrobot')
  })

  test('shows and checks everything in a proof, and writes only a hit of kind test', async () => {
    const segment = await stage.segment([])
    const contact = await stage.contact('tester@shop.example', { Firstname: 'Tess' })
    const testers = await stage.segment([contact], { isTest: true })
    const { id } = await form({ segment, redList: ['mail'] })
    const action = await stage.action({ content: { subject: 'Hi', html: link(id) } })
    await call('POST', `/actions/${action}/validation`, { body: { fortest: true, testSegments: [testers] } })
    await stage.settle()
    clock.advance(60_000)
    const url = await formUrl('tester@shop.example')
    assert.match((await visit(url)).text, /value="Tess"/)
    assert.equal((await visit(url, { answers: [[field.name, '']] })).status, 422)
    const before = await values(contact)
    assert.equal((await visit(url, { answers: [[field.name, 'Nobody']] })).status, 200)
    assert.deepEqual(await values(contact), before)
    assert.deepEqual((await call('GET', `/segments/${segment}/targets`)).body, [])
    const [hit, ...more] = await hits(action)
    assert.deepEqual([hit.source.detail.activation.kind, more], ['test', []])
  })

  test('is 410 once the form is deleted', async () => {
    const { id } = await form()
    const { url, action } = await send(link(id), { culture: 'fr-FR' })
    await call('DELETE', `/actions/${action}`)
    assert.equal((await call('DELETE', `/forms/${id}`)).status, 204)
    for (const answers of [undefined, [[field.name, 'x']] as const]) {
      const { status, text } = await visit(url, { ...(answers && { answers }) })
      assert.equal(status, 410)
      assert.match(text, /Ce formulaire est fermé/)
    }
  })

  test('accepts answers and records the hit of a deleted contact, but writes nothing', async () => {
    const { id } = await form()
    const { url, action, contact } = await send(link(id))
    await call('DELETE', `/targets/${contact}`)
    assert.doesNotMatch((await visit(url)).text, /Ann"/)
    assert.equal((await visit(url, { answers: [[field.name, 'Anna']] })).status, 200)
    assert.equal((await hits(action)).length, 1)
    assert.equal((await call('GET', `/targets/${contact}`)).status, 404)
  })

  test('answers the same for an erased contact, and records nothing', async () => {
    const { id } = await form()
    const { url, action, contact } = await send(link(id))
    assert.equal((await call('DELETE', `/targets/${contact}?erase=true`)).status, 204)
    assert.equal((await visit(url, { answers: [[field.name, 'Anna']] })).status, 200)
    assert.deepEqual(await hits(action), [])
  })

  test('shows the page for invalid tokens if its token is invalid', async () => {
    const { id } = await form()
    const { url } = await send(link(id))
    const bytes = (await visit('/t/f/nothing')).text
    for (const bad of [url.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')), url.replace('/t/f/', '/t/u/')]) {
      assert.deepEqual([(await visit(bad)).status, (await visit(bad)).text], [404, bytes])
      assert.equal((await visit(bad, { answers: [[field.name, 'x']] })).status, 404)
    }
  })

  test('leads to the preview page in a preview', async () => {
    const { id } = await form()
    const action = await stage.action({ content: { subject: 'Hi', html: link(id) } })
    const { body } = await call('POST', `/actions/${action}/render`, { body: {} })
    assert.match(body.html, /href="https:\/\/stentor\.example\/t\/preview"/)
    assert.doesNotMatch(body.html, /linktype|dataminingname/)
  })

  test('shows nothing of the contact and accepts no answers in a silent render', async () => {
    const { id } = await form()
    const { action, contact } = await send(link(id))
    const { body } = await call('POST', `/actions/${action}/render`, {
      body: { recipient: { type: 'id', value: contact }, context: { display: 1 } },
    })
    const url = /\/t\/f\/[\w-]{72}/.exec(body.html)?.[0] ?? ''
    const { status, text } = await visit(url)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /value="Ann"/)
    assert.match((await visit(url, { answers: [[field.name, 'Thief']] })).text, /Nothing was recorded/)
    assert.equal((await values(contact)).fields[field.name], 'Ann')
    assert.deepEqual(await hits(action), [])
  })
})
