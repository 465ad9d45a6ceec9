import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceContext } from '../../../src/context.ts'
import { findDifferingDays } from '../../../src/features/events/columnar-copy/verify.ts'
import type { EventSelection } from '../../../src/features/events/history/filters.ts'
import { readEventRecordPage } from '../../../src/features/events/history/history.ts'
import { listKindsBelow } from '../../../src/features/events/kinds/event-kinds.ts'
import { advanceStoreBorder } from '../../../src/features/events/store/store-state.ts'
import { engineIsMissing } from '../../fakes/column-store/columnar-engine.ts'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { startCrossing } from '../../support/crossing.ts'
import { copyEverything, makeEvents } from '../../support/database/events-store.ts'
import { startHarness } from '../../support/harness.ts'
import { COMPILE_CACHE } from '../../support/processes/compile-cache.ts'
import { programPath } from '../../support/processes/programs.ts'

const skip = await engineIsMissing()

/** How often the copier is killed: STENTOR_TEST_COPIER_KILLS, where less time is to be spent. */
const KILLS = Number(process.env['STENTOR_TEST_COPIER_KILLS'] ?? 200)
const BATCH = 40
const LIFE_MS = 60
const COPIER = programPath('test/fakes/programs/mortal-copier.ts')

function startCopier(databaseUrl: string, storeUrl: string): { child: ChildProcess; ready: Promise<unknown> } {
  const child = fork(COPIER, [databaseUrl, storeUrl, String(BATCH)], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return { child, ready: once(child, 'message') }
}

test('after kill -9 of the event copier at random times, both sides are equal and no event is listed twice', {
  skip,
}, async (t) => {
  const random = seededRun(t)
  const { context, own, other } = await startHarness()
  const { db, pool } = context
  const { store, engine } = await startCrossing(context)
  const databaseUrl = String(pool.options.connectionString)
  const start = Date.now() - 3_600_000
  const copiers = [startCopier(databaseUrl, engine.url), startCopier(databaseUrl, engine.url)]
  for (let kill = 0; kill < KILLS; kill++) {
    // Events of each round come after those that may be copied already, as those do that are published.
    const from = start + kill * 10_000
    await makeEvents(pool, { accounts: [own.account, other.account], count: 60, from, until: from + 9000 })
    copiers.push(startCopier(databaseUrl, engine.url))
    const { child, ready } = copiers.shift()!
    await ready
    child.send('go')
    const changed = pool.query(
      `update events set classification = 'mpp', contact = 1 + contact % 50, subject = 1 + subject % 5
       where id in (select id from events where at < $2 order by md5(id::text || $1) limit 10)`,
      [random(), new Date(from + 9000)],
    )
    await delay(random() * LIFE_MS)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await Promise.all([ended, changed])
  }
  for (const { child } of copiers) child.kill('SIGKILL')
  await copyEverything({ db, pool, store })

  const until = Date.now() + 60_000
  assert.deepEqual(await findDifferingDays({ pool, store }, { from: Number.NEGATIVE_INFINITY, until }), [])
  const { rows } = await pool.query('select count(*)::integer as changes from event_changes')
  assert.deepEqual(rows, [{ changes: 0 }])
  const here = await readEverything(context, own.account)
  store.border = await advanceStoreBorder(db, until, { counted: false })
  assert.ok(store.border > start, 'the border has moved')
  assert.ok(here.every((list) => list.length > 3))
  assert.deepEqual(await readEverything(context, own.account), here)
})

/** Lists of everything, of an action and of a contact, as records. */
function readEverything({ db }: ServiceContext, account: number): Promise<string[][]> {
  const shown = { start: undefined, end: undefined }
  const all = {
    account,
    shown,
    period: shown,
    isReactivity: false,
    classes: 'all',
    kinds: listKindsBelow('', ['email']),
  } as const
  const identity = { type: 'customer', agency: 'ACME', customer: '001' } as const
  const narrowed: Partial<EventSelection>[] = [{}, { channels: ['email'], subject: 3 }, { contact: 7 }]
  return Promise.all(
    narrowed.map(async (narrow) => {
      const reading = { selections: [{ ...all, ...narrow }], identity, sort: 'asc', after: undefined } as const
      return (await readEventRecordPage(db, reading, 100_000, '\n')).text().toString().split('\n')
    }),
  )
}
