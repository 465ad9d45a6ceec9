import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeAuthority } from '#test/fakes/push/push-certificates.ts'
import type { PushAnswer, PushPeer } from '#test/fakes/push/push-peer.ts'
import { apnsError, makeAppleKey, startApnsPeer } from '#test/fakes/push/push-peer-apns.ts'
import { fcmError, startFcmPeer } from '#test/fakes/push/push-peer-fcm.ts'
import { makeServiceAccount } from '#test/fakes/rcs/rbm-peer-oauth.ts'
import { seededRun } from '#test/fakes/scripts/seeded.ts'
import { type PushBench, pushesOf, withPushGateway } from '#test/support/stages/pushes.ts'
import { openPushApnsGateway } from '../push-apns/apns.ts'
import { readPushApnsConfig } from '../push-apns/settings.ts'
import { openPushFcmGateway } from '../push-fcm/fcm.ts'
import { readPushFcmConfig } from '../push-fcm/settings.ts'
import type { PushGatewayContext } from './context.ts'

const authority = makeAuthority()
const tls = authority.server()
const account = makeServiceAccount('push@project.iam.example')
const key = makeAppleKey()
/** Each reading is later than the last by more than the longest pause after a failure, so that none of them ends a batch. */
const LONGEST_PAUSE_MS = 3_600_000
let ticked = 0

const ticks = () => (ticked += LONGEST_PAUSE_MS + 1)
/** Dead links are noticed within a second; on a busy machine others may be taken for dead. */
const noticing = { ticks, connections: { pingMs: 100, pingAnswerMs: 200 }, answerMs: 5000 }

type Work = (bench: PushBench<PushPeer>) => Promise<void>

async function withFcm(maxStreams: number, work: Work, context: Partial<PushGatewayContext> = noticing): Promise<void> {
  const peer = await startFcmPeer({ tls, maxStreams }, account)
  const addresses = { baseUrl: peer.url, tokenUrl: `${peer.url}/token`, ca: authority.certificate }
  const given = readPushFcmConfig({ ...addresses, speed: 0, concurrency: 50 }, { key: JSON.stringify(account) })
  await withPushGateway({ peer, open: (own) => openPushFcmGateway('android', given, own) }, context, work)
}

async function withApns(maxStreams: number, work: Work): Promise<void> {
  const peer = await startApnsPeer({ tls, key, maxStreams })
  const certificate = { type: 'p8', keyId: key.keyId, teamId: key.teamId }
  const settings = { bundle: 'example.orchard.app', baseUrl: peer.url, ca: authority.certificate, certificate }
  const given = readPushApnsConfig({ ...settings, concurrency: 50 }, { value: key.p8 })
  await withPushGateway({ peer, open: (own) => openPushApnsGateway('ios', given, own) }, noticing, work)
}

const failures: Record<'fcm' | 'apns', PushAnswer[]> = {
  fcm: [fcmError(404, 'UNREGISTERED'), fcmError(503, 'UNAVAILABLE'), fcmError(429, 'QUOTA_EXCEEDED')],
  apns: [apnsError(410, 'Unregistered'), apnsError(503, 'Shutdown'), apnsError(429, 'TooManyRequests')],
}

const hows = ['reset', 'refuse', 'goaway', 'goaway unprocessed', 'drop', 'cut', 'dead'] as const

/** What a peer does with a push: mostly it answers; else it fails in one of many ways. */
function script(random: () => number, kind: keyof typeof failures, length: number): PushAnswer[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  return Array.from({ length }, () => {
    const drawn = random()
    const afterMs = Math.floor(random() * 8)
    if (drawn < 0.8) return { afterMs }
    return drawn < 0.86 ? { ...pick(failures[kind]), afterMs } : { how: pick(hows), afterMs }
  })
}

const bodyIdOf = ({ body }: PushPeer['requests'][number]): string =>
  /"subscription\\*":\\*"([0-9a-f-]{36})/.exec(String(body))?.[1] ?? ''

/** Sends pushes, and compares what is said of them with what the peer saw. */
async function prove({ peer, outcomes, send }: PushBench<PushPeer>, count: number, isIdempotent: boolean) {
  const pushes = pushesOf(count)
  assert.deepEqual(await send(...pushes), { taken: count })
  assert.equal(outcomes.length, count, 'every push has one outcome')
  assert.equal(new Set(outcomes.map(({ id }) => id)).size, count)
  const acted = Map.groupBy(peer.requests, bodyIdOf)
  for (const [subscription, requests] of acted) assert.equal(requests.length, 1, `${subscription} was sent twice`)
  for (const { id, result } of outcomes) {
    const wasSent = acted.has(pushes[id - 1]?.meta.subscription ?? '')
    if (result === 'accepted') assert.ok(wasSent, `${id} is said to be accepted`)
    if (isIdempotent) assert.notEqual(result, 'doubtful')
  }
  assert.deepEqual(peer.faults, [])
}

describe('pushes over failing connections', () => {
  for (const [kind, open] of [['fcm', withFcm] as const, ['apns', withApns] as const])
    it(`have exactly one outcome and are never sent twice: ${kind}`, async (t) => {
      const random = seededRun(t)
      for (let run = 0; run < 4; run++)
        await open(5 + Math.floor(random() * 40), async (bench) => {
          bench.peer.plan.push(...script(random, kind, 300))
          await prove(bench, 200, kind === 'apns')
        })
    })

  it('are all sent when GOAWAY ends connections in the middle of a batch', () =>
    withFcm(
      10,
      async (bench) => {
        const { peer, outcomes } = bench
        const often = Array.from(
          { length: 200 },
          (_, at): PushAnswer => (at % 20 === 10 ? { how: 'goaway' } : { afterMs: 2 }),
        )
        peer.plan.push(...often)
        await prove(bench, 200, false)
        assert.deepEqual(
          outcomes.filter(({ result }) => result !== 'accepted'),
          [],
        )
        assert.ok(peer.connections > 3)
      },
      { ticks },
    ))

  it('are doubtful when their connection stops answering pings before their response', () =>
    withFcm(10, async (bench) => {
      const { peer, outcomes } = bench
      peer.plan.push({}, {}, {}, { how: 'dead' })
      await prove(bench, 5, false)
      const doubtful = outcomes.filter(({ result }) => result === 'doubtful')
      assert.ok(doubtful.length >= 1)
      // Not because of a late answer.
      for (const one of doubtful) assert.match('reason' in one ? one.reason : '', /ping/)
    }))
})
