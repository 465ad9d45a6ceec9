import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import type { HttpApp } from '../../../src/http/app-type.ts'
import { startDatabaseProxy } from '../../fakes/database-proxy.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { app, call, clock, context, makeKey, own, other } = stage

const NOW = '2026-03-02T10:00:00.000Z'
clock.set(NOW)
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const DEVICE = { type: 'desktop', os: 'Windows 10', client: 'Firefox' }
const PATHS = ['/display/campaign', '/display/placement', '/display/content'] as const

let named = 0

async function made(path: string, body: object, key = own.key) {
  const answer = await call('POST', path, { body, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

interface Ids {
  campaign: string
  placement: string
  content: string
}

/** A campaign with a content and a placement, under ids of their own. */
async function display({ url = 'https://shop.example/spring' } = {}): Promise<Ids> {
  const n = ++named
  const ids = { campaign: `spring-${n}`, placement: `home-${n}`, content: `banner-${n}` }
  await made('/display/campaign', { id: ids.campaign, name: 'Spring' })
  await made('/display/placement', { id: ids.placement, name: 'Home' })
  await made('/display/content', { id: ids.content, name: 'Banner', campaign: ids.campaign, url })
  return ids
}

async function tagsOf({ content, placement }: Ids, contact?: string) {
  const query = new URLSearchParams({ placement, ...(contact !== undefined && { contact }) })
  const answer = await call('GET', `/display/content/${content}/tags?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { impression: string; click: string; html: string }
}

interface Visit {
  method?: 'GET' | 'HEAD'
  query?: Record<string, string>
  cookie?: string
  agent?: string
  from?: HttpApp
}

/** A request of somebody without a key. */
async function visit(url: string, { method = 'GET', query = {}, cookie, agent = BROWSER, from = app }: Visit = {}) {
  const answer = await from.inject({
    method,
    url: `${url.replace('https://stentor.example', '')}?${new URLSearchParams(query)}`,
    remoteAddress: '203.0.113.77',
    headers: { 'user-agent': agent, ...(cookie !== undefined && { cookie }) },
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, text: answer.payload }
}

async function history(path: string) {
  const answer = await call('GET', path)
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.text)
}

const impressionsOf = ({ content }: Ids) => history(`/display/content/${content}/events/activations`)
const clicksOf = ({ content }: Ids, query = '') =>
  history(`/display/content/${content}/events/hits/redirection${query}`)

async function identityRule(displayIdentity: string): Promise<void> {
  assert.equal((await call('PUT', '/settings/events', { body: { displayIdentity } })).status, 200)
}

async function pointerOf(method: string, url: string, body: unknown) {
  const answer = await call(method, url, { body })
  return [answer.status, answer.body?.errors?.[0]?.pointer]
}

/** A new contact, as events name it. */
async function known() {
  const unicity = `reader${++named}@example.org`
  const id = await stage.contact(unicity)
  return { type: 'footprint', id, unicity, hash: createHash('md5').update(unicity).digest('hex') }
}

const dates = { creationDate: NOW, updateDate: NOW }

suite('display campaigns, placements and contents', () => {
  test("are stored as given, under the client's id or a uuid", async () => {
    const campaign = await made('/display/campaign', {
      id: 'Spring.26~a_b-c',
      name: '  Spring ',
      startDate: '2026-03-01',
      endDate: 1_775_001_600_000,
    })
    assert.deepEqual(campaign, {
      id: 'Spring.26~a_b-c',
      name: 'Spring',
      description: null,
      active: true,
      ...dates,
      startDate: '2026-03-01T00:00:00.000Z',
      endDate: '2026-04-01T00:00:00.000Z',
    })
    const placement = await made('/display/placement', {
      id: 'home-top',
      name: 'Home',
      description: 'above the fold',
      active: false,
      site: 'shop.example',
      width: 728,
      height: 90,
    })
    assert.deepEqual(placement, {
      id: 'home-top',
      name: 'Home',
      description: 'above the fold',
      active: false,
      ...dates,
      site: 'shop.example',
      width: 728,
      height: 90,
    })
    const second = await made('/display/placement', { name: 'Foot' })
    assert.match(second.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/)
    assert.deepEqual(second, {
      ...placement,
      id: second.id,
      name: 'Foot',
      description: null,
      active: true,
      site: null,
      width: null,
      height: null,
    })
    const content = await made('/display/content', {
      id: 'banner-a',
      name: 'Banner',
      campaign: campaign.id,
      url: 'https://shop.example/spring?a=1',
      placements: [second.id, 'home-top', second.id],
    })
    assert.deepEqual(content, {
      id: 'banner-a',
      name: 'Banner',
      description: null,
      active: true,
      ...dates,
      campaign: campaign.id,
      url: 'https://shop.example/spring?a=1',
      placements: [second.id, 'home-top'],
    })
    for (const [path, shown] of [
      ['/display/campaign', campaign],
      ['/display/placement', placement],
      ['/display/content', content],
    ] as const) {
      assert.deepEqual((await call('GET', `${path}/${shown.id}`)).body, shown)
      assert.deepEqual(
        (await call('GET', path)).body.filter(({ id }: { id: string }) => id === shown.id),
        [shown],
      )
      assert.equal((await call('GET', `${path}/${shown.id.toUpperCase()}`)).status, 404, 'the case of an id counts')
    }
  })

  test('are listed by id, in pages that contain each once', async () => {
    for (let n = 0; n < 3; n++) await made('/display/placement', { name: `Page ${n}` })
    const all = (await call('GET', '/display/placement')).body.map(({ id }: { id: string }) => id)
    assert.deepEqual(all, [...all].sort())
    const paged: string[] = []
    for (let url: string | undefined = '/display/placement?limit=2'; url; ) {
      const { body, headers } = await call('GET', url)
      paged.push(...body.map(({ id }: { id: string }) => id))
      url = /<([^>]+)>/.exec(String(headers['link'] ?? ''))?.[1]
    }
    assert.deepEqual(paged, all)
  })

  test('a change keeps omitted members, and never changes the id', async () => {
    const { content, campaign, placement } = await display()
    const path = `/display/content/${content}`
    const before = (await call('PUT', path, { body: { placements: [placement], description: 'x' } })).body
    clock.set('2026-03-02T11:00:00.000Z')
    const renamed = await call('PUT', path, { body: { ...before, id: 'another', name: 'Second', description: null } })
    clock.set(NOW)
    const expected = { ...before, name: 'Second', description: null, updateDate: '2026-03-02T11:00:00.000Z' }
    assert.deepEqual(renamed.body, expected)
    assert.equal(renamed.body.campaign, campaign)
    assert.deepEqual((await call('PUT', path, { body: { placements: [] } })).body, {
      ...expected,
      placements: [],
      updateDate: NOW,
    })
  })

  test('are patched by merge or by operations, all or nothing', async () => {
    const { campaign, content } = await display()
    const path = `/display/campaign/${campaign}`
    const before = (await call('GET', path)).body
    const merged = await call('PATCH', path, { body: { description: 'x', startDate: '2026-03-01' } })
    assert.deepEqual(merged.body, { ...before, description: 'x', startDate: '2026-03-01T00:00:00.000Z' })
    assert.deepEqual((await call('PATCH', path, { body: { description: null, startDate: null } })).body, before)
    const operations = [
      { op: 'test', path: '/name', value: 'Spring' },
      { op: 'replace', path: '/active', value: false },
    ]
    assert.deepEqual((await call('PATCH', path, { body: operations })).body, { ...before, active: false })
    const failing = [
      { op: 'replace', path: '/active', value: true },
      { op: 'test', path: '/name', value: 'Autumn' },
    ]
    assert.equal((await call('PATCH', path, { body: failing })).status, 409)
    assert.deepEqual((await call('GET', path)).body, { ...before, active: false })
    assert.deepEqual(await pointerOf('PATCH', path, { name: null }), [400, '/name'])
    assert.deepEqual(await pointerOf('PATCH', path, { active: 'yes' }), [400, '/active'])
    assert.deepEqual(await pointerOf('PATCH', `/display/content/${content}`, { url: null }), [400, '/url'])
    assert.deepEqual(await pointerOf('PATCH', `/display/content/${content}`, { url: 'ftp://shop.example' }), [
      400,
      '/url',
    ])
    assert.equal((await call('PATCH', '/display/campaign/nobody', { body: {} })).status, 404)
  })

  test('respect If-Match', async () => {
    const { campaign } = await display()
    const path = `/display/campaign/${campaign}`
    const etag = String((await call('GET', path)).headers['etag'])
    assert.equal((await call('PATCH', path, { body: { name: 'A' }, headers: { 'if-match': etag } })).status, 200)
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assert.equal((await call(method, path, { body: { name: 'B' }, headers: { 'if-match': etag } })).status, 412)
    assert.equal((await call('GET', path)).body.name, 'A')
  })

  test('are refused with a pointer if invalid, and nothing is created', async () => {
    const { campaign, placement } = await display()
    const counts = () => Promise.all(PATHS.map(async (path) => (await call('GET', path)).body.length))
    const before = await counts()
    const content = { name: 'A', campaign, url: 'https://shop.example/' }
    const faults: [string, object, string][] = [
      ['/display/campaign', {}, '/name'],
      ['/display/campaign', { name: ' ' }, '/name'],
      ['/display/campaign', { name: 'n'.repeat(256) }, '/name'],
      ['/display/campaign', { name: 'A', id: 'a b' }, '/id'],
      ['/display/campaign', { name: 'A', id: 'a'.repeat(65) }, '/id'],
      ['/display/campaign', { name: 'A', id: '' }, '/id'],
      ['/display/campaign', { name: 'A', id: 12 }, '/id'],
      ['/display/campaign', { name: 'A', active: 1 }, '/active'],
      ['/display/campaign', { name: 'A', startDate: 'soon' }, '/startDate'],
      ['/display/campaign', { name: 'A', startDate: '2026-02-02', endDate: '2026-02-01' }, '/endDate'],
      ['/display/placement', { name: 'A', width: 0 }, '/width'],
      ['/display/placement', { name: 'A', height: 1.5 }, '/height'],
      ['/display/content', { ...content, url: undefined }, '/url'],
      ['/display/content', { ...content, url: 'javascript:alert(1)' }, '/url'],
      ['/display/content', { ...content, url: 'https:///path' }, '/url'],
      ['/display/content', { ...content, url: 'https://shop.example/a\r\nSet-Cookie: a=b' }, '/url'],
      ['/display/content', { ...content, campaign: undefined }, '/campaign'],
      ['/display/content', { ...content, placements: [1] }, '/placements/0'],
    ]
    for (const [path, body, pointer] of faults)
      assert.deepEqual(await pointerOf('POST', path, body), [400, pointer], JSON.stringify(body))
    assert.equal((await call('POST', '/display/content', { body: { ...content, campaign: 'nobody' } })).status, 404)
    const strange = { ...content, placements: [placement, 'nowhere'] }
    assert.equal((await call('POST', '/display/content', { body: strange })).status, 404)
    assert.equal((await call('POST', '/display/campaign', { body: { name: 'A', id: campaign } })).status, 409)
    assert.deepEqual(await counts(), before)
  })

  test('are unknown to another account, and require rights', async () => {
    const ids = await display()
    const body = { name: 'Mine' }
    const reader = await makeKey(own.account, ['read'])
    const writer = await makeKey(own.account, ['write'])
    for (const [path, id] of PATHS.map((path, n) => [path, Object.values({ ...ids })[n]])) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
        assert.equal(
          (await call(method, `${path}/${id}`, { key: other.key, ...(method !== 'GET' && { body }) })).status,
          404,
        )
      for (const suffix of ['activations', 'hits/redirection'])
        assert.equal((await call('GET', `${path}/${id}/events/${suffix}`, { key: other.key })).status, 404)
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        assert.equal((await call(method, `${path}/${id}`, { key: reader, body })).status, 403)
      assert.equal((await call('POST', String(path), { key: reader, body })).status, 403)
      assert.equal((await call('GET', `${path}/${id}`, { key: writer })).status, 403)
      assert.equal((await call('GET', `${path}/${id}`, { key: reader })).status, 200)
    }
    assert.equal(
      (await call('GET', `/display/content/${ids.content}/tags?placement=${ids.placement}`, { key: other.key })).status,
      404,
    )
    const foreign = { name: 'A', campaign: ids.campaign, url: 'https://shop.example/' }
    assert.equal((await call('POST', '/display/content', { body: foreign, key: other.key })).status, 404)
    await made('/display/campaign', { name: 'Same id, another account', id: ids.campaign }, other.key)
    assert.equal((await call('GET', `/display/campaign/${ids.campaign}`)).body.name, 'Spring')
  })

  test("a deleted object's id is never reusable, and objects that refer to it can still be changed", async () => {
    const ids = await display()
    await call('PUT', `/display/content/${ids.content}`, { body: { placements: [ids.placement] } })
    for (const [path, id] of [
      ['/display/campaign', ids.campaign],
      ['/display/placement', ids.placement],
    ]) {
      assert.equal((await call('DELETE', `${path}/${id}`)).status, 204)
      assert.equal((await call('DELETE', `${path}/${id}`)).status, 404)
      assert.equal((await call('GET', `${path}/${id}`)).status, 404)
      assert.equal((await call('PUT', `${path}/${id}`, { body: { name: 'A' } })).status, 404)
      assert.equal((await call('POST', String(path), { body: { id, name: 'A' } })).status, 409)
    }
    const read = (await call('GET', `/display/content/${ids.content}`)).body
    assert.deepEqual([read.campaign, read.placements], [ids.campaign, [ids.placement]])
    assert.equal((await call('PUT', `/display/content/${ids.content}`, { body: read })).status, 200)
    const another = { name: 'B', campaign: ids.campaign, url: 'https://shop.example/' }
    assert.equal((await call('POST', '/display/content', { body: another })).status, 404)
    assert.equal((await call('GET', `/display/content/${ids.content}/tags?placement=${ids.placement}`)).status, 404)
  })
})

suite('display tags', () => {
  test('are ready-made URLs of the tracking host, and safe HTML', async () => {
    const ids = await display()
    await call('PUT', `/display/content/${ids.content}`, { body: { name: '<b>"A" & B' } })
    const { impression, click, html } = await tagsOf(ids)
    assert.match(impression, /^https:\/\/stentor\.example\/d\/[A-Za-z0-9_-]{48}\.gif$/)
    assert.match(click, /^https:\/\/stentor\.example\/d\/[A-Za-z0-9_-]{48}$/)
    assert.equal(
      html,
      `<a href="${click}" rel="nofollow noopener">&lt;b&gt;&#34;A&#34; &amp; B</a><img src="${impression}" width="1" height="1" alt="" referrerpolicy="no-referrer">`,
    )
    const { body } = await call('GET', '/settings/sending')
    const profiles = body.profiles.map((profile: { channel: string }) =>
      profile.channel === 'email' ? { ...profile, trackingHost: 't.shop.example' } : profile,
    )
    assert.equal((await call('PUT', '/settings/sending', { body: { profiles } })).status, 200)
    assert.match((await tagsOf(ids)).click, /^https:\/\/t\.shop\.example\/d\//)
    assert.equal((await call('PUT', '/settings/sending', { body: { profiles: body.profiles } })).status, 200)
  })

  test('require a placement of the content and an existing contact', async () => {
    const ids = await display()
    const elsewhere = await made('/display/placement', { name: 'Elsewhere' })
    const path = `/display/content/${ids.content}/tags`
    const without = await call('GET', path)
    assert.deepEqual([without.status, without.body.errors[0].pointer], [400, 'placement'])
    assert.equal((await call('GET', `${path}?placement=nowhere`)).status, 404)
    assert.equal((await call('GET', `${path}?placement=${ids.placement}&contact=0000ZZZZ`)).status, 404)
    assert.equal((await call('GET', `/display/content/nothing/tags?placement=${ids.placement}`)).status, 404)
    await call('PUT', `/display/content/${ids.content}`, { body: { placements: [ids.placement] } })
    const wrong = await call('GET', `${path}?placement=${elsewhere.id}`)
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, 'placement'])
    assert.equal((await call('GET', `${path}?placement=${ids.placement}`)).status, 200)
  })
})

suite('requests from display tags', () => {
  test('an impression returns a one-pixel image and is stored as a whole activation', async () => {
    const ids = await display()
    const { impression } = await tagsOf(ids)
    const { status, headers, bytes } = await visit(impression)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'image/gif')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(bytes.length, 43)
    const [event, ...more] = await impressionsOf(ids)
    assert.deepEqual(more, [])
    const { stamp } = event.source.detail.activation
    assert.match(stamp.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.deepEqual(event, {
      type: 'activation',
      id: event.id,
      timestamp: event.timestamp,
      identity: { type: 'customer', agency: 'ACME', customer: '001' },
      source: {
        type: 'display',
        detail: {
          activation: {
            id: ids.campaign,
            kind: 'impression',
            campaign: ids.campaign,
            placement: ids.placement,
            content: ids.content,
            receiver: null,
            stamp: { time: Date.parse(NOW), id: stamp.id, thread: stamp.id, set: stamp.id },
          },
        },
      },
    })
    await visit(impression)
    const stamps = (await impressionsOf(ids)).map((one: typeof event) => one.source.detail.activation.stamp.id)
    assert.equal(new Set(stamps).size, 2, 'each has a stamp of its own')
  })

  test('a redirection leads only to the current URL, and is stored as a whole hit', async () => {
    const ids = await display()
    const contact = await known()
    const { click } = await tagsOf(ids, contact.id)
    const { status, headers } = await visit(click, { query: { url: 'https://evil.example/', target: 'x' } })
    assert.deepEqual([status, headers['location']], [302, 'https://shop.example/spring'])
    const [event, ...more] = await clicksOf(ids)
    assert.deepEqual(more, [])
    const { stamp } = event.source.detail.activation
    assert.deepEqual(event.source, {
      type: 'display',
      detail: {
        activation: {
          id: ids.campaign,
          kind: 'impression',
          campaign: ids.campaign,
          placement: ids.placement,
          content: ids.content,
          receiver: contact,
          stamp: { time: Date.parse(NOW), id: stamp.id, thread: stamp.id, set: stamp.id },
        },
        link: { type: 'redirection', id: null, name: 'Banner', url: 'https://shop.example/spring' },
        hit: { time: Date.parse(NOW), ip: '203.0.113.0', userAgent: BROWSER, device: DEVICE, classification: null },
      },
    })
    await call('PUT', `/display/content/${ids.content}`, { body: { url: 'https://shop.example/été' } })
    assert.equal((await visit(click)).headers['location'], 'https://shop.example/%C3%A9t%C3%A9')
    assert.equal((await clicksOf(ids))[1].source.detail.link.url, 'https://shop.example/été')
  })

  test('the same nonce joins image and link in either order, and counts an impression once', async () => {
    for (const order of ['picture first', 'link first']) {
      const ids = await display()
      const { impression, click } = await tagsOf(ids)
      const query = { r: 'page-1' }
      if (order === 'link first') await visit(click, { query })
      await visit(impression, { query })
      await visit(impression, { query })
      if (order === 'picture first') await visit(click, { query })
      await visit(impression, { query: { r: 'page-2' } })
      await context.pool.query("update early_reactions set next_at = now() - interval '1 second'")
      await finalizeHits(context.db)
      const [first, second, ...more] = await impressionsOf(ids)
      assert.deepEqual(more, [], order)
      const [hit] = await clicksOf(ids, '?classification=all')
      assert.deepEqual(hit.source.detail.activation, first.source.detail.activation, order)
      assert.notEqual(second.source.detail.activation.stamp.id, first.source.detail.activation.stamp.id)
    }
  })

  test('robot hits are classified like those of links, and a HEAD request is no impression', async () => {
    const ids = await display()
    const { impression, click } = await tagsOf(ids)
    await visit(click, { agent: '' })
    assert.equal((await visit(click, { method: 'HEAD' })).status, 302)
    assert.equal((await visit(impression, { method: 'HEAD' })).status, 200)
    assert.deepEqual(await clicksOf(ids), [])
    const classes = (await clicksOf(ids, '?classification=all')).map(
      (event: { source: { detail: { hit: { classification: string } } } }) => event.source.detail.hit.classification,
    )
    assert.deepEqual(classes, ['genericrobot', 'genericrobot'])
    assert.deepEqual(await impressionsOf(ids), [])
  })

  test('inactive, expired or deleted displays still answer and are recorded, and their history remains', async () => {
    const ids = await display()
    const { impression, click } = await tagsOf(ids)
    await call('PUT', `/display/campaign/${ids.campaign}`, { body: { active: false, endDate: '2026-01-01' } })
    await call('PUT', `/display/content/${ids.content}`, { body: { active: false } })
    assert.equal((await visit(impression)).status, 200)
    assert.equal((await visit(click)).headers['location'], 'https://shop.example/spring')
    for (const [part, id] of Object.entries(ids))
      assert.equal((await call('DELETE', `/display/${part}/${id}`)).status, 204)
    assert.equal((await visit(impression)).status, 200)
    assert.equal((await visit(click)).headers['location'], 'https://shop.example/spring')
    for (const [part, id] of Object.entries(ids)) {
      assert.equal((await history(`/display/${part}/${id}/events/activations`)).length, 2, part)
      assert.equal((await history(`/display/${part}/${id}/events/hits/redirection`)).length, 2, part)
    }
  })

  test('a forged token is 404 with identical bytes and leaves no trace', async () => {
    const ids = await display()
    const { impression, click } = await tagsOf(ids)
    const token = click.split('/').at(-1) ?? ''
    const picture = impression.split('/').at(-1)?.replace('.gif', '') ?? ''
    const flipped = (token[10] === 'A' ? 'B' : 'A') + token.slice(11)
    const forged = [
      `/d/${token.slice(0, 10)}${flipped}`,
      `/d/${token.slice(0, -1)}`,
      `/d/${picture}`,
      `/d/${token}.gif`,
      '/d/x',
      '/d/x.gif',
    ]
    const answers = await Promise.all(forged.map((path) => visit(path)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      forged.map(() => 404),
    )
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.deepEqual(await impressionsOf(ids), [])
    assert.deepEqual(await clicksOf(ids, '?classification=all'), [])
  })

  test('a deleted contact keeps its last footprint, and an erased one is redirected but not recorded', async () => {
    const ids = await display()
    const footprint = await known()
    const gone = footprint.id
    const tags = await tagsOf(ids, gone)
    await visit(tags.impression)
    assert.equal((await call('DELETE', `/targets/${gone}`)).status, 204)
    await visit(tags.impression)
    await visit(tags.click)
    assert.deepEqual(
      (await impressionsOf(ids)).map(
        (event: { source: { detail: { activation: { receiver: unknown } } } }) =>
          event.source.detail.activation.receiver,
      ),
      [footprint, footprint],
    )
    assert.deepEqual((await clicksOf(ids))[0].source.detail.activation.receiver, footprint)

    const erased = await display()
    const contact = await stage.contact(`erased${++named}@example.org`)
    const of = await tagsOf(erased, contact)
    await visit(of.impression)
    assert.equal((await call('DELETE', `/targets/${contact}?erase=true`)).status, 204)
    assert.equal((await visit(of.impression)).status, 200)
    assert.equal((await visit(of.click)).headers['location'], 'https://shop.example/spring')
    const [event, ...more] = await impressionsOf(erased)
    assert.deepEqual(more, [])
    assert.deepEqual(event.source.detail.activation.receiver, { type: 'footprint', id: contact, unicity: '', hash: '' })
    assert.deepEqual(await clicksOf(erased, '?classification=all'), [])
  })
})

suite('the viewer of a display', () => {
  const cookieOf = (answer: Awaited<ReturnType<typeof visit>>) =>
    String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? ''

  async function receivers(ids: Ids) {
    const events = await impressionsOf(ids)
    return events.map(
      (event: { source: { detail: { activation: { receiver: { id: string } | null } } } }) =>
        event.source.detail.activation.receiver?.id ?? null,
    )
  }

  test('is identified by the cookie where the account always allows it, set for the host only', async () => {
    await identityRule('always')
    const ids = await display()
    const contact = await stage.contact(`known${++named}@example.org`)
    const [personal, anybody] = [await tagsOf(ids, contact), await tagsOf(ids)]
    const first = await visit(personal.impression)
    assert.match(
      String(first.headers['set-cookie']),
      /^mid=[A-Za-z0-9_-]{45,46}; Max-Age=34128000; Path=\/d\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const cookie = `other=1; ${cookieOf(first)}; last=2`
    const second = await visit(anybody.impression, { cookie })
    assert.equal(second.headers['set-cookie'], undefined, 'only a tag that names a contact sets it')
    await visit(anybody.impression)
    await visit(anybody.impression, { cookie: `${cookieOf(first)}x` })
    await visit(anybody.impression, { cookie: 'mid=' })
    assert.deepEqual(await receivers(ids), [contact, contact, null, null, null])
    await visit(anybody.click, { cookie })
    assert.equal((await clicksOf(ids))[0].source.detail.activation.receiver.id, contact)
  })

  test('is no longer known by a cookie after 13 months, and never in another account', async () => {
    await identityRule('always')
    const ids = await display()
    const contact = await stage.contact(`old${++named}@example.org`)
    const anybody = await tagsOf(ids)
    const cookie = cookieOf(await visit((await tagsOf(ids, contact)).click))
    assert.match(cookie, /^mid=/)
    clock.advance(394 * 24 * 3600 * 1000)
    await visit(anybody.impression, { cookie })
    clock.advance(2 * 24 * 3600 * 1000)
    await visit(anybody.impression, { cookie })
    clock.set(NOW)
    assert.deepEqual(await receivers(ids), [contact, null])

    const key = other.key
    await call('PUT', '/settings/events', { body: { displayIdentity: 'always' }, key })
    await made('/display/campaign', { id: 'theirs', name: 'A' }, key)
    await made('/display/placement', { id: 'theirs', name: 'A' }, key)
    await made('/display/content', { id: 'theirs', name: 'A', campaign: 'theirs', url: 'https://rival.example/' }, key)
    const { body } = await call('GET', '/display/content/theirs/tags?placement=theirs', { key })
    await visit(body.impression, { cookie })
    const [event] = JSON.parse((await call('GET', '/display/events/activations', { key })).text)
    assert.equal(event.source.detail.activation.receiver, null)
  })

  test('is known by cookie in consent mode only if the page confirms consent', async () => {
    await identityRule('consent')
    const ids = await display()
    const contact = await stage.contact(`asked${++named}@example.org`)
    const [personal, anybody] = [await tagsOf(ids, contact), await tagsOf(ids)]
    assert.equal((await visit(personal.impression)).headers['set-cookie'], undefined)
    assert.equal((await visit(personal.impression, { query: { consent: '0' } })).headers['set-cookie'], undefined)
    const cookie = cookieOf(await visit(personal.impression, { query: { consent: '1' } }))
    assert.match(cookie, /^mid=/)
    await visit(anybody.impression, { cookie })
    await visit(anybody.impression, { cookie, query: { consent: '1' } })
    assert.deepEqual(await receivers(ids), [contact, contact, contact, null, contact])
  })

  test('is by default only the contact of the tag, and no cookie is set or read', async () => {
    await identityRule('always')
    const ids = await display()
    const contact = await stage.contact(`plain${++named}@example.org`)
    const [personal, anybody] = [await tagsOf(ids, contact), await tagsOf(ids)]
    const cookie = cookieOf(await visit(personal.impression))
    await identityRule('none')
    assert.equal((await visit(personal.impression, { query: { consent: '1' } })).headers['set-cookie'], undefined)
    await visit(anybody.impression, { cookie, query: { consent: '1' } })
    assert.deepEqual(await receivers(ids), [contact, contact, null])
  })

  test('gets no cookie for an erased contact', async () => {
    await identityRule('always')
    const ids = await display()
    const contact = await stage.contact(`left${++named}@example.org`)
    const { impression } = await tagsOf(ids, contact)
    await call('DELETE', `/targets/${contact}?erase=true`)
    assert.equal((await visit(impression)).headers['set-cookie'], undefined)
    await identityRule('none')
  })
})

suite('display histories', () => {
  test('contain only their own events, and an unknown id is 404', async () => {
    const [one, two] = [await display(), await display()]
    for (const ids of [one, two]) {
      const { impression, click } = await tagsOf(ids)
      await visit(impression)
      await visit(click)
    }
    for (const [part, id] of Object.entries(one))
      for (const suffix of ['activations', 'hits/redirection']) {
        const events = await history(`/display/${part}/${id}/events/${suffix}`)
        assert.deepEqual(
          events.map((event: { source: { detail: { activation: Ids } } }) => event.source.detail.activation.content),
          [one.content],
          `${part} ${suffix}`,
        )
        assert.equal((await call('GET', `/display/${part}/nobody/events/${suffix}`)).status, 404)
      }
    const all = await history('/display/events/activations?sort=desc&limit=2')
    assert.deepEqual(
      all.map((event: { source: { detail: { activation: Ids } } }) => event.source.detail.activation.content),
      [two.content, one.content],
    )
    const silent = await display()
    assert.deepEqual(await impressionsOf(silent), [])
  })

  test('include display impressions and hits for a contact', async () => {
    const ids = await display()
    const contact = await stage.contact(`whole${++named}@example.org`)
    const action = await stage.validated(await stage.action())
    const body = { recipient: { type: 'id', value: contact } }
    assert.equal((await call('POST', `/actions/${action}/execution`, { body })).status, 200)
    await stage.settle()
    const { impression, click } = await tagsOf(ids, contact)
    await visit(impression)
    await visit(click)
    const channels = async (suffix: string) =>
      (await history(`/targets/${contact}/events${suffix}`)).map(
        (event: { source: { type: string } }) => event.source.type,
      )
    assert.deepEqual(await channels('/activations'), ['email', 'display'])
    assert.deepEqual(await channels('/hits/redirection'), ['display'])
    assert.deepEqual(await channels(''), ['email', 'email', 'display', 'display'])
  })

  test("include the events of a campaign's display campaigns until they are deleted", async () => {
    const ids = await display()
    const items = [{ type: 'display', id: ids.campaign }]
    assert.equal(
      (await call('POST', '/campaigns', { body: { name: 'All', items: [{ type: 'display', id: 'nobody' }] } })).status,
      404,
    )
    assert.equal((await call('POST', '/campaigns', { body: { name: 'All', items }, key: other.key })).status, 404)
    const campaign = await made('/campaigns', { name: 'All', items })
    assert.deepEqual(campaign.items, items)
    const { impression, click } = await tagsOf(ids)
    await visit(impression)
    await visit(click)
    await visit((await tagsOf(await display())).impression)
    const types = async (answer: Awaited<ReturnType<typeof call>>) =>
      JSON.parse(answer.text).map(({ type }: { type: string }) => type)
    const url = `/campaigns/${campaign.id}/events`
    assert.deepEqual(await types(await call('GET', url)), ['activation', 'hit'])
    const filter = { itemsEvents: [{ type: 'display', items: [ids.campaign], events: [{ type: 'hit' }] }] }
    assert.deepEqual(await types(await call('POST', url, { body: filter })), ['hit'])
    assert.equal((await call('DELETE', `/display/campaign/${ids.campaign}`)).status, 204)
    assert.deepEqual((await call('GET', `/campaigns/${campaign.id}`)).body.items, [])
  })
})

test('while the database is unavailable a known link redirects, and the request is recorded once', {
  timeout: 60_000,
}, async (t) => {
  const proxy = await startDatabaseProxy(String(context.pool.options.connectionString))
  const away = openDatabasePool(proxy.url, { max: 4 })
  const tracker = await buildApiServer({ ...context, db: away.db, pool: away.pool }, new Registry(), ['tracking'])
  t.after(async () => {
    await tracker.close()
    await away.close()
    await proxy.close()
  })
  await tracker.ready()
  const ids = await display()
  const { impression, click } = await tagsOf(ids)
  assert.equal((await visit(click, { from: tracker })).status, 302)
  proxy.cut()
  assert.equal((await visit(click, { from: tracker })).headers['location'], 'https://shop.example/spring')
  assert.equal((await visit(impression, { from: tracker, query: { r: 'once' } })).status, 200)
  assert.equal((await visit(impression, { from: tracker, query: { r: 'once' } })).status, 200)
  assert.equal((await clicksOf(ids)).length, 1)
  proxy.restore()
  await eventually(async () => (await impressionsOf(ids)).length > 0 && (await clicksOf(ids)).length > 1)
  assert.equal((await impressionsOf(ids)).length, 1)
  assert.equal((await clicksOf(ids)).length, 2)
})
