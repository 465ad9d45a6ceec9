import assert from 'node:assert/strict'
import { after } from 'node:test'
import { sql } from 'kysely'
import { storeRcsReports } from '../../../src/features/inbound/rcs/rcs-inbox.ts'
import { ingestRcsReports } from '../../../src/features/inbound/rcs/rcs-ingest.ts'
import { readGatewayRow } from '../../../src/gateways/gateway-definitions.ts'
import { builtInDestinations } from '../../../src/gateways/smtp-direct/destination-table.ts'
import { createUuidV7, parseContactId } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { openGatewayRegistry } from '../../../src/sending/gateway-registry/gateway-registry.ts'
import { requestSends } from '../../../src/sending/plan/request-sends.ts'
import { runDueFollowups } from '../../../src/sending/record/followups.ts'
import { createFollowupHandlers } from '../../../src/service/ports.ts'
import { type RbmPeer, startRbmPeer } from '../../fakes/rcs/rbm-peer.ts'
import { type SmsHttpPeer, startSmsHttpPeer } from '../../fakes/sms/sms-http-peer.ts'
import { type Stage, startStage } from './stage.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
type Body = any

export const AGENT = 'orchard_fr_k2'
export const HOUR = 3_600_000

/** A person, and the message that was asked for. */
export interface Asked {
  id: string
  contact: number
  phone: string
  stamp: string
}

/** The stage with both networks as peers, behind the gateways that the program opens itself. */
export interface FallbackStage extends Stage {
  rbm: RbmPeer
  smsPeer: SmsHttpPeer
  profile: number
  /** Texts that arrived at a phone. */
  texts(phone: string): string[]
  /** Makes a validated action with a fallback, unless `more` says otherwise; gives its id. */
  ready(more?: object): Promise<number>
  /** Asks for a message of an action to so many new contacts. */
  ask(action: number, count?: number, more?: { kind?: 'message' | 'test'; request?: object }): Promise<Asked[]>
  /** RBM reports of messages, which is recorded. */
  report(kind: 'delivered' | 'read' | 'revoked' | 'revoke failed', ...asked: readonly Asked[]): Promise<void>
  /** Does what follows and is due. */
  follow(): Promise<number>
  /** Sends, and does what follows at once, until nothing is due. */
  work(): Promise<void>
  /** The events of a message, oldest first. */
  events(asked: Asked): Promise<Body[]>
  /** Their types; activations of an SMS with the reason. */
  kinds(asked: Asked): Promise<string[]>
  followup(asked: Asked): Promise<string | undefined>
}

const REPORTS = {
  delivered: { kind: 'delivered' },
  read: { kind: 'read' },
  revoked: { kind: 'expired', revoked: true },
  'revoke failed': { kind: 'expired', revoked: false },
} as const

/** A gateway of SMS whose answers are those of the peer. */
function smsRow(port: number) {
  const settings = {
    url: `http://127.0.0.1:${port}/send`,
    headers: { 'content-type': 'application/json' },
    body: '{"to": "{{to}}", "from": "{{from}}", "text": "{{text}}"}',
    answer: { reference: { pointer: '/id' } },
  }
  return readGatewayRow({ name: 'texts', kind: 'sms-http', channel: 'sms', settings, secrets: {} })
}

/** Starts the stage. */
export async function startFallbackStage(): Promise<FallbackStage> {
  const stage = await startStage()
  const { call, clock, context, own, contact, sender, sendDue } = stage
  const { db, log } = context
  const rbm = await startRbmPeer({ now: clock.now })
  let references = 0
  const smsPeer = await startSmsHttpPeer(() => ({ body: JSON.stringify({ id: `sms-${++references}` }) }))
  context.config.outgoingAllow.push(rbm.host, `127.0.0.1:${smsPeer.port}`)
  const { config, masterKeys } = context
  const configured = [smsRow(smsPeer.port)]
  const gateways = openGatewayRegistry({
    db,
    config,
    masterKeys,
    clock,
    log,
    configured,
    destinations: builtInDestinations,
  })
  sender.gateways = gateways
  after(async () => {
    await gateways.close(0)
    await Promise.all([rbm.close(), smsPeer.close()])
  })
  async function made(url: string, body: object): Promise<Body> {
    const answer = await call('POST', url, { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const field = (await made('/fields', { name: 'Mobile', type: 'phone' })).id
  const provider = {
    type: 'google-rbm',
    baseUrl: rbm.url,
    tokenUrl: `${rbm.url}/token`,
    credentials: rbm.account,
    clientToken: 'token-of-the-webhook',
  }
  const profile = (
    await made('/channel/rcs/profiles', {
      name: 'Orchard',
      agent: AGENT,
      speed: 0,
      capability: { check: false },
      fallback: { type: 'sms', sender: 'ORCHARD' },
      provider,
    })
  ).id
  let phones = 0
  const handlers = createFollowupHandlers(context)
  const follow = () => runDueFollowups(db, handlers, clock.now())

  async function ready(more: object = {}): Promise<number> {
    const { id } = await made('/channel/rcs/actions', {
      type: 'rcsMessage',
      name: 'Pear week',
      settings: { profile, field, purpose: { type: 'service' } },
      content: { type: 'text', text: 'Pears for {{ contact.Email }}' },
      fallback: { type: 'sms', text: 'Pears are in, {{ data.name }}', after: { unit: 'MINUTE', value: 1 } },
      ...more,
    })
    const validated = await call('POST', `/channel/rcs/actions/${id}/validation`)
    assert.equal(validated.status, 204, validated.text)
    return id
  }

  async function newContacts(count: number): Promise<Asked[]> {
    const list: Asked[] = []
    for (let n = 0; n < count; n++) {
      const phone = `+336010${String(++phones).padStart(5, '0')}`
      const id = await contact(`fall${phones}@shop.example`, { Mobile: phone })
      list.push({ id, contact: parseContactId(id)!, phone, stamp: createUuidV7(clock.now()) })
    }
    return list
  }

  return {
    ...stage,
    rbm,
    smsPeer,
    profile,
    ready,
    follow,
    texts: (phone) =>
      smsPeer.requests.map(({ body }) => JSON.parse(body)).flatMap(({ to, text }) => (to === phone ? [text] : [])),
    async ask(action, count = 1, { kind = 'message', request = {} } = {}) {
      const list = await newContacts(count)
      const { rows } = await sql<{ id: number }>`
        select max(id) as id from content_versions where account = ${own.account} and owner = ${action} and owner_kind = 'rcs'`.execute(
        db,
      )
      const version = rows[0]!.id
      const now = new Date(clock.now())
      await db.transaction().execute((tx) =>
        requestSends(
          tx,
          list.map(({ contact: number, stamp }) => ({
            account: own.account,
            channel: 'rcs' as const,
            kind,
            lane: outboxLanes.transactional,
            version,
            contact: number,
            address: null,
            stamp: { id: stamp, thread: stamp, set: stamp, time: clock.now() },
            request: { data: { name: 'Ada' }, ...request },
            notBefore: now,
            expiresAt: new Date(clock.now() + 48 * HOUR),
            sending: { sourceKind: 'rcs' as const, source: action, version, lane: outboxLanes.transactional },
            copies: [],
            execution: null,
          })),
          now,
        ),
      )
      return list
    },
    async report(kind, ...asked) {
      const reports = asked.map(({ phone, stamp }) => ({
        account: own.account,
        report: {
          ...REPORTS[kind],
          agent: AGENT,
          phone,
          messageId: stamp,
          eventId: `${kind} ${stamp}`,
          at: clock.now(),
        },
      }))
      await storeRcsReports(db, reports as Parameters<typeof storeRcsReports>[1], clock.now())
      await ingestRcsReports({ db, clock, log })
    },
    async work() {
      for (let moved = 1; moved > 0; ) moved = (await sendDue()) + (await follow())
    },
    async events({ stamp }) {
      const answer = await call('GET', `/channel/rcs/actions/events/stamp?id=${stamp}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
    async kinds({ stamp }) {
      const { rows } = await sql<{ kind: string; reason: string | null }>`
        select kind, detail #>> '{activation,fallback,reason}' as reason from events
        where account = ${own.account} and stamp = ${stamp} order by id`.execute(db)
      return rows.map(({ kind, reason }) => (reason === null || kind !== 'activations' ? kind : `${kind} ${reason}`))
    },
    async followup({ stamp }) {
      const { rows } = await sql<{ state: string }>`select state from followups where stamp = ${stamp}`.execute(db)
      return rows[0]?.state
    },
  }
}
