import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../../src/database/connection/connect.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { appendHits } from '../../../src/features/events/record/append-hits.ts'
import type { HitClassification, NewEvent } from '../../../src/features/events/record/new-event.ts'
import { formatUuid } from '../../../src/lib/ids.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { startHarness } from '../../support/harness.ts'

const { context, own, other } = await startHarness()
const { db, pool } = context
const ROUNDS = 60
const MOST_HITS = 40
const NOW = Date.now()
const AGES_DAYS = [0, 0, 0, 0.5, 3, 4.99, 6, 300, -2]
const accounts = [own.account, other.account]
const visitors = [1, 2, 3].map((octet) => Buffer.alloc(16, octet))
const classes: readonly (HitClassification | null)[] = [null, null, null, 'mpp', 'gsr', 'genericrobot']
const contacts = [null, 1, 2, 3, 4]
const ERASED = [3, 4]

/** A version 7 UUID of an instant, or version 4 for null. */
function stampOf(instant: number | null): string {
  if (instant === null) return randomUUID()
  const octets = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
  octets.writeUIntBE(instant, 0, 6)
  octets[6] = (octets[6]! & 0x0f) | 0x70
  return formatUuid(octets)
}

interface Message {
  account: number
  stamp: string
  /** Of its activation; undefined: none is stored. */
  activation?: Pick<NewEvent, 'subject' | 'contact' | 'thread' | 'phone' | 'agent' | 'isTest'>
}

/** Messages of all ages, two of three with their activation. */
const messages: Message[] = accounts.flatMap((account) =>
  [...AGES_DAYS, null].flatMap((age, nth) =>
    [0, 1, 2].map((n) => ({
      account,
      stamp: stampOf(age === null ? null : Math.floor(NOW - age * DAY_MS)),
      ...(n > 0 && {
        activation: {
          subject: 100 + nth,
          contact: contacts[(nth + n) % contacts.length]!,
          thread: n === 1 ? randomUUID() : null,
          phone: n === 1 ? '+33601020304' : null,
          agent: n === 2 ? 'agent' : null,
          isTest: nth % 4 === 0,
        },
      }),
    })),
  ),
)

before(async () => {
  for (const contact of ERASED)
    await pool.query('insert into erased_contacts (account, contact) values ($1, $2)', [own.account, contact])
  await db.transaction().execute((tx) =>
    appendEvents(
      tx,
      messages.flatMap(({ account, stamp, activation }, n) =>
        activation
          ? [
              {
                account,
                stamp,
                ...activation,
                channel: 'email',
                kind: 'activations',
                key: null,
                detail: { activation: { field: n % 3 === 0 ? null : n, name: `Message ${n} "é"` } },
              } satisfies NewEvent,
            ]
          : [],
      ),
    ),
  )
  for (const [n, { account, stamp }] of messages.entries()) {
    if (n % 3 === 2) continue
    const sprungAt = new Date(NOW - (n % 2) * 9.99 * 60_000)
    await pool.query('insert into sprung_honeypots values ($1, $2, $3, $4)', [account, stamp, visitors[0], sprungAt])
  }
})

/** Random hits; each has its place in its detail. */
function hitsOf(random: () => number): NewEvent[] {
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!
  const chance = (share: number): boolean => random() < share
  const some = messages.filter(() => chance(0.4))
  return Array.from({ length: 1 + Math.floor(random() * MOST_HITS) }, (_, n) => {
    const { account, stamp } = pick(some.length > 0 ? some : messages)
    const kind = pick(['hits/open', 'hits/redirection', 'hits/mirror', 'interactions/redirection'] as const)
    const isInteraction = kind === 'interactions/redirection'
    const classification = pick(classes)
    const link = kind === 'hits/open' ? null : pick([0, 1, 2, 3])
    const userAgent = pick(['Mozilla/5.0', '', 'quote " and \\ and \0 and é', '\ud800 half', '{NULL,"a"}'])
    return {
      account,
      channel: pick(isInteraction ? (['rcs'] as const) : (['email', 'sms'] as const)),
      kind,
      subject: chance(0.7) ? 7 : null,
      contact: chance(0.6) ? pick(contacts) : null,
      stamp,
      thread: null,
      isTest: chance(0.2),
      classification,
      key: null,
      detail: { [isInteraction ? 'interaction' : 'hit']: { n, type: kind, classification, userAgent } },
      fallback: pick([null, { name: 'unknown' }]),
      watch: {
        hitAt: NOW + Math.floor((random() - 0.3) * 20_000),
        link,
        visitor: pick([null, ...visitors]),
        early: chance(0.6) ? { withinMs: pick([0, 1000, 5000, 60_000]), classification: 'genericrobot' } : null,
      },
    }
  })
}

type Row = Record<string, unknown>

/** The rows of one way of writing: instants of the clock beside the latest of them, events by the place of their hit. */
async function written(tx: Db): Promise<{ events: Row[]; settling: Row[]; early: Row[] }> {
  const events = (
    await sql<Row>`select *, detail::text as json from events where kind like 'hits/%' or kind = 'interactions/redirection' order by id`.execute(
      tx,
    )
  ).rows
  const settling = (await sql<Row>`select * from unsettled_hits`.execute(tx)).rows
  const early = (await sql<Row>`select * from early_reactions`.execute(tx)).rows
  const timeOf = (row: Row): number => (row['at'] as Date).getTime()
  const latest = Math.max(...events.map(timeOf))
  const placeOf = (detail: unknown): number => {
    const { hit, interaction } = detail as Record<'hit' | 'interaction', { n: number } | undefined>
    return (hit ?? interaction ?? assert.fail('neither a hit nor an interaction')).n
  }
  const places = new Map(events.map(({ id, detail }) => [id, placeOf(detail)]))
  assert.equal(places.size, events.length)
  for (const { id, at } of events) {
    assert.match(String(id), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
    assert.equal(Number.parseInt(String(id).replaceAll('-', '').slice(0, 12), 16), (at as Date).getTime())
  }
  const comparable = (rows: Row[]): Row[] =>
    rows
      .map(({ id, event, detail, at, next_at, ...row }) => ({
        ...row,
        n: places.get(id ?? event) ?? assert.fail('a row of no event'),
        at: latest - timeOf({ at }),
        wait: next_at && timeOf({ at: next_at }) - timeOf({ at }),
      }))
      .sort((a, b) => a.n - b.n)
  return { events: comparable(events), settling: comparable(settling), early: comparable(early) }
}

/** What a way of writing leaves in the tables, which are then as they were. */
async function writtenBy(write: (tx: Db) => Promise<unknown>): Promise<Awaited<ReturnType<typeof written>>> {
  const tx = await db.startTransaction().execute()
  try {
    await write(tx)
    return await written(tx)
  } finally {
    await tx.rollback().execute()
  }
}

test('hits are stored exactly as by the general event insert', async (t) => {
  const random = seededRun(t)
  const seen = { events: 0, joined: 0, settling: 0, early: 0, classed: 0, left: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const hits = hitsOf(random)
    const general = await writtenBy((tx) => appendEvents(tx, hits))
    assert.deepEqual(await writtenBy((tx) => appendHits(tx, randomUUID(), hits)), general)
    seen.events += general.events.length
    seen.joined += general.events.filter((row) => row['activation_at'] !== null).length
    seen.settling += general.settling.length
    seen.early += general.early.length
    seen.classed += general.events.filter(
      (row) => row['classification'] !== hits[row['n'] as number]?.classification,
    ).length
    seen.left += hits.length - general.events.length
  }
  t.diagnostic(JSON.stringify(seen))
  assert.ok(Object.values(seen).every((count) => count > 0))
})
