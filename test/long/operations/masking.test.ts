import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, suite, test } from 'node:test'
import { sql } from 'kysely'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import type { Answer } from '../../support/harness.ts'
import { type Colleague, colleague } from '../../support/stages/colleagues.ts'
import { storedApplication } from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { app, call, clock, context, gateway, own, segment, settle, validated } = stage

const KNOWN = 'ann.known@shop.example'
const PHONE = '+33612345612'
const MD5 = createHash('md5').update(KNOWN).digest('hex')
/** What no viewer may see, in any answer. */
const SECRETS = ['ann.known', encodeURIComponent(KNOWN), MD5, '612345612', '6 12 34 56 12']

/** Ids of what there is, by the start of the paths that name it. */
const ids: Record<string, string | number> = {}
let viewer: Colleague
let sender: Colleague
/** A page of the viewer that is signed in, for a socket. */
let session: Record<string, string>

async function made(url: string, body: unknown): Promise<Answer['body']> {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, `${url}: ${answer.text}`)
  return answer.body
}

async function asked(method: string, url: string, body?: unknown): Promise<void> {
  const { status, text } = await call(method, url, { body })
  assert.ok(status === 204 || status === 200, `${method} ${url}: ${text}`)
}

async function makeContact(): Promise<void> {
  await made('/fields', { name: 'Mobile', type: 'phone' })
  await made('/fields', { name: 'Note', type: 'textArea' })
  const more = { Mobile: PHONE, Note: `write to ${KNOWN} or call +33 6 12 34 56 12` }
  ids['/targets'] = await stage.contact(KNOWN, more)
  const fields = (await call('GET', '/fields')).body as { id: number; name: string }[]
  ids['Email'] = fields.find(({ name }) => name === 'Email')!.id
}

async function makeMessages(): Promise<void> {
  const contact = ids['/targets']
  ids['/segments'] = await segment([String(contact)])
  const text = '{{ contact.Email }} {{ contact.Mobile }} {{ contact.Note }} {{ data.mail }}'
  const content = {
    subject: `For {{ contact.Email }}`,
    html: `<html><body><p>${text}</p><a href="https://shop.example/?e={{ contact.Email }}">in</a></body></html>`,
  }
  ids['/actions'] = await validated(await stage.action({ content, settings: { archive: true } }))
  const recipient = { type: 'id', value: contact }
  const item = { recipient, data: { mail: KNOWN, tel: 33612345612, gravatar: `https://pictures.example/${MD5}` } }
  const { id: stamp } = await made(`/actions/${ids['/actions']}/execution`, item)
  ids['stamp'] = stamp
  await settle()
  gateway.plan(KNOWN, { result: 'refused', code: 550, enhanced: '5.1.1', reply: `550 5.1.1 <${KNOWN}> user unknown` })
  await made(`/actions/${ids['/actions']}/execution`, item)
  await settle()
  await finalizeHits(context.db)
  const profile = await made('/channel/rcs/profiles', {
    name: 'Orchard',
    agent: 'orchard_fr_k2',
    provider: { type: 'capture' },
  })
  ids['/channel/rcs/profiles'] = profile.id
  const rcs = { type: 'rcsMessage', name: 'Pears', settings: { profile: profile.id }, content: { type: 'text', text } }
  ids['/channel/rcs/actions'] = (await made('/channel/rcs/actions', rcs)).id
  const application = await storedApplication(stage)
  const versions = [{ master: true, content: { title: 'For {{ contact.Email }}', body: text } }]
  const push = await made('/notifications', { type: 'push-app', name: 'Sale', settings: { application }, versions })
  ids['/notifications'] = push.id
  ids['/version'] = push.versions[0].id
}

async function makeOthers(): Promise<void> {
  const contact = ids['/targets']
  await asked('PUT', `/targets/${contact}/bounces/${ids['Email']}`, {
    type: 'hardUser',
    reason: `550 <${KNOWN}> unknown`,
  })
  await asked('POST', `/targets/${contact}/redlist/mail`, { origin: 1, reason: `asked by ${KNOWN}` })
  const value = 'export default ({ data }) => { console.log(data.mail); return { mail: data.mail } }'
  ids['/scripting/webtasks'] = (await made('/scripting/webtasks', { name: 'Log', value })).id
  await made(`/scripting/webtasks/${ids['/scripting/webtasks']}/execution`, { data: { mail: KNOWN } })
  const flow = await made('/scripting/workflows', {
    name: `About ${KNOWN}`,
    nodes: [{ id: 'end', type: 'terminal', default: true }],
  })
  ids['/scripting/workflows'] = flow.id
  const criteria = { all: [{ type: 'field', field: ids['Email'], operator: 'equal', value: KNOWN }] }
  const dynamic = await call('POST', '/segments', { body: { type: 'dynamic', name: 'Ann alone', criteria } })
  if (dynamic.status === 200) ids['/segments'] = dynamic.body.id
}

before(async () => {
  await makeContact()
  await makeMessages()
  await makeOthers()
  viewer = await colleague(stage, 'viewer')
  sender = await colleague(stage, 'sender')
  await sql`update accounts set mask_personal_data = true where id = ${own.account}`.execute(context.db)
  session = viewer.session
})

/** The address of a path of the interface, with ids of what there is. */
function urlOf(path: string): string {
  const starts = Object.keys(ids).filter((start) => path.startsWith(`${start}/`))
  const [longest] = starts.toSorted((a, b) => b.length - a.length)
  const id = longest === undefined ? '1' : String(ids[longest])
  return path
    .replace('/stamp/{id}', `/stamp/${ids['stamp']}`)
    .replace('{stamp}', String(ids['stamp']))
    .replace('{version}', String(ids['/version']))
    .replace('{contact}', String(ids['/targets']))
    .replace('{target}', String(ids['/targets']))
    .replace('{id}', id)
    .replaceAll(/\{\w+\}/g, '1')
}

function secretsIn({ text, headers }: Pick<Answer, 'text' | 'headers'>): string[] {
  const all = `${text}\n${JSON.stringify(headers)}`.toLowerCase()
  return SECRETS.filter((secret) => all.includes(secret.toLowerCase()))
}

/** An answer as it is, whatever its form. */
async function textOf(who: Colleague, url: string, accept: string) {
  const { statusCode, payload, headers } = await app.inject({ url, headers: { ...who.session, accept } })
  return { status: statusCode, text: payload, headers }
}

/** Addresses of ours in an answer that need no key. */
function keylessLinks({ text }: Pick<Answer, 'text'>): string[] {
  const links = [...text.matchAll(/https:\/\/stentor\.example(\/[^"'<>\s\\]+)/g)].map(([, path = '']) => path)
  return [...new Set(links)].map((link) => link.replaceAll('&amp;', '&'))
}

/** Every GET of the interface that ends, with what it may be asked. */
async function everyGet(): Promise<string[]> {
  const { paths } = (await call('GET', '/openapi.json', { key: null })).body
  return Object.entries<object>(paths).flatMap(([path, item]) => {
    if (!('get' in item) || path === '/events/stream') return []
    const query = `of=audience&unicity=${encodeURIComponent(KNOWN)}&phone=${encodeURIComponent(PHONE)}&id=${ids['stamp']}`
    return [urlOf(path), `${urlOf(path)}?${query}`]
  })
}

/** Answers that hold what is looked for, to somebody who may see it. */
const WORTH = 30

suite('viewers in an account that masks personal data', () => {
  test('see no whole address, number or hash in any answer to a GET', async () => {
    const revealing: string[] = []
    const followed = new Set<string>()
    let found = 0
    for (const url of await everyGet()) {
      clock.advance(60_000)
      for (const accept of ['application/json', 'application/x-ndjson']) {
        const seen = await textOf(viewer, url, accept)
        assert.ok(seen.status < 500, `${url}: ${seen.status} ${seen.text}`)
        if (secretsIn(seen).length > 0) revealing.push(`${url}: ${secretsIn(seen)} in ${seen.text.slice(0, 500)}`)
        for (const link of keylessLinks(seen)) {
          followed.add(link.replace(/^(\/\w+\/\w+).*/, '$1'))
          const { payload, headers } = await app.inject({ url: link })
          const secrets = secretsIn({ text: payload, headers })
          if (secrets.length > 0) revealing.push(`${url}: ${secrets} behind ${link}`)
        }
        if (found < WORTH && secretsIn(await textOf(sender, url, accept)).length > 0) found += 1
      }
    }
    assert.deepEqual(revealing, [])
    assert.ok(followed.has('/t/r'), [...followed].join(' '))
    // The walk is worth something: many of these answers hold what is looked for.
    assert.equal(found, WORTH)
  })

  test('see otherwise the same documents', async () => {
    const url = `/targets/${ids['/targets']}`
    const [seen, whole] = [await viewer.call('GET', url), await sender.call('GET', url)]
    assert.deepEqual(Object.keys(seen.body), Object.keys(whole.body))
    assert.ok(seen.text.includes('a…@s….example'), seen.text)
    assert.ok(seen.text.includes('+33…12'), seen.text)
    assert.notEqual(seen.headers['etag'], whole.headers['etag'])
    assert.equal(
      (await viewer.call('GET', url, { headers: { 'if-none-match': String(seen.headers['etag']) } })).status,
      304,
    )
  })

  test('can find a contact by a whole address', async () => {
    const found = await viewer.call('GET', `/targets?unicity=${encodeURIComponent(KNOWN)}`)
    assert.deepEqual([found.status, found.body.id], [200, ids['/targets']])
    const body = [{ type: 'unicity', value: [KNOWN] }]
    const resolved = await viewer.call('POST', '/targets/resolve', { body })
    assert.equal(resolved.status, 200, resolved.text)
    assert.deepEqual(secretsIn(resolved), [])
  })

  test('look up 30 contacts a minute by addresses, numbers and hashes, in whatever operation, and any number by other words', async () => {
    const curious = await colleague(stage, 'viewer')
    const unknown = (nth: number): string => `nobody${nth}@shop.example`
    const resolve = (values: string[]) => values.map((value) => ({ type: 'unicity', value: [value] }))
    const lookups: [string, string, unknown?][] = [
      ['GET', `/targets?unicity=${unknown(1)}`],
      ['GET', `/targets?hash=${MD5}`],
      ['GET', `/search?q=${encodeURIComponent(PHONE)}`],
      ['GET', `/targets/bounces?query=${unknown(2)}`],
      ['POST', '/targets/search', { query: unknown(3) }],
      ['POST', `/actions/${ids['/actions']}/render`, { recipient: { type: 'hash', value: MD5 } }],
      ['GET', `/notifications/${ids['/notifications']}/render/contact?unicity=${unknown(4)}`],
      ['POST', '/targets/resolve', { Email: unknown(5) }],
      ['POST', '/targets/resolve', resolve(Array.from({ length: 22 }, (_, nth) => unknown(nth)))],
    ]
    for (const [method, url, body] of lookups)
      assert.notEqual((await curious.call(method, url, { body })).status, 429, `${method} ${url}`)
    for (const [method, url, body] of lookups) {
      const { status, headers, body: problem } = await curious.call(method, url, { body })
      assert.deepEqual([status, problem?.type], [429, 'urn:stentor:problem:rate-limit'], `${method} ${url}`)
      assert.equal(headers['retry-after'], '60')
    }
    const others = ['/search?q=Spring', '/targets/bounces?query=type:hardUser', `/targets/${ids['/targets']}`]
    for (const url of others) assert.equal((await curious.call('GET', url)).status, 200, url)
    for (const unlimited of [viewer, sender])
      assert.equal((await unlimited.call('GET', `/targets?hash=${MD5}`)).status, 200)
    clock.advance(60_000)
    assert.equal((await curious.call('GET', `/targets?hash=${MD5}`)).status, 200)
  })

  test('receive the same list items, as JSON or NDJSON', async () => {
    const url = `/actions/${ids['/actions']}/events`
    const [list, lines] = [await viewer.call('GET', url), await textOf(viewer, url, 'application/x-ndjson')]
    const whole = (await sender.call('GET', url)).body
    assert.ok(whole.length >= 4)
    const shape = (events: { id: string; type: string; timestamp: number }[]) =>
      events.map(({ id, type, timestamp }) => ({ id, type, timestamp }))
    assert.deepEqual(shape(list.body), shape(whole))
    const parsed = lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(parsed, list.body)
  })

  test('find contacts without seeing their numbers, even those of digits only', async () => {
    const digits = '0612345678901'
    const contact = await stage.contact('far.away@customer.example', { Mobile: digits })
    // As where telephone numbers are the unicity.
    await sql`update contacts set unicity = ${digits} where id = ${parseContactId(contact)}`.execute(context.db)
    const stored = await call('GET', `/search?q=${contact}`)
    assert.ok(stored.text.includes(`"name":"${digits}"`), stored.text)
    const { status, text } = await viewer.call('GET', `/search?q=${contact}`)
    assert.equal(status, 200)
    assert.ok(text.includes(`"id":"${contact}"`), text)
    assert.ok(!text.includes(digits) && !text.includes('far.away'), text)
  })

  test('see messages made of masked values, with links that belong to nobody', async () => {
    const recipient = { type: 'id', value: ids['/targets'] }
    const message = { recipient, stamp: { id: ids['stamp'] }, context: { display: 1, id: ids['stamp'] } }
    const renders: [string, unknown][] = [
      [`/actions/${ids['/actions']}/render`, { recipient }],
      [`/actions/${ids['/actions']}/render`, message],
      [`/actions/${ids['/actions']}/renders`, [message]],
      [`/channel/rcs/actions/${ids['/channel/rcs/actions']}/render`, { recipient }],
      [`/notifications/${ids['/notifications']}/render`, { receiver: recipient }],
    ]
    for (const [url, body] of renders) {
      const seen = await viewer.call('POST', url, { body })
      assert.equal(seen.status, 200, seen.text)
      assert.deepEqual(secretsIn(seen), [], url)
      assert.ok(JSON.stringify(seen.body).includes('success'), seen.text)
    }
    // A link that leads on does not tell whom it was made for.
    const { body } = await viewer.call('POST', `/actions/${ids['/actions']}/render`, { body: message })
    const link = /href="https:\/\/[^/"]+(\/t\/r\/[^"]+)"/.exec(body.html)?.[1]
    assert.ok(link, body.html)
    const led = await call('GET', link.replaceAll('&amp;', '&'), { key: null })
    assert.deepEqual(secretsIn(led), [], JSON.stringify(led.headers))
  })

  test('get a masked address even if a template takes it apart', async () => {
    const html = '<p>{{ contact.Email | slice: 0, 5 }}|{{ contact.Email | split: "@" | first }}</p>'
    const body = { recipient: { type: 'id', value: ids['/targets'] }, content: { type: 'template', html } }
    const seen = await viewer.call('POST', `/actions/${ids['/actions']}/render`, { body })
    assert.equal(seen.body.type, 'success', seen.text)
    assert.ok(seen.body.html.includes('a…'), seen.text)
    assert.ok(!seen.body.html.includes('ann'), seen.text)
  })

  test('are refused data that cannot be masked or would reveal it', async () => {
    const [action, target] = [ids['/actions'], ids['/targets']]
    const refused: [string, string, unknown?][] = [
      ['GET', '/actions/archives'],
      ['GET', `/actions/${action}/archives`],
      ['GET', `/actions/${action}/targets/${target}/archives`],
      ['GET', `/targets/${target}/archives`],
      ['GET', `/actions/stamp/${ids['stamp']}/archives`],
      ['GET', `/targets/${target}/export`],
      ['GET', '/imports/1/executions/1/rejects'],
      ['GET', '/imports/1/source/preview'],
      ...['recipients', 'tracking/opens', 'tracking/clicks'].flatMap((what): [string, string][] => [
        ['GET', `/actions/${action}/export/${what}`],
        ['GET', `/actions/${action}/export/${what}.csv`],
      ]),
      ['POST', `/actions/${action}/render/links`, { links: [] }],
      ['POST', `/scripting/webtasks/${ids['/scripting/webtasks']}/execution`, {}],
      ['POST', `/scripting/webtasks/${ids['/scripting/webtasks']}/executions`, [{}]],
      ['POST', `/scripting/compilables/${crypto.randomUUID()}/execution`, {}],
      ['POST', `/scripting/compilables/${crypto.randomUUID()}/preview`, {}],
      ['POST', `/scripting/workflows/${ids['/scripting/workflows']}/simulation`, {}],
    ]
    for (const [method, url, body] of refused) {
      const headers = { origin: 'https://stentor.example' }
      const answer = await viewer.call(method, url, { body, headers })
      assert.deepEqual([answer.status, answer.body?.type], [403, 'urn:stentor:problem:masked'], `${method} ${url}`)
    }
  })

  test('can search bounces by whole addresses but not by parts', async () => {
    const search = (text: string, who = viewer) => who.call('GET', `/targets/bounces?query=${encodeURIComponent(text)}`)
    assert.equal((await search(KNOWN)).body.length, 1)
    assert.equal((await search('nn.known@shop.example')).body.length, 0)
    assert.equal((await search('nn.known@shop.example', sender)).body.length, 1)
    for (const part of ['ann', 'shop.example', 'user'])
      assert.deepEqual((await search(part)).body.type, 'urn:stentor:problem:masked', part)
    assert.equal((await search('type:hardUser')).body.length, 1)
  })

  test('cannot compare, count or sort by masked values', async () => {
    const criteria = { type: 'field', field: ids['Email'], operator: 'startsWith', value: 'ann' }
    const refused: [string, unknown][] = [
      ['/targets/search', { criteria }],
      ['/targets/search', { criteria: { any: [{ none: [criteria] }] } }],
      ['/targets/search', { sort: { by: ids['Email'], order: 'asc' } }],
      ['/segments/preview', { criteria }],
    ]
    for (const [url, body] of refused) {
      const answer = await viewer.call('POST', url, { body })
      assert.ok([400, 403].includes(answer.status), `${url} ${JSON.stringify(body)}: ${answer.text}`)
      assert.ok(!('items' in answer.body) && !('count' in answer.body))
    }
    const counted = await viewer.call('POST', '/targets/search', { body: { criteria } })
    assert.deepEqual([counted.status, counted.body.type], [403, 'urn:stentor:problem:masked'])
    const whole = await viewer.call('POST', '/targets/search', { body: { query: KNOWN } })
    assert.deepEqual([whole.status, whole.body.items?.length], [200, 1], whole.text)
    const part = await viewer.call('POST', '/targets/search', { body: { query: 'nn.known@shop.example' } })
    assert.deepEqual(part.body.items ?? [], [])
    assert.deepEqual(secretsIn(whole), [])
  })

  test('get cursors that reveal nothing, and cannot use others', async () => {
    const remark = await made('/fields', { name: 'Remark', type: 'textField', isCriterion: true })
    for (const nth of [1, 2]) await stage.contact(`remark${nth}@customer.example`, { Remark: `${KNOWN} ${nth}` })
    const body = { sort: { by: remark.id }, limit: 1 }
    const page = await viewer.call('POST', '/targets/search', { body })
    assert.equal(page.body.items.length, 1, page.text)
    const next = Buffer.from(page.body.next, 'base64url').toString()
    assert.deepEqual(secretsIn({ text: `${next}\n${page.text}`, headers: {} }), [])
    const second = await viewer.call('POST', '/targets/search', { body: { ...body, after: page.body.next } })
    assert.deepEqual([second.status, second.body.items.length], [200, 1], second.text)
    assert.notEqual(second.body.items[0].id, page.body.items[0].id)
    // A place that somebody chose would find values by halves.
    const forged = Buffer.from(JSON.stringify([`${remark.id} asc`, 'ann.k', 1, 2, true])).toString('base64url')
    const byId = await viewer.call('POST', '/targets/search', { body: { limit: 1 } })
    for (const after of [forged, page.body.next.slice(0, -2), byId.body.next]) {
      const refused = await viewer.call('POST', '/targets/search', { body: { ...body, after } })
      assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/after'])
    }
  })

  test('get next-page links that reveal nothing', async () => {
    for (const nth of [1, 2]) await stage.action({ name: `For ${KNOWN} ${nth}` })
    const { status, headers } = await viewer.call('GET', '/actions?sort=name&limit=1')
    const after = new URL(/<([^>]+)>/.exec(String(headers['link']))![1]!, 'https://stentor.example').searchParams
    assert.equal(status, 200)
    const text = Buffer.from(after.get('after')!, 'base64url').toString()
    assert.deepEqual(secretsIn({ text, headers }), [])
    const url = (path: string) => `${path}?sort=name&limit=1&after=${after.get('after')}`
    assert.equal((await viewer.call('GET', url('/actions'))).body.length, 1)
    for (const path of ['/notifications', '/channel/rcs/actions'])
      assert.equal((await viewer.call('GET', url(path))).status, 400, path)
  })

  test('receive the event stream masked', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const message = await new Promise<IncomingMessage>((resolve) =>
      get({ host: '127.0.0.1', port, path: `/events/stream?account=${own.code}`, headers: session }, resolve),
    )
    assert.equal(message.statusCode, 200)
    let text = ''
    message.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    message.on('error', () => undefined)
    const item = { recipient: { type: 'id', value: ids['/targets'] }, data: { mail: KNOWN } }
    await made(`/actions/${ids['/actions']}/execution`, item)
    await eventually(() => text.includes('data: ') && text.includes('execution'))
    message.destroy()
    assert.deepEqual(secretsIn({ text, headers: {} }), [])
    assert.ok(text.includes('a…@s….example'), text)
  })

  test('get masked problems and masked idempotent answers', async () => {
    const body = [{ type: 'unicity', value: ['ghost.known@shop.example'] }]
    const headers = { 'idempotency-key': crypto.randomUUID() }
    for (let time = 0; time < 2; time++) {
      const { text, status } = await viewer.call('POST', '/targets/resolve', { body, headers })
      assert.equal(status, 200)
      assert.ok(!text.includes('ghost.known'), text)
    }
    const unknown = await viewer.call(
      'GET',
      `/targets/events?unicity=${encodeURIComponent('ghost.known@shop.example')}`,
    )
    assert.ok(!unknown.text.includes('ghost.known'), unknown.text)
  })

  test('other roles see everything, and so do viewers where nothing is masked', async () => {
    const url = `/targets/${ids['/targets']}`
    for (const role of ['author', 'sender', 'admin'] as const)
      assert.ok((await (await colleague(stage, role)).call('GET', url)).text.includes(KNOWN), role)
    assert.ok((await call('GET', url)).text.includes(KNOWN))
    await sql`update accounts set mask_personal_data = false where id = ${own.account}`.execute(context.db)
    const another = await colleague(stage, 'viewer')
    assert.ok((await another.call('GET', url)).text.includes(KNOWN))
    assert.equal((await another.call('GET', '/actions/archives')).status, 200)
  })
})

suite('user settings', () => {
  test('are read and changed by admins, member by member', async () => {
    const admin = await colleague(stage, 'admin')
    const usual = { approval: false, requireSecondFactor: false, maskPersonalData: false }
    assert.deepEqual((await admin.call('GET', '/settings/people')).body, usual)
    const changed = await admin.call('PUT', '/settings/people', { body: { maskPersonalData: true } })
    assert.deepEqual(changed.body, { ...usual, maskPersonalData: true })
    assert.deepEqual((await call('PUT', '/settings/people', { body: { maskPersonalData: false } })).body, usual)
    for (const role of ['viewer', 'author', 'sender'] as const)
      for (const method of ['GET', 'PUT'])
        assert.equal(
          (
            await (
              await colleague(stage, role)
            ).call(method, '/settings/people', { body: method === 'PUT' ? {} : undefined })
          ).status,
          403,
        )
    const faulty = await call('PUT', '/settings/people', { body: { approval: 'yes' } })
    assert.deepEqual([faulty.status, faulty.body.errors[0].pointer], [400, '/approval'])
    const headers = { 'if-match': '"another"' }
    assert.equal((await call('PUT', '/settings/people', { body: {}, headers })).status, 412)
  })

  test('require two users who can send before approval can be required', async () => {
    const { key, account, code } = await stage.makeAccount('PAIR001')
    const put = () => call('PUT', '/settings/people', { body: { approval: true }, key })
    const none = await put()
    assert.deepEqual([none.status, none.body.type], [409, 'urn:stentor:problem:too-few-senders'])
    const first = await colleague(stage, 'sender', { account: { account, code } })
    await colleague(stage, 'author', { account: { account, code } })
    assert.equal((await put()).status, 409)
    const second = await colleague(stage, 'admin', { account: { account, code } })
    assert.deepEqual((await put()).body.approval, true)
    await sql`update people set active = false where id in (${first.id}, ${second.id})`.execute(context.db)
    assert.equal((await put()).body.approval, true)
  })
})
