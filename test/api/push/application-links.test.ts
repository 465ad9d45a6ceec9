import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startHarness } from '../../support/harness.ts'

const { call, other } = await startHarness()
const APPLICATIONS = '/parameters/applications'

let made = 0
const content = { title: 'Twenty off', body: 'Tonight only', buttons: [] as object[] }
const route = (value: string) => ({ type: 'route', value })
const channel = (value: string) => ({ type: 'channel', value })
const shown = (name: string) => ({ name, value: { type: 'literal', value: `app://${name}` }, default: false })

/** An active application with routes and channels. */
async function application(): Promise<string> {
  const body = {
    name: `Orchard ${++made}`,
    providers: [{ type: 'webpush', subject: 'mailto:push@orchard.example' }],
    routes: ['home', 'sale', 'basket'].map(shown),
    channels: ['news', 'alerts'].map(shown),
  }
  const answer = await call('POST', APPLICATIONS, { body })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(await switched(answer.body.id), 204)
  return answer.body.id
}

async function notification(of: string, versions: readonly object[]) {
  const body = { type: 'push-app', name: `Sale ${++made}`, settings: { application: of }, versions }
  const answer = await call('POST', '/notifications', { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { id: number; name: string }
}

const switched = async (id: string, method = 'POST') => (await call(method, `${APPLICATIONS}/${id}/activation`)).status
const activate = (id: number, method = 'POST') => call(method, `/notifications/${id}/activation`)
const put = (id: string, body: object) => call('PUT', `${APPLICATIONS}/${id}`, { body })

suite('applications named by notifications', () => {
  test('a PUT that drops routes or channels of active notifications is 409 and names the notifications', async () => {
    const of = await application()
    const buttons = [{ title: 'Open', redirection: route('basket') }]
    const one = await notification(of, [
      { master: true, content, redirection: route('sale'), channel: channel('news') },
      { condition: 'true', content: { ...content, buttons } },
    ])
    // Nothing of an inactive one is kept, nor what is written out.
    await notification(of, [{ master: true, content, redirection: route('home') }])
    const literal = { master: true, content, redirection: { type: 'literal', value: 'home' } }
    assert.equal((await activate((await notification(of, [literal])).id)).status, 204)
    assert.equal((await activate(one.id)).status, 204)
    const links = [{ type: 'notification', id: one.id, name: one.name }]
    const refused = async (body: object, pointers: string[]) => {
      const answer = await put(of, body)
      assert.deepEqual([answer.status, answer.body.links], [409, links], answer.text)
      assert.match(answer.body.type, /:application-linked$/)
      assert.deepEqual(
        answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
        pointers,
      )
    }
    await refused({ routes: [shown('sale'), shown('home')] }, ['/routes'])
    await refused({ channels: null }, ['/channels'])
    await refused({ routes: [shown('Sale')], channels: [] }, ['/channels', '/routes', '/routes'])
    const { body: before } = await call('GET', `${APPLICATIONS}/${of}`)
    assert.equal(before.routes.length, 3)
    const kept = { routes: [shown('sale'), shown('basket')], channels: [shown('news')] }
    assert.equal((await put(of, { ...kept, description: 'without home and alerts' })).status, 200)
    assert.equal((await put(of, { name: `Renamed ${++made}` })).status, 200)
    assert.equal((await activate(one.id, 'DELETE')).status, 204)
    assert.equal((await put(of, { routes: null, channels: null })).status, 200)
  })

  test('an inactive application can drop routes, and can still be changed afterwards', async () => {
    const of = await application()
    const one = await notification(of, [{ master: true, content, redirection: route('sale') }])
    assert.equal((await activate(one.id)).status, 204)
    assert.equal(await switched(of, 'DELETE'), 204)
    assert.equal((await put(of, { routes: [] })).status, 200)
    assert.equal(await switched(of), 204)
    assert.equal((await put(of, { routes: [shown('other')] })).status, 200)
  })

  test('dropping a route and activating a notification that names it never both succeed', async () => {
    for (let round = 0; round < 10; round++) {
      const of = await application()
      const { id } = await notification(of, [{ master: true, content, redirection: route('sale') }])
      const [changed, activated] = await Promise.all([put(of, { routes: [] }), activate(id)])
      assert.deepEqual([changed!.status, activated!.status].sort(), activated!.status === 204 ? [204, 409] : [200, 409])
    }
  })

  test('an application cannot be deleted while a notification, even an inactive one, names it', async () => {
    const of = await application()
    const remove = () => call('DELETE', `${APPLICATIONS}/${of}`)
    const list = [await notification(of, [{ master: true, content }]), await notification(of, [{}])]
    assert.equal((await activate(list[0]!.id)).status, 204)
    assert.equal(await remove().then(({ body }) => body.type), 'urn:stentor:problem:application-active')
    assert.equal(await switched(of, 'DELETE'), 204)
    const refused = await remove()
    assert.equal(refused.status, 409, refused.text)
    assert.deepEqual(
      refused.body.links,
      list.map(({ id, name }) => ({ type: 'notification', id, name })),
    )
    assert.equal((await call('DELETE', `/notifications/${list[0]!.id}`)).status, 204)
    assert.equal((await remove()).body.links.length, 1)
    assert.equal((await call('DELETE', `${APPLICATIONS}/${of}`, { key: other.key })).status, 404)
    assert.equal((await call('DELETE', `/notifications/${list[1]!.id}`)).status, 204)
    assert.equal((await remove()).status, 204)
    assert.equal((await call('GET', `${APPLICATIONS}/${of}`)).status, 404)
  })
})
