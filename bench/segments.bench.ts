import { eventually } from '../scripts/demo/client.ts'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import { CITIES, createFields, type Fields, loadContacts } from './contact-fields.ts'
import { median, rounded, type Times, timed } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const CONTACTS = 1_000_000
const ROUNDS = 5
const EXACT_MS = 600_000
const CHOSEN = CITIES.slice(3, 8)

/** As many opens as contacts, in the order of their time, over sixty days, of half of the contacts. */
async function loadOpens(pool: DatabasePool, account: number, count: number): Promise<void> {
  await pool.query("select make_event_partitions(now() - interval '3 months', 4)")
  await pool.query(
    `insert into events (id, at, account, channel, kind, contact, detail)
     select uuidv7(), now() - interval '60 days' * (1 - n::float / $2), $1, 'email', 'hits/open',
       first + 2 * floor(random() * $2 / 2)::bigint, json_build_object('like', repeat('a whole record ', 40))
     from generate_series(1, $2::integer) n, (select min(id) as first from contacts where account = $1) c`,
    [account, count],
  )
  await pool.query('vacuum analyze events')
}

interface Counted {
  targetsCount: number
  targetsCountDate: string | null
  targetsCountExact: boolean
}

/** What an expert who knows the tables and indexes would write by hand. */
function byHand(fields: Fields, indexes: readonly number[]): string {
  return `select count(*) from contacts c
    where c.account = $1 and (c.fields->'${fields.city}')::integer in (${indexes.join(', ')})
      and (c.fields->'${fields.spend}')::numeric > 500
      and exists (select from events e where e.account = $1 and e.channel = 'email' and e.kind = 'hits/open'
        and e.contact = c.id and e.at >= current_date - 29 and not e.is_test and e.classification is null)`
}

/**
 * The count, and the first thousand members, of a dynamic segment of three leaves (one of five labels, a number, an open in
 * the last thirty days), over HTTP: under 500 ms and 100 ms for 1,000,000 contacts. The count is compared with the same
 * query written by hand, run in the database alone: at least 0.8. Of 10,000,000 contacts it is an estimate, in under 200 ms,
 * with the greatest error of the rounds, until the exact count is there (`exactMs`).
 */
export const benchmark: Benchmark = async (report, size = CONTACTS) => {
  const service = await startBenchService()
  const { client, account } = service
  const { db, pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  try {
    const fields = await createFields(service)
    const loading: Times = []
    await timed(loading, () => loadContacts({ db, pool }, account, fields, size))
    await timed(loading, () => loadOpens(pool, account, size))
    report(`loading ${size} contacts, and as many opens: ${loading.map((ms) => Math.round(ms / 1000)).join(' s, ')} s`)
    const criteria = {
      all: [
        { type: 'field', field: fields.city, operator: 'in', value: CHOSEN },
        { type: 'field', field: fields.spend, operator: 'greater', value: 500 },
        { type: 'event', event: 'hit', link: 'open', period: { last: { value: 30, unit: 'day' } } },
      ],
    }
    const sql = byHand(
      fields,
      CHOSEN.map((city) => CITIES.indexOf(city) + 1),
    )
    const [counts, estimates, exacts, errors, lists, ratios]: Times[] = [[], [], [], [], [], []]
    for (let round = 0; round <= ROUNDS; round++) {
      const by: Times = []
      const { rows } = await pool.query<{ count: string }>(sql, [account])
      await timed(by, () => pool.query(sql, [account]))
      const members = Number(rows[0]?.count)
      // A new segment is not counted yet.
      const segment = { type: 'dynamic', name: `Buyers ${round}`, criteria }
      const { id } = await client.call<{ id: number }>('POST', '/segments', segment)
      const read = () => client.call<Counted>('GET', `/segments/${id}`)
      const [first, list, exact]: Times[] = [[], [], []]
      const shown = await timed(first!, read)
      await timed(list!, () => client.call('GET', `/segments/${id}/targets?limit=1000`))
      // The time to the exact count begins with the first answer.
      const started = performance.now()
      const counted = await eventually('the exact count', EXACT_MS, async () => {
        const present = await read()
        return present.targetsCountExact ? present : undefined
      })
      exact!.push(performance.now() - started + first![0]! + list![0]!)
      const error = Math.abs(shown.targetsCount - members) / members
      report(
        `round ${round}: ${shown.targetsCountExact ? '' : 'about '}${shown.targetsCount} members in ${first![0]!.toFixed(1)} ms, ${counted.targetsCount} after ${exact![0]!.toFixed(0)} ms, by hand ${by[0]!.toFixed(1)} ms, list ${list![0]!.toFixed(1)} ms${round === 0 ? ' (warm-up)' : ''}`,
      )
      if (counted.targetsCount !== members) throw new Error(`the hand-written query gives ${members} members`)
      if (shown.targetsCountDate === null) throw new Error('the segment was shown as if it had not been counted')
      if (round === 0) continue
      if (shown.targetsCountExact) ratios!.push(by[0]! / first![0]!)
      else errors!.push(error)
      ;(shown.targetsCountExact ? counts! : estimates!).push(first![0]!)
      exacts!.push(exact![0]!)
      lists!.push(list![0]!)
    }
    return {
      ...(counts!.length > 0 && { countMs: rounded(median(counts!), 1), ratioToSql: rounded(median(ratios!)) }),
      ...(estimates!.length > 0 && {
        estimateMs: rounded(median(estimates!), 1),
        estimateError: rounded(Math.max(...errors!), 3),
      }),
      exactMs: rounded(median(exacts!), 0),
      listMs: rounded(median(lists!), 1),
    }
  } finally {
    await close()
    await service.stop()
  }
}
