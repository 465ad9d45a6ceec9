import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../src/database/connection/connect.ts'
import { createRcsFollowupHandlers } from '../../../src/features/actions/rcs/followup-handler.ts'
import { runDueFollowups } from '../../../src/sending/record/followups.ts'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { programPath } from '../../support/processes/programs.ts'
import { type Asked, startFallbackStage } from '../../support/stages/rcs-fallbacks.ts'

const stage = await startFallbackStage()
const { ask, clock, context, followup, kinds, ready, report, sendDue, texts, work } = stage
const { db, masterKeys, pool } = context
const url = pool.options.connectionString ?? ''

/** Groups of messages that are handed over one after the other. */
const [GROUPS, OF_GROUP, BETWEEN_MS] = [20, 10, 1000]
const KILLS = 8
const MINUTE = 60_000
const STEP_MS = 500
/** From when to when after its hand-over a message arrives: the delay ends at 60 s, and what was revoked is given up at 70 s. */
const [FROM_MS, TO_MS] = [55_000, 80_000]
/** Of the first and the last group. */
const END_MS = GROUPS * BETWEEN_MS + TO_MS

const KILLED = /killed/

/** A database whose transactions are undone at random, as of a process that dies before it commits. */
function dying(random: () => number): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction')
        return () => ({
          execute: (does: (tx: Db) => Promise<unknown>) =>
            target.transaction().execute(async (tx) => {
              const done = await does(tx)
              if (random() < 0.15) throw new Error('killed')
              return done
            }),
        })
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Starts a process that does what follows, and kills it a moment later. */
async function killOne(random: () => number): Promise<void> {
  const child = fork(programPath('test/fakes/programs/mortal-followups.ts'), [url, String(clock.now())])
  const ended = once(child, 'exit')
  await once(child, 'message', { signal: AbortSignal.timeout(MINUTE) })
  // Not a wait for something: the instant of its death is what is tried.
  await delay(random() * 40)
  child.kill('SIGKILL')
  await ended
}

suite('RCS fallback: delivery, delay and killed processes', () => {
  test('at 200 random times, a message has a delivery and no SMS or exactly one SMS', async (t) => {
    const random = seededRun(t)
    const action = await ready()
    const begin = clock.now()
    const asked: Asked[] = []
    /** After its hand-over; one in ten never arrives. */
    const instants = new Map<Asked, number>()
    const arrivesAt = new Map<Asked, number>()
    for (let group = 0; group < GROUPS; group++) {
      clock.set(begin + group * BETWEEN_MS)
      const own = await ask(action, OF_GROUP)
      await sendDue()
      for (const one of own) {
        const instant = random() < 0.1 ? Number.POSITIVE_INFINITY : FROM_MS + random() * (TO_MS - FROM_MS)
        instants.set(one, instant)
        arrivesAt.set(one, group * BETWEEN_MS + instant)
      }
      asked.push(...own)
    }
    const killAt = new Set(
      Array.from({ length: KILLS }, () => Math.floor((random() * (END_MS - FROM_MS)) / STEP_MS) * STEP_MS + FROM_MS),
    )
    const handlers = createRcsFollowupHandlers({
      clock,
      masterKeys,
      log: context.log,
      open: () => ({
        async revoke() {
          if (random() < 0.01) throw new Error('killed')
          return 'dealt with'
        },
        close: () => undefined,
      }),
    })
    const mortal = dying(random)
    const survive = (work: Promise<unknown>) => work.catch((error) => assert.match(String(error), KILLED))
    for (let at = FROM_MS; at < END_MS; at += STEP_MS) {
      clock.set(begin + at)
      const arrived = asked.filter((one) => arrivesAt.get(one)! >= at && arrivesAt.get(one)! < at + STEP_MS)
      await Promise.all([
        arrived.length > 0 && report(random() < 0.5 ? 'delivered' : 'read', ...arrived),
        survive(runDueFollowups(mortal, handlers, clock.now())),
        survive(runDueFollowups(mortal, handlers, clock.now())),
        killAt.has(at) && killOne(random),
      ])
      await sendDue()
    }
    // What a process had when it died is due again once its lease has ended.
    for (let turn = 0; turn < 3; turn++) {
      clock.advance(MINUTE + 1)
      await work()
    }
    const counts = { delivered: 0, done: 0 }
    for (const one of asked) {
      const instant = instants.get(one)!
      const [state, sent, seen] = [await followup(one), texts(one.phone).length, await kinds(one)]
      assert.ok(state === 'delivered' || state === 'done', `${state} at ${instant}`)
      assert.equal(sent, state === 'done' ? 1 : 0, `${sent} SMS at ${instant}`)
      assert.equal(seen.filter((kind) => kind === 'activations delay').length, sent)
      const reports = seen.filter((kind) => kind === 'deliveries' || kind === 'interactions/read').length
      assert.equal(reports, Number.isFinite(instant) ? 1 : 0)
      if (instant < MINUTE) assert.equal(state, 'delivered')
      if (!Number.isFinite(instant)) assert.equal(state, 'done')
      counts[state]++
    }
    t.diagnostic(JSON.stringify(counts))
    assert.ok(counts.delivered > 20 && counts.done > 20, JSON.stringify(counts))
  })
})
