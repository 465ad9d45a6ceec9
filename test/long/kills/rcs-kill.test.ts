import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRbmPeer } from '../../fakes/rcs/rbm-peer.ts'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { prepareService, type Service } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const CONTACTS = 300
const KILLS = 5
/** Messages a second of the profile, and the longest that the peer takes to answer: some are always under way. */
const [SPEED, SLOWEST_MS] = [200, 200]
/** The process is killed when the peer has taken as many as this, at most, since it started. */
const MOST_BETWEEN = 25
/** The state of a campaign whose messages were all handed over once. */
const ENDED = 60

const phoneOf = (n: number): string => `+336399${String(n).padStart(5, '0')}`
const numbers = Array.from({ length: CONTACTS }, (_, n) => n)

/** Makes contacts, a profile at the peer, and a campaign to all of them that is not validated yet; gives its number. */
async function campaign({ call }: Service, peer: Awaited<ReturnType<typeof startRbmPeer>>): Promise<number> {
  const { id: field } = await call('POST', '/fields', { type: 'phone', name: 'Mobile' })
  for (let from = 0; from < CONTACTS; from += 100) {
    const some = numbers.slice(from, from + 100)
    await call(
      'PUT',
      '/targets',
      some.map((n) => ({ Email: `p${n}@killed.example`, Mobile: phoneOf(n) })),
    )
  }
  const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
  const provider = { type: 'google-rbm', baseUrl: peer.url, tokenUrl: `${peer.url}/token`, credentials: peer.account }
  const { id: profile } = await call('POST', '/channel/rcs/profiles', {
    name: 'Orchard',
    agent: 'orchard_fr_k2',
    speed: SPEED,
    provider,
    capability: { check: false },
  })
  const { id } = await call('POST', '/channel/rcs/actions', {
    type: 'rcsCampaign',
    name: 'Pear week',
    settings: { profile, field },
    content: { type: 'text', text: 'Pears for {{ contact.Email }}' },
    scheduler: { type: 'asap', segments: { selected: [everybody.id] } },
  })
  return id
}

test('an RCS campaign whose process is repeatedly killed sends once to each contact, with none in doubt', async (t) => {
  const { signal } = t
  const random = seededRun(t)
  const peer = await startRbmPeer()
  t.after(() => peer.close())
  const { book } = peer
  const service = await prepareService(t, { STENTOR_OUTGOING_ALLOW: peer.host })
  let killAt = Number.POSITIVE_INFINITY
  let kills = 0
  const draw = (): void => {
    killAt = book.taken.length + 1 + Math.floor(random() * MOST_BETWEEN)
  }
  const { answer } = book
  book.answer = (request) => {
    const behaviour = answer(request)
    if (kills < KILLS && book.taken.length >= killAt) {
      // It was taken, and nobody is there any more to read that.
      killAt = Number.POSITIVE_INFINITY
      service.signal('SIGKILL')
      kills++
    }
    return { ...behaviour, afterMs: Math.floor(random() * SLOWEST_MS) }
  }

  await service.start()
  const id = await campaign(service, peer)
  draw()
  await service.call('POST', `/channel/rcs/actions/${id}/validation`)
  for (let seen = 0; seen < KILLS; seen++) {
    await eventually(() => kills > seen, signal)
    await service.ended()
    draw()
    await service.start()
  }
  const { monitor } = await eventually(async () => {
    const shown = await service.call('GET', `/channel/rcs/actions/${id}`)
    // A campaign is over when all was handed over once; what was under way at a kill is asked again after that.
    return shown.state === ENDED && shown.monitor.pending === 0 && shown
  }, signal)

  const { recipients, sent, held, cancelled, refused, pending } = monitor
  assert.deepEqual([recipients, sent, held, cancelled, refused, pending], [CONTACTS, CONTACTS, 0, 0, 0, 0])
  assert.deepEqual(book.faults, [])
  const phones = book.taken.map(({ phone }) => phone).sort()
  assert.deepEqual(phones, numbers.map(phoneOf), 'each phone once')
  const { rows } = await service.database.pool.query<{ stamp: string; phone: string }>(
    `select stamp::text, phone from events where kind = 'activations'`,
  )
  const pairs = (list: readonly { phone: string; id: string }[]) => list.map((one) => `${one.phone} ${one.id}`).sort()
  assert.deepEqual(
    pairs(rows.map(({ phone, stamp }) => ({ phone, id: stamp }))),
    pairs(book.taken.map(({ phone, messageId }) => ({ phone, id: messageId }))),
    'one activation for each message that was taken, by its messageId',
  )
  const again = book.attempts.length - book.taken.length
  assert.ok(again > 0, 'messages whose answer was lost were tried again')
  t.diagnostic(`${KILLS} kills; ${again} of ${CONTACTS} messages were handed over again`)
})
