import type { DatabasePool, Db } from '../src/database/connection/connect.ts'
import { countAudienceGrowth } from '../src/features/segments/growth/counting.ts'
import { formatContactId, parseActionId } from '../src/lib/ids.ts'
import { CITIES, type Fields } from './contact-fields.ts'
import { quantiles, timed } from './load.ts'
import type { Figures } from './run.ts'
import type { BenchService } from './service.ts'

const ROUNDS = 20
/** Contacts whose own pages are read. */
const READ = 200
const SEGMENTS = 3
const DAY_MS = 24 * 3600 * 1000

interface Stage {
  service: BenchService
  db: Db
  pool: DatabasePool
  fields: Fields
  contacts: number
}

/** Thirty days of one message to each contact with what became of it: opens of every third, bounces of every fiftieth. */
async function loadMessages({ pool, service: { account }, contacts }: Stage, action: number): Promise<void> {
  await pool.query("select make_event_partitions(now() - interval '2 months', 3)")
  await pool.query(
    `with sent as (
       insert into sent_messages (account, stamp, channel, kind, source, version, contact, address, outcome, thread, set,
         stamp_time, ended_at, request, values)
       select $1, stamp, 'email', 'message', $3, 1, id, unicity, case when id % 100 = 0 then 'refused' else 'accepted' end,
         stamp, stamp, at, at, '{}', '{}'
       from (select id, unicity, gen_random_uuid() as stamp,
           now() - interval '30 days' * (row_number() over (order by id)::float8 / $2) as at
         from contacts where account = $1 offset 0) c
       returning stamp, contact, ended_at as at)
     insert into events (id, at, account, channel, kind, subject, contact, stamp, thread, activation_at, detail)
     select uuidv7(e.at - now()), e.at, $1, 'email', kind, $3, contact, stamp, stamp,
       case when kind <> 'activations' then s.at end,
       case when kind = 'bounces' then '{"bounce":{"status":{"type":"sync"},"analysis":{"verdict":"hard","subject":"address","rule":"user-unknown"}}}'
         else '{"link":{"type":"open"}}' end::json
     from sent s, lateral (values ('activations', s.at, true), ('hits/open', s.at + interval '1 hour', contact % 3 = 0),
       ('bounces', s.at + interval '1 second', contact % 50 = 0)) e (kind, at, has)
     where has`,
    [account, contacts, action],
  )
  await pool.query('vacuum analyze sent_messages')
  await pool.query('vacuum analyze events')
}

/** Segments of a tenth of the contacts each, which overlap. */
async function makeSegments({ service: { client }, fields }: Stage): Promise<number[]> {
  const made = Array.from({ length: SEGMENTS }, async (_, n) => {
    const value = CITIES.slice(n * 3, n * 3 + 5)
    const criteria = { type: 'field', field: fields.city, operator: 'in', value }
    const { id } = await client.call<{ id: number }>('POST', '/segments', {
      type: 'dynamic',
      name: `Cities ${n}`,
      criteria,
    })
    return id
  })
  return Promise.all(made)
}

/** A quantile pair of so many answers. */
async function measured(rounds: number, ask: (round: number) => Promise<unknown>): Promise<Figures> {
  const times: number[] = []
  // The first answer finds nothing of its own in memory, and is none that people meet twice.
  await ask(0)
  for (let round = 0; round < rounds; round++) await timed(times, () => ask(round))
  return quantiles(times)
}

/**
 * What screens ask for beside lists of contacts, of an account of which each contact got a message in the last thirty days: p50 and p95 of each.
 * `growthJobMs` is the count of a day, a job.
 */
export async function measureReads(stage: Stage, report: (line: string) => void): Promise<Figures> {
  const { service, db, pool, contacts } = stage
  const { client, account } = service
  const { id: action } = await client.call<{ id: string }>('POST', '/actions', {
    type: 'mailCampaign',
    name: 'Pears',
    settings: { contentFormat: 1 },
    content: {
      headers: { from: { prefix: 'letter', label: 'The Orchard' } },
      subject: 'The pears are in',
      html: '<html><body><p>They are ripe.</p></body></html>',
    },
  })
  const [segments] = await Promise.all([makeSegments(stage), loadMessages(stage, parseActionId(action)!)])
  report(`${contacts} messages with their events loaded`)
  // The service has counted the day itself, when the account was empty.
  await pool.query('delete from growth_days where account = $1', [account])
  const counting: number[] = []
  await timed(counting, () => countAudienceGrowth(db, { account }, Date.now()))
  const { rows } = await pool.query<{ first: number }>('select min(id) as first from contacts where account = $1', [
    account,
  ])
  const someContact = (round: number): string => formatContactId((rows[0]?.first ?? 1) + ((round * 7919) % contacts))
  const span = (days: number): string => `start=${new Date(Date.now() - days * DAY_MS).toISOString()}`
  const get = (path: string) => client.call('GET', path)
  const asked: [string, number, (round: number) => Promise<unknown>][] = [
    ['timeline', READ, (round) => get(`/targets/${someContact(round)}/timeline`)],
    ['reachability', READ, (round) => get(`/targets/${someContact(round)}/reachability?purpose=marketing`)],
    ['targetsGrowth', ROUNDS, () => get('/targets/growth')],
    ['segmentGrowth', ROUNDS, (round) => get(`/segments/${segments[round % SEGMENTS]}/growth`)],
    [
      'audience',
      ROUNDS,
      () => client.call('POST', `/actions/${action}/audience`, { segments: { selected: segments } }),
    ],
    ['deliverabilityOfAWeek', ROUNDS, () => get('/deliverability')],
    ['deliverabilityOfAMonth', ROUNDS, () => get(`/deliverability?${span(30)}`)],
  ]
  const figures: Figures = { growthJobMs: Math.round(counting[0] ?? 0) }
  for (const [name, rounds, ask] of asked) {
    const found = await measured(rounds, ask)
    report(`${name}: ${JSON.stringify(found)}`)
    figures[name] = found
  }
  return figures
}
