import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatContactId } from '../../../src/lib/ids.ts'
import { fcmError } from '../../fakes/push/push-peer-fcm.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'
import { receivedBy, report } from '../../support/stages/push-visits.ts'

const stage = await startPushStage()
const { call, peers, application, notification, person, device, sendPushes, other } = stage

const app = await application(['firebase'])
const sale = await notification(app)

async function ok(method: string, url: string, body?: object) {
  const answer = await call(method, url, body ? { body } : {})
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

async function someone(devices = 1) {
  const number = await person()
  const subscriptions: string[] = []
  for (let n = 0; n < devices; n++) subscriptions.push(await device(app, number, 'firebase'))
  const id = formatContactId(number)
  const { fields } = await ok('GET', `/targets/${id}`)
  return { id, number, subscriptions, title: `For ${fields[email]}`, list: `/targets/${id}/notifications` }
}

/** Sends to a contact and gives the stamp. */
async function execute(to: string, more: object = {}, of = sale): Promise<string> {
  const recipient = { type: 'contact', value: { type: 'id', value: to } }
  const { id } = await ok('POST', `/notifications/${of}/execution`, { recipient, ...more })
  await sendPushes()
  return id
}

const receivedFor = (stamp: string) => receivedBy(peers.firebase).filter(({ meta }) => meta.stamp.id === stamp)

/** The events of a contact of one kind. */
async function eventsOf(contact: string, suffix: string) {
  const answer = await ok('GET', `/targets/${contact}/events${suffix}`)
  // biome-ignore lint/suspicious/noExplicitAny: any member of any event.
  return answer as { type: string; timestamp: number; source: { detail: any } }[]
}

const dateOf = ({ timestamp }: { timestamp: number }) => new Date(timestamp).toISOString()

/** An item as it is without any reaction, from its activation. */
// biome-ignore lint/suspicious/noExplicitAny: an event.
function itemOf(event: any, target: string, title: string, libelle: string) {
  const { id, version, application, subscription, stamp } = event.source.detail.activation
  return {
    notification_key: id,
    target,
    libelle,
    activation: dateOf(event),
    redirection: null,
    dismiss: null,
    impression: null,
    optout: null,
    bounce: null,
    notification: id,
    version,
    application,
    subscription,
    stamp,
    date: dateOf(event),
    title,
    state: 'sent',
  }
}

const fields: { id: number; name: string }[] = await ok('GET', '/fields')
const email = fields.find((field) => field.name === 'Email')!.id
const { name } = await ok('GET', `/notifications/${sale}`)

suite("a contact's notification history", () => {
  test('shows an opened and a bounced push as two items, newest first', async () => {
    const ada = await someone()
    const first = await execute(ada.id)
    await report(stage, receivedFor(first)[0]!, 'redirection')
    peers.firebase.plan.push(fcmError(404, 'UNREGISTERED'))
    await execute(ada.id)
    assert.equal((await call('GET', `/subscriptions/${ada.subscriptions[0]}`)).status, 404)
    const [sent, later] = await eventsOf(ada.id, '/activations')
    const [[hit], [bounce]] = [await eventsOf(ada.id, '/hits'), await eventsOf(ada.id, '/bounces')]
    assert.deepEqual(await ok('GET', ada.list), [
      { ...itemOf(later, ada.id, ada.title, name), bounce: dateOf(bounce!), state: 'bounced' },
      { ...itemOf(sent, ada.id, ada.title, name), redirection: dateOf(hit!), state: 'opened' },
    ])
    assert.equal((await call('GET', '/targets/0000ZZZZ/notifications')).status, 404)
    assert.equal((await call('GET', ada.list, { key: other.key })).status, 404)
    assert.deepEqual(await ok('GET', (await someone()).list), [])
  })

  test('has every member of a shown and tapped push, and applies date bounds and order', async () => {
    const ada = await someone()
    const stamp = await execute(ada.id)
    const [push] = receivedFor(stamp)
    await report(stage, push!, 'impression')
    await report(stage, push!, 'redirection')
    const [activation, impression, tap] = await eventsOf(ada.id, '').then((list) =>
      list.filter(({ type }) => type !== 'execution'),
    )
    const item = {
      ...itemOf(activation, ada.id, ada.title, name),
      impression: dateOf(impression!),
      redirection: dateOf(tap!),
      state: 'opened',
    }
    assert.deepEqual(await ok('GET', ada.list), [item])
    const listed = (query: string) => ok('GET', `${ada.list}?${query}`)
    for (const at of [activation!.timestamp, item.activation]) {
      assert.deepEqual(await listed(`start=${at}`), [item])
      assert.deepEqual(await listed(`startDate=${at}`), [item])
      assert.deepEqual(await listed(`end=${at}`), [])
      assert.deepEqual(await listed(`endDate=${at}`), [])
    }
    const { timestamp } = activation!
    assert.deepEqual(await listed(`end=${timestamp + 1}&endDate=${timestamp}`), [item], 'the short one counts')
    assert.deepEqual(await listed(`start=${timestamp + 1}&startDate=${timestamp}`), [])
    await execute(ada.id)
    const [newest, oldest] = await listed('')
    assert.deepEqual(await listed('sort=asc'), [oldest, newest])
    assert.deepEqual(await listed('sort=desc'), [newest, oldest])
    for (const wrong of ['sort=up', 'start=soon', 'endDate=never', 'limit=0', 'after=x', 'application=x'])
      assert.equal((await call('GET', `${ada.list}?${wrong}`)).status, 400, wrong)
  })

  test('has an item per device with its own reactions, whose states have a precedence', async () => {
    const ada = await someone(2)
    const stamp = await execute(ada.id)
    const [one, two] = receivedFor(stamp)
    await report(stage, two!, 'impression')
    const stateOf = async (subscription: string) => {
      const list: { subscription: string; state: string }[] = await ok('GET', ada.list)
      assert.equal(list.length, 2)
      return list.find((item) => item.subscription === subscription)?.state
    }
    for (const [sign, state] of [
      ['impression', 'shown'],
      ['optout.channel', 'optout'],
      ['dismiss', 'dismissed'],
      ['redirection', 'opened'],
    ] as const) {
      await report(stage, one!, sign)
      assert.equal(await stateOf(one!.meta.subscription), state)
      assert.equal(await stateOf(two!.meta.subscription), 'shown')
    }
  })

  test('continues pages where the previous one ended, in both orders, and filters by application', async () => {
    const ada = await someone(2)
    await execute(ada.id)
    await execute(ada.id)
    const second = await application(['firebase'])
    await device(second, ada.number, 'firebase')
    await execute(ada.id, {}, await notification(second))
    for (const sort of ['asc', 'desc']) {
      const whole = await ok('GET', `${ada.list}?sort=${sort}`)
      assert.equal(whole.length, 5)
      const paged: unknown[] = []
      for (let url: string | undefined = `${ada.list}?sort=${sort}&limit=2`; url; ) {
        const answer = await call('GET', url)
        paged.push(...answer.body)
        url = /^<([^>]+)>/.exec(String(answer.headers['link'] ?? ''))?.[1]
      }
      assert.deepEqual(paged, whole)
    }
    const own: { application: string }[] = await ok('GET', `${ada.list}?application=${second.toUpperCase()}`)
    assert.deepEqual(
      own.map((item) => item.application),
      [second],
    )
    assert.equal((await ok('GET', `${ada.list}?application=${app}`)).length, 4)
    assert.deepEqual(await ok('GET', `${ada.list}?application=${'0'.repeat(8)}-0000-4000-8000-000000000000`), [])
  })

  test('keeps titles and the last name when notification and device are deleted, and excludes tests', async () => {
    const ada = await someone()
    const own = await notification(app)
    await execute(ada.id, { title: 'Dear {{ contact.Email }} 😀' }, own)
    await ok('POST', `/notifications/${own}/test`, { recipient: { type: 'id', value: ada.id } })
    await sendPushes()
    await ok('PUT', `/notifications/${own}`, { name: 'The last name' })
    await ok('DELETE', `/notifications/${own}`)
    await ok('DELETE', `/subscriptions/${ada.subscriptions[0]}`)
    const [activation] = await eventsOf(ada.id, '/activations')
    const title = `Dear ${ada.title.slice(4)} 😀`
    assert.deepEqual(await ok('GET', ada.list), [itemOf(activation, ada.id, title, 'The last name')])
    assert.equal(JSON.stringify(activation).includes('Dear'), false, 'no record shows it')
  })

  test('is exported and erased with the contact, including titles of messages about the contact', async () => {
    const [ada, bob] = [await someone(), await someone()]
    const stamp = await execute(ada.id)
    const related = { type: 'id', value: ada.id }
    const about = await execute(bob.id, { title: 'From {{ related.Email }}', related })
    const exported = await ok('GET', `/targets/${ada.id}/export`)
    assert.deepEqual(exported.notifications, await ok('GET', ada.list))
    assert.deepEqual([exported.notifications[0].title, exported.notifications.length], [ada.title, 1])
    const titles = async () => {
      const { rows } = await stage.context.pool.query(
        `select kind, title from events where stamp = any($1) and title is not null`,
        [[stamp, about]],
      )
      return rows.length
    }
    assert.equal(await titles(), 2)
    assert.equal((await call('DELETE', `/targets/${ada.id}?erase=true`)).status, 204)
    assert.equal(await titles(), 0)
    const [item] = await ok('GET', bob.list)
    assert.equal(item.title, null)
  })
})
