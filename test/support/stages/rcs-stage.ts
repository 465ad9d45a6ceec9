import assert from 'node:assert/strict'
import { after } from 'node:test'
import { sql } from 'kysely'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import { builtInDestinations } from '../../../src/gateways/smtp-direct/destination-table.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { openGatewayRegistry } from '../../../src/sending/gateway-registry/gateway-registry.ts'
import { requestSends } from '../../../src/sending/plan/request-sends.ts'
import { sendMessageBatch } from '../../../src/sending/senders/sender.ts'
import type { SenderContext } from '../../../src/sending/senders/sender-context.ts'
import { openRateLimiter } from '../../../src/sending/shaping/rate-limiter.ts'
import { type RbmPeer, startRbmPeer } from '../../fakes/rcs/rbm-peer.ts'
import { type Stage, startStage } from './stage.ts'

/** A message to be sent, as the outbox is asked for it. */
export interface RcsSend {
  action: number
  contact: number
  kind?: 'message' | 'test'
  /** Milliseconds; 48 hours by default. */
  expirationMs?: number
  address?: string
}

/** The stage with a peer for RCS, profiles that send to it, and a sender with the true gateways. */
export interface RcsStage extends Stage {
  peer: RbmPeer
  /** The settings of profiles that send to the peer. */
  provider: Record<string, unknown>
  rcsSender: SenderContext
  /** The number of the field that holds phones. */
  phoneField: number
  /** Makes a profile that sends to the peer, without look-ups unless `more` says otherwise; gives its number. */
  profile(more?: object): Promise<number>
  /** Makes an action and validates it; gives its number. */
  rcsAction(profile: number, more?: object): Promise<number>
  /** Makes a contact; gives its number. */
  person(phone: string): Promise<number>
  /** Puts messages into the outbox; gives their stamps. */
  request(...sends: readonly RcsSend[]): Promise<string[]>
  /** Claims and sends what is due, until nothing is; gives how many messages were claimed. */
  sendRcs(): Promise<number>
  /** What became of a send, as the kinds of its events in the order of their publication. */
  kinds(stamp: string): Promise<string[]>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of an event.
  events(stamp: string, kind: string): Promise<any[]>
  /** Closes the gateways and opens others, as a sender that is started again. */
  reopen(): Promise<void>
}

let named = 0

async function versionOf({ context }: Stage, action: number): Promise<number> {
  const row = await context.db
    .selectFrom('actions')
    .select('version')
    .where('id', '=', action)
    .executeTakeFirstOrThrow()
  return row.version!
}

function requesting(stage: Stage, phoneField: number): RcsStage['request'] {
  const { context, own, clock } = stage
  return async (...sends) => {
    const now = clock.now()
    const stamps = sends.map(() => createUuidV7(now))
    const requests = await Promise.all(
      sends.map(async ({ action, contact, kind = 'message', expirationMs = 48 * 3_600_000, address }, index) => ({
        account: own.account,
        channel: 'rcs' as const,
        kind,
        contact,
        address: address ?? null,
        request: {},
        sending: {
          sourceKind: 'rcs' as const,
          source: action,
          version: await versionOf(stage, action),
          lane: outboxLanes.transactional,
        },
        version: await versionOf(stage, action),
        lane: outboxLanes.transactional,
        copies: [],
        execution: null,
        stamp: { id: stamps[index]!, thread: stamps[index]!, set: stamps[index]!, time: now },
        notBefore: new Date(now),
        expiresAt: new Date(now + expirationMs),
        field: phoneField,
      })),
    )
    await context.db.transaction().execute(async (tx) => {
      const { events } = await requestSends(tx, requests, new Date(now))
      await recordEvents(tx, events)
    })
    return stamps
  }
}

function opened({ context, sender }: Stage): SenderContext {
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

/** Starts it; `allow` lets the service reach the peer. */
export async function startRcsStage(): Promise<RcsStage> {
  const stage = await startStage()
  const peer = await startRbmPeer({ now: () => stage.clock.now() })
  const { call, context, own } = stage
  context.config.outgoingAllow.push(peer.host)
  const made = async (url: string, body: object) => {
    const answer = await call('POST', url, { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const { id: phoneField } = await made('/fields', { type: 'phone', name: 'Mobile' })
  const eventsOf = async (stamp: string) => {
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of an event.
    const { rows } = await sql<any>`
      select kind, detail, phone, agent, is_test as "isTest" from events
      where account = ${own.account} and stamp = ${stamp}::uuid order by id`.execute(context.db)
    return rows
  }
  const provider = {
    type: 'google-rbm',
    baseUrl: peer.url,
    tokenUrl: `${peer.url}/token`,
    credentials: peer.account,
  }
  const rcs: RcsStage = {
    ...stage,
    peer,
    provider,
    phoneField,
    rcsSender: opened(stage),
    profile: async (more = {}) => {
      const capability = { check: false }
      const name = `Profile ${++named}`
      const { id } = await made('/channel/rcs/profiles', {
        name,
        agent: `agent_${named}`,
        provider,
        capability,
        speed: 0,
        ...more,
      })
      return id
    },
    rcsAction: async (profile, more = {}) => {
      const { settings, ...rest } = more as { settings?: object }
      const body = { type: 'rcsMessage', name: 'Pear week', content: { type: 'text', text: 'Pears' }, ...rest }
      const { id } = await made('/channel/rcs/actions', {
        ...body,
        settings: { profile, field: phoneField, ...settings },
      })
      const answer = await call('POST', `/channel/rcs/actions/${id}/validation`)
      assert.equal(answer.status, 204, answer.text)
      return id
    },
    person: async (phone) => {
      const { id } = await made('/targets', { Email: `p${++named}@shop.example`, Mobile: phone })
      return Number.parseInt(id, 36)
    },
    request: requesting(stage, phoneField),
    async sendRcs() {
      let total = 0
      for (let claimed = 1; claimed > 0; total += claimed) {
        claimed = 0
        for (const lane of Object.values(outboxLanes)) claimed += await sendMessageBatch(rcs.rcsSender, lane, 400)
      }
      return total
    },
    kinds: async (stamp) => (await eventsOf(stamp)).map(({ kind }) => kind),
    events: async (stamp, kind) => (await eventsOf(stamp)).filter((event) => event.kind === kind),
    async reopen() {
      await rcs.rcsSender.gateways.close(0)
      rcs.rcsSender = opened(stage)
    },
  }
  after(async () => {
    await rcs.rcsSender.gateways.close(0)
    await peer.close()
  })
  return rcs
}
