import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startPushStage } from '../../support/stages/push-stage.ts'

const stage = await startPushStage()
const { own, other, call } = stage
const application = await stage.application(['firebase'])

async function made(path: string, body: object): Promise<string> {
  const answer = await call('POST', path, { body })
  assert.equal(answer.status, 200, answer.text)
  return `${path}/${answer.body.id}`
}

const action = async () => `/actions/${await stage.action()}`

async function rcsMessage(): Promise<string> {
  const body = { name: `Orchard ${Math.random()}`, agent: 'orchard_fr_k2', provider: { type: 'capture' } }
  const { id: profile } = (await call('POST', '/channel/rcs/profiles', { body })).body
  const content = { type: 'text', text: 'Ripe pears' }
  return made('/channel/rcs/actions', { type: 'rcsMessage', name: 'Pears', settings: { profile }, content })
}

const notification = () =>
  made('/notifications', {
    type: 'push-app',
    name: 'Sale',
    settings: { application },
    versions: [{ master: true, content: { title: 'Sale', body: 'Tonight' } }],
  })

const workflow = () =>
  made('/scripting/workflows', {
    name: 'Welcome',
    nodes: [{ id: 'end', type: 'terminal', default: true, settings: { outcome: 'welcomed' } }],
    tasks: [],
  })

await call('POST', '/fields', { body: { name: 'Mobile', type: 'phone' } })
assert.equal((await call('PUT', '/settings/sending', { body: { testRequired: false } })).status, 200)

/** What is released, by which operation. */
const released = [
  { name: 'an action', make: action, act: 'validation', body: { fortest: false } },
  { name: 'an RCS action', make: rcsMessage, act: 'validation', body: {} },
  { name: 'a notification', make: notification, act: 'activation', body: undefined },
  { name: 'a workflow', make: workflow, act: 'activation', body: undefined },
]

suite('If-Match on validation and activation', () => {
  for (const { name, make, act, body } of released) {
    test(`${name} changed since it was read is not released`, async () => {
      const path = await make()
      const tagOf = async () => String((await call('GET', path)).headers['etag'])
      const release = (tag: string, key = own.key) =>
        call('POST', `${path}/${act}`, { ...(body && { body }), headers: { 'if-match': tag }, key })
      const old = await tagOf()
      const shown = (await call('GET', path)).body
      const change = await call('PUT', path, { body: { ...shown, name: 'Another name' } })
      assert.ok(change.status < 300, change.text)
      const changed = (await call('GET', path)).body
      const refused = await release(old)
      assert.deepEqual([refused.status, refused.body.type], [412, 'urn:stentor:problem:precondition-failed'])
      assert.deepEqual((await call('GET', path)).body, changed)
      const now = await tagOf()
      assert.equal((await release(now, other.key)).status, 404)
      const { status, text } = await release(`"another", ${now}`)
      assert.equal(status, 204, text)
      assert.notDeepEqual((await call('GET', path)).body, changed)
    })
  }
})
