import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parsePushReportAddress } from '../../../src/lib/crypto/push-tokens.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import {
  type ApplicationOptions,
  storedApplication,
  storedSubscription,
} from '../../support/stages/push-applications.ts'

const harness = await startHarness()
const { call, context, own, other } = harness

const routes = [
  { name: 'home', value: 'app://home', default: true },
  { name: 'sale', value: 'app://sale' },
]
const channels = [{ name: 'news', value: 'marketing' }]

let made = 0

async function contact(more: object = {}) {
  const email = `ada${++made}@orchard.example`
  const { status, body, text } = await call('POST', '/targets', { body: { Email: email, ...more } })
  assert.equal(status, 200, text)
  const { body: read } = await call('GET', `/targets/${body.id}`)
  return { id: body.id as string, number: parseContactId(body.id)!, email, hash: read.hash as string | undefined }
}

async function notification(version: object = {}, application: ApplicationOptions | null = { routes, channels }) {
  const content = { title: 'Twenty off', body: 'Tonight only' }
  const id = application && (await storedApplication(harness, application))
  const { status, body, text } = await call('POST', '/notifications', {
    body: {
      type: 'push-app',
      name: `Sale ${++made}`,
      settings: { application: id },
      versions: [
        { master: true, content, ...version },
        { name: 'other', content: { title: 'Other', body: 'Version' } },
      ],
    },
  })
  assert.equal(status, 200, text)
  return { ...body, path: `/notifications/${body.id}`, application: id }
}

async function render(path: string, body: object = {}) {
  const answer = await call('POST', `${path}/render`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

suite('notification renders', () => {
  test('show what a device would receive, with reporting addresses that can be read back', async () => {
    const content = {
      title: 'For {{ contact.Email }}',
      body: '{{ data.percent }} % <off>',
      icon: 'ic_sale',
      image: 'https://img.example/{{ contact.id }}.png',
      buttons: [{ title: 'Open', redirection: { type: 'route', value: 'sale' } }, { title: 'Later' }],
    }
    const channel = { type: 'channel', value: 'news' }
    const one = await notification({
      content,
      channel,
      redirection: { type: 'literal', value: 'app://x/{{ variables.v }}' },
    })
    const ada = await contact()
    const device = await storedSubscription(harness, one.application, { contact: ada.number })
    const stamp = { id: '0198c301-0000-7000-8000-000000000001', time: 1770300000000 }
    const body = {
      receiver: { type: 'id', value: ada.id },
      data: { percent: 20 },
      variables: [{ key: 'v', value: 'y' }],
      stamp,
    }
    const result = await render(one.path, body)
    assert.deepEqual(result, {
      type: 'success',
      meta: {
        notification: one.id,
        version: one.versions[0].id,
        application: one.application,
        subscription: device,
        stamp: { ...stamp, thread: stamp.id, set: stamp.id },
        channel: 'marketing',
        redirection: 'app://x/y',
      },
      render: {
        title: `For ${ada.email}`,
        body: '20 % <off>',
        icon: 'ic_sale',
        thumbnail: null,
        image: `https://img.example/${ada.id}.png`,
        buttons: [
          { title: 'Open', redirection: 'app://sale' },
          { title: 'Later', redirection: 'app://home' },
        ],
      },
      tracking: result.tracking,
    })
    const { radical, optout, ...tokens } = result.tracking
    const [, agency, customer, message] =
      /^https:\/\/stentor\.example\/hit\/(\w+)\/(\w+)\/([\w-]+)\/link\/$/.exec(radical) ?? []
    const signs = Object.entries({ ...tokens, 'optout.global': optout.global, 'optout.channel': optout.channel })
    for (const [sign, token] of signs) {
      const read = parsePushReportAddress(
        context.tokens,
        { agency: agency!, customer: customer! },
        { message: message!, token: String(token) },
      )
      assert.deepEqual(read, {
        sign,
        token: {
          account: own.account,
          notification: one.id,
          version: one.versions[0].id,
          subscription: device,
          contact: ada.number,
          stamp: stamp.id,
          test: false,
          silent: true,
        },
      })
    }
  })

  test('have the same answer for all eight forms of the request', async () => {
    const one = await notification({ content: { title: 'T {{ contact.id }}', body: 'B' } })
    const ada = await contact()
    const { hash } = (await call('GET', `/targets/${ada.id}`)).headers as { hash?: string }
    const md5 = hash ?? (await import('node:crypto')).hash('md5', ada.email)
    const other = `${one.path}/versions/${one.versions[1].id}`
    for (const [base, title] of [
      [one.path, `T ${ada.id}`],
      [other, 'Other'],
    ] as const) {
      const answers = [
        await render(base, { recipient: { id: ada.id } }),
        (await call('GET', `${base}/render/contact/${ada.id.toLowerCase()}`)).body,
        (await call('GET', `${base}/render/contact?unicity=${encodeURIComponent(ada.email)}`)).body,
        (await call('GET', `${base}/render/contact?hash=${md5.toUpperCase()}`)).body,
      ]
      for (const answer of answers) assert.equal(answer.render?.title, title, JSON.stringify(answer))
    }
    for (const path of ['contact', 'contact?unicity=a&hash=b'])
      assert.equal((await call('GET', `${one.path}/render/${path}`)).status, 400)
    for (const path of ['contact/0000ZZZZ', 'contact?unicity=nobody@orchard.example', `contact?hash=${'0'.repeat(32)}`])
      for (const base of [one.path, other])
        assert.equal((await call('GET', `${base}/render/${path}`)).status, 404, path)
  })

  test('can be for a contact, a device or nobody', async () => {
    const one = await notification({ content: { title: 'T{{ contact.Email }}', body: 'B' } })
    const ada = await contact()
    const device = await storedSubscription(harness, one.application, { contact: ada.number })
    const lonely = await storedSubscription(harness, one.application)
    const title = async (receiver: object | undefined) =>
      (await render(one.path, receiver && { receiver })).render?.title
    assert.equal(await title(undefined), 'T')
    assert.equal(await title({ type: 'contact', value: { type: 'unicity', value: [ada.email] } }), `T${ada.email}`)
    assert.equal(await title({ unicity: ada.email }), `T${ada.email}`)
    assert.equal(await title({ type: 'subscription', value: device.toUpperCase() }), `T${ada.email}`)
    const alone = await render(one.path, { receiver: { type: 'subscription', value: lonely } })
    assert.equal(alone.render.title, 'T')
    assert.equal(alone.meta.subscription, lonely)
    const elsewhere = await storedSubscription(harness, await storedApplication(harness), { contact: ada.number })
    for (const receiver of [
      { type: 'subscription', value: elsewhere },
      { type: 'id', value: '0000ZZZZ' },
    ])
      assert.deepEqual(await render(one.path, { receiver }), {
        type: 'error',
        value: { type: 'recipient not found', recipient: receiver },
      })
    assert.equal((await call('POST', `${one.path}/render`, { body: { receiver: {} } })).status, 400)
  })

  test("use overrides in place of the version's values", async () => {
    const one = await notification()
    const result = await render(one.path, {
      title: 'Mine {{ data.n }}',
      buttons: [{ title: 'Go' }],
      redirection: { type: 'route', value: 'sale' },
      data: { n: 1 },
    })
    assert.deepEqual([result.render.title, result.render.body], ['Mine 1', 'Tonight only'])
    assert.deepEqual(result.render.buttons, [{ title: 'Go', redirection: 'app://home' }])
    assert.equal(result.meta.redirection, 'app://sale')
  })

  test('have no redirection rather than an empty one', async () => {
    const none = await notification({ redirection: { type: 'literal', value: '{{ data.to }}' } }, {})
    const result = await render(none.path)
    assert.deepEqual([result.meta.redirection, result.meta.channel, result.meta.subscription], [null, null, null])
    const fallback = await notification({ redirection: { type: 'literal', value: '{{ data.to }}' } })
    assert.equal((await render(fallback.path)).meta.redirection, 'app://home')
    const unset = await notification({}, null)
    assert.equal((await render(unset.path)).meta.application, null)
  })

  test('report an empty title, a text that is too long and a payload of more than 4,096 bytes', async () => {
    const one = await notification({
      content: { title: '{{ data.title }}', body: '{{ data.body }}', image: '{{ data.image }}' },
    })
    const value = async (data: object) => (await render(one.path, { data })).value
    assert.deepEqual(await value({ body: 'x' }), {
      type: 'render',
      message: 'The rendered title is empty.',
      pointer: '/title',
    })
    assert.equal((await value({ title: 't'.repeat(251), body: 'x' })).pointer, '/title')
    assert.equal((await value({ title: 't', body: 'é'.repeat(2001) })).pointer, '/body')
    assert.equal((await value({ title: 't', body: 'x', image: 'http://img.example/a' })).pointer, '/image')
    assert.match((await value({ title: 't', body: '€'.repeat(1900) })).message, /4096/)
    assert.equal(await value({ title: 't', body: 'é'.repeat(2000).slice(0, 1000) }), undefined)
  })

  test('report a template error, and a template that cancels', async () => {
    const one = await notification({ content: { title: 'T', body: '{{ contact.Email' } })
    const { value } = await render(one.path)
    assert.deepEqual([value.type, value.pointer], ['render', '/body'])
    const cancelling = await notification({ content: { title: 'T', body: '{% cancel "not today" %}' } })
    assert.deepEqual((await render(cancelling.path)).value, { type: 'cancelled', message: 'not today' })
  })

  test('are 404 for an unknown version or another account', async () => {
    const one = await notification()
    const unknown = '0198c300-2222-7333-8444-555566667777'
    const ada = await contact()
    for (const version of [unknown, 'x']) {
      const path = `${one.path}/versions/${version}/render`
      assert.equal((await call('POST', path, { body: {} })).status, 404)
      for (const form of [`contact/${ada.id}`, `contact?unicity=${ada.email}`, `contact?hash=${'0'.repeat(32)}`])
        assert.equal((await call('GET', `${path}/${form}`)).status, 404)
    }
    const key = other.key
    assert.equal((await call('POST', `${one.path}/render`, { key, body: {} })).status, 404)
    assert.equal((await call('GET', `${one.path}/render/contact/${ada.id}`, { key })).status, 404)
    assert.equal(
      (await call('GET', `${one.path}/versions/${one.versions[1].id}/render/contact/${ada.id}`, { key })).status,
      404,
    )
  })
})
