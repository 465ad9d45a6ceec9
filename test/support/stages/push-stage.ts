import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { sql } from 'kysely'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import { buildPushSource, loadPushSourceContext } from '../../../src/features/notifications/content/drafts.ts'
import { loadNotification } from '../../../src/features/notifications/stored.ts'
import { builtInDestinations } from '../../../src/gateways/smtp-direct/destination-table.ts'
import { createUuidV7, parseContactId } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { openGatewayRegistry } from '../../../src/sending/gateway-registry/gateway-registry.ts'
import { storeContentVersion } from '../../../src/sending/plan/content-version.ts'
import { requestSends } from '../../../src/sending/plan/request-sends.ts'
import { sendMessageBatch } from '../../../src/sending/senders/sender.ts'
import { openRateLimiter } from '../../../src/sending/shaping/rate-limiter.ts'
import { type ProviderName, type PushServices, startPushServices } from './push-services.ts'
import { type Stage, startStage } from './stage.ts'

export type { ProviderName } from './push-services.ts'

/** The stage with peers of all push services, applications that send to them, and a sender with the true gateways. */
export interface PushStage extends Stage {
  peers: PushServices['peers']
  /** Makes an active application with these providers, all by default; gives its id. */
  application(providers?: readonly ProviderName[]): Promise<string>
  /** Makes a notification of an application that may be sent; gives its number. */
  notification(application: string): Promise<number>
  /** Makes a contact; gives its number. */
  person(): Promise<number>
  /** Puts a device of a contact, with a token of its own; gives the id of its subscription. */
  device(application: string, contact: number, provider: ProviderName): Promise<string>
  isKept(subscription: string): Promise<boolean>
  /** Puts messages for contacts into the outbox; gives their stamps. */
  request(notification: number, contacts: readonly number[]): Promise<string[]>
  /** Claims and sends what is due, until nothing is; gives how many messages were claimed. */
  sendPushes(): Promise<number>
  /** Opens a sender of its own, as another process has it: sends as `sendPushes` does. */
  anotherSender(): () => Promise<number>
  /** What became of a send: kinds of its events with code or type, sorted. */
  outcomes(stamp: string): Promise<string[]>
  /** Closes the gateways and opens others, as a sender that is started again. */
  reopen(): Promise<void>
}

let named = 0

function opened({ context, sender }: Stage) {
  const { db, config, masterKeys, clock, log } = context
  const limiter = openRateLimiter(db, log)
  const gateways = openGatewayRegistry({
    db,
    config,
    masterKeys,
    clock,
    log,
    limiter,
    configured: [],
    destinations: builtInDestinations,
  })
  return { ...sender, gateways }
}

function requesting({ context, own, clock }: Stage): PushStage['request'] {
  const { db, config } = context
  return async (source, contacts) => {
    const now = clock.now()
    const row = await loadNotification(db, { account: own.account, id: source })
    const frozen = buildPushSource(await loadPushSourceContext({ db, config }, own.account), row, row.versions[0]!)
    const owner = { account: own.account, sourceKind: 'notification' as const, source }
    const stamps = contacts.map(() => createUuidV7(now))
    await db.transaction().execute(async (tx) => {
      const version = await storeContentVersion(tx, owner, { source: frozen, links: [] }, new Date(now))
      const lane = outboxLanes.transactional
      const requests = contacts.map((contact, index) => ({
        account: own.account,
        channel: 'notification' as const,
        kind: 'message' as const,
        contact,
        address: null,
        request: {},
        version,
        lane,
        copies: [],
        execution: null,
        sending: { sourceKind: owner.sourceKind, source, version, lane },
        stamp: { id: stamps[index]!, thread: stamps[index]!, set: stamps[index]!, time: now },
        notBefore: new Date(now),
        expiresAt: new Date(now + 48 * 3_600_000),
      }))
      const { events } = await requestSends(tx, requests, new Date(now))
      await recordEvents(tx, events)
    })
    return stamps
  }
}

/** Claims and sends what is due, until nothing is; gives how many messages were claimed. */
async function sendAll(sender: Stage['sender']): Promise<number> {
  let total = 0
  for (let claimed = 1; claimed > 0; total += claimed) {
    claimed = 0
    for (const lane of Object.values(outboxLanes)) claimed += await sendMessageBatch(sender, lane, 500)
  }
  return total
}

/** An event as a test names it. */
const said = sql<string>`
  kind || coalesce(' ' || (detail #>> '{activation,provider}'), '') || coalesce(' ' || (detail #>> '{cancellation,type}'), '')
    || coalesce(' ' || (detail #>> '{bounce,analysis,verdict}') || ' ' || (detail #>> '{bounce,status,code,enhanced}'), '')`

/** Authorities whose certificates this process trusts. */
const trusted = new Set<string>()

function trustAuthority(authority: string): void {
  if (trusted.has(authority)) return
  trusted.add(authority)
  setDefaultCACertificates([...getCACertificates(), authority])
}

/** Starts it; the service may reach its peers. */
export async function startPushStage(): Promise<PushStage> {
  const stage = await startStage()
  const { call, context } = stage
  const { peers, providers, home, addressOf, authority, close } = await startPushServices()
  after(close)
  trustAuthority(authority)
  context.config.outgoingAllow.push(...Object.values(peers).map(({ host }) => host))
  Object.assign(context.config, { pushHosts: [peers.webpush.host] })
  let sender = opened(stage)
  after(() => sender.gateways.close(0))
  const made = async (method: string, url: string, body?: object) => {
    const answer = await call(method, url, body === undefined ? {} : { body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  return {
    ...stage,
    peers,
    async application(wanted = ['firebase', 'apns', 'webpush', 'http']) {
      const body = { name: `App ${++named}`, providers: wanted.map((name) => providers[name]), routes: [home] }
      const { id } = await made('POST', '/parameters/applications', body)
      await made('POST', `/parameters/applications/${id}/activation`)
      return id
    },
    async notification(application) {
      const content = { title: 'For {{ contact.Email }}', body: 'Tonight only' }
      const settings = { application }
      const body = { type: 'push-app', name: `Sale ${++named}`, settings, versions: [{ master: true, content }] }
      const { id } = await made('POST', '/notifications', body)
      await made('POST', `/notifications/${id}/activation`)
      return id
    },
    person: async () => parseContactId(await stage.contact(`ada${++named}@orchard.example`))!,
    async device(application, contact, provider) {
      const id = randomUUID()
      await made('PUT', '/subscriptions', { id, application, provider: addressOf(provider) })
      await sql`update subscriptions set contact = ${contact} where id = ${id}`.execute(context.db)
      return id
    },
    isKept: async (subscription) => (await call('GET', `/subscriptions/${subscription}`)).status === 200,
    request: requesting(stage),
    sendPushes: () => sendAll(sender),
    anotherSender() {
      const other = opened(stage)
      after(() => other.gateways.close(0))
      return () => sendAll(other)
    },
    async outcomes(stamp) {
      const { rows } = await sql<{ said: string }>`
        select ${said} as said from events where stamp = ${stamp}::uuid and kind <> 'executions' order by 1`.execute(
        context.db,
      )
      return rows.map((row) => row.said)
    },
    async reopen() {
      await sender.gateways.close(0)
      sender = opened(stage)
    },
  }
}
