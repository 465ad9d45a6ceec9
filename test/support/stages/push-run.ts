import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { PushRequest } from '../../fakes/push/push-peer.ts'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { type PreparedService, prepareService } from '../processes/process.ts'
import { eventually } from '../wait.ts'
import { type ProviderName, type PushServices, providerNames, startPushServices } from './push-services.ts'

/** The longest that services take to answer: some pushes are always under way. */
export const SLOWEST_MS = 60

/** A device, by its subscription. */
export interface Device {
  id: string
  provider: ProviderName
  contact: string
}

/** The program, the services that it sends to, and what it sends. */
export interface Run {
  service: PreparedService & { database: Awaited<ReturnType<typeof prepareService>>['database'] }
  services: PushServices
  settings: Record<string, string>
  app: string
  notification: number
  random: () => number
}

/** The program as a process, with services of all kinds, an application that sends to them, and a notification of it. */
export async function begin(t: TestContext, more: Record<string, string> = {}): Promise<Run> {
  const random = seededRun(t)
  const services = await startPushServices()
  t.after(() => services.close().then(() => undefined))
  const { peers, providers, home, authority } = services
  const settings: Record<string, string> = {
    STENTOR_OUTGOING_ALLOW: Object.values(peers)
      .map(({ host }) => host)
      .join(','),
    STENTOR_PUSH_HOSTS: peers.webpush.host,
    ...more,
  }
  const service = await prepareService(t, settings, (dataDir) => {
    settings['NODE_EXTRA_CA_CERTS'] = join(dataDir, 'authority.pem')
    return { NODE_EXTRA_CA_CERTS: settings['NODE_EXTRA_CA_CERTS'] }
  })
  await writeFile(join(service.dataDir, 'authority.pem'), authority)
  await service.start()
  const { call, database } = service
  // Hundreds of devices are put at once.
  await database.pool.query('update accounts set rate_per_second = 0')
  const body = { name: 'Orchard', providers: Object.values(providers), routes: [home] }
  const { id: app } = await call('POST', '/parameters/applications', body)
  await call('POST', `/parameters/applications/${app}/activation`)
  const versions = [{ master: true, content: { title: 'Pears', body: 'Tonight only' } }]
  const sale = { type: 'push-app', name: 'Sale', settings: { application: app }, versions }
  const { id: notification } = await call('POST', '/notifications', sale)
  await call('POST', `/notifications/${notification}/activation`)
  return { service, services, settings, app, notification, random }
}

/** Makes contacts, each with devices of these providers. */
export async function people(
  { service, services, app }: Run,
  providersOf: readonly ProviderName[][],
): Promise<Device[]> {
  const { call } = service
  const addresses = providersOf.map((_, n) => `p${n}@killed.example`)
  await call(
    'PUT',
    '/targets',
    addresses.map((Email) => ({ Email })),
  )
  const devices = providersOf.flatMap((own, n) =>
    own.map((provider): Device => ({ id: randomUUID(), provider, contact: addresses[n]! })),
  )
  const left = devices.values()
  const put = async (): Promise<void> => {
    for (const { id, provider, contact } of left)
      await call('PUT', '/subscriptions', {
        id,
        application: app,
        provider: services.addressOf(provider),
        contact: { type: 'unicity', value: contact },
      })
  }
  await Promise.all(Array.from({ length: 8 }, put))
  return devices
}

/** Sends the notification to these contacts. */
export async function execute({ service, notification }: Run, contacts: Iterable<string>): Promise<void> {
  const items = [...new Set(contacts)].map((value) => ({
    recipient: { type: 'contact', value: { type: 'unicity', value } },
  }))
  const results = await service.call('POST', `/notifications/${notification}/executions`, items)
  for (const { type } of results) assert.equal(type, 'success')
}

/** Makes due what waits to be asked again, as if its time had come. */
export async function comeDue({ database }: Run['service']): Promise<void> {
  await database.pool.query(`update messages set not_before = now() where state = 'queued' and not_before > now()`)
}

/** Waits until nothing is to be sent any more; what is held stays. */
export async function settle({ service }: Run, signal: AbortSignal): Promise<void> {
  await eventually(async () => {
    await comeDue(service)
    const { rows } = await service.database.pool.query(`select from messages where state <> 'held' limit 1`)
    return rows.length === 0
  }, signal)
}

/** What services took, by subscription. */
function takenOf({ peers, subscriptionOf }: PushServices): Map<string, PushRequest[]> {
  const all = providerNames.flatMap((provider) =>
    peers[provider].requests.map((request) => [subscriptionOf(provider, request), request] as const),
  )
  return new Map([...Map.groupBy(all, ([id]) => id)].map(([id, list]) => [id, list.map(([, request]) => request)]))
}

/** How many events of a kind there are, by subscription, or contact. */
export async function eventsBy(run: Run, kind: string, by: 'subscription' | 'contact'): Promise<Map<string, number>> {
  const { rows } = await run.service.database.pool.query<{ of: string; n: number }>(
    `select ${by}::text as of, count(*)::integer as n from events where channel = 'notification' and kind = $1 group by 1`,
    [kind],
  )
  return new Map(rows.map(({ of, n }) => [of, n]))
}

/** Deliveries that are held. */
async function heldCount({ service }: Run): Promise<number> {
  const { rows } = await service.database.pool.query<{ held: number }>(
    `select coalesce(sum(case when deliveries is null then 1
       else (select count(*) from jsonb_each_text(deliveries) d where d.value = 'held') end), 0)::integer as held
     from messages where state = 'held'`,
  )
  return rows[0]?.held ?? 0
}

/** Contacts with one to three devices of any providers. */
export function anybody(run: Run, contacts: number): Promise<Device[]> {
  const { random } = run
  const pick = () => providerNames[Math.floor(random() * providerNames.length)]!
  const providersOf = Array.from({ length: contacts }, () => Array.from({ length: 1 + Math.floor(random() * 3) }, pick))
  return people(run, providersOf)
}

/**
 * Checks that each delivery has one outcome: an activation, or it is held where that is what happens to what is in doubt.
 * Gives how many are held, and how many requests were made again: to Apple, or where that is what happens.
 */
export async function judge(run: Run, devices: readonly Device[], inDoubt: 'hold' | 'send') {
  const { services, service } = run
  const [taken, activated, executed] = [
    takenOf(services),
    await eventsBy(run, 'activations', 'subscription'),
    await eventsBy(run, 'executions', 'contact'),
  ]
  let [unknown, repeated] = [0, 0]
  for (const { id, provider } of devices) {
    const requests = taken.get(id) ?? []
    const activations = activated.get(id) ?? 0
    assert.ok(activations <= 1, `${provider} ${id}: ${activations} activations`)
    unknown += 1 - activations
    repeated += Math.max(0, requests.length - 1)
    if (activations === 1) assert.ok(requests.length > 0, `${provider} ${id} was never sent`)
    if (provider === 'apns') {
      assert.equal(activations, 1, `${id} is not done`)
      assert.equal(new Set(requests.map(({ headers }) => headers['apns-collapse-id'])).size, 1)
      assert.equal(new Set(requests.map(({ headers }) => headers['apns-id'])).size, 1)
    } else if (inDoubt === 'hold') assert.ok(requests.length <= 1, `${provider} ${id} was sent twice`)
  }
  assert.equal(unknown, await heldCount(run), 'what has no activation is held')
  if (inDoubt === 'send') assert.equal(unknown, 0)
  assert.equal(executed.size, new Set(devices.map(({ contact }) => contact)).size)
  assert.deepEqual(new Set(executed.values()), new Set([1]))
  assert.equal((await eventsBy(run, 'bounces', 'subscription')).size, 0)
  const { rows } = await service.database.pool.query<{ n: number }>('select count(*)::integer as n from subscriptions')
  assert.equal(rows[0]?.n, devices.length)
  for (const provider of providerNames) assert.deepEqual(services.peers[provider].faults, [])
  return { unknown, repeated }
}
