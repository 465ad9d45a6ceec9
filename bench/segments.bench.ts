import { connect, type Pool } from '../src/database/connect.ts'
import { CITIES, createFields, type Fields, loadContacts } from './contact-fields.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const CONTACTS = 1_000_000
const ROUNDS = 5
const CHOSEN = CITIES.slice(3, 8)

/** As many opens as contacts, in the order of their time, over sixty days, of half of the contacts. */
async function loadOpens(pool: Pool, account: number, count: number): Promise<void> {
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

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
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
 * query written by hand, run in the database alone: at least 0.8.
 */
export const benchmark: Benchmark = async (report, size = CONTACTS) => {
  const service = await startBenchService()
  const { client, account } = service
  const { db, pool, close } = connect(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  try {
    const fields = await createFields(service)
    const loading = await elapsed(async () => {
      await loadContacts({ db, pool }, account, fields, size)
      await loadOpens(pool, account, size)
    })
    report(`loading ${size} contacts: ${Math.round(loading / 1000)} s`)
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
    const counts: number[] = []
    const lists: number[] = []
    const ratios: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const { rows } = await pool.query(sql, [account])
      const hand = await elapsed(() => pool.query(sql, [account]))
      // A new segment is not counted yet.
      const segment = { type: 'dynamic', name: `Buyers ${round}`, criteria }
      const { id } = await client.call<{ id: number }>('POST', '/segments', segment)
      let targetsCount = 0
      const count = await elapsed(async () => {
        ;({ targetsCount } = await client.call<{ targetsCount: number }>('GET', `/segments/${id}`))
      })
      const list = await elapsed(() => client.call('GET', `/segments/${id}/targets?limit=1000`))
      report(
        `round ${round}: ${targetsCount} members, count ${count.toFixed(1)} ms, by hand ${hand.toFixed(1)} ms, list ${list.toFixed(1)} ms${round === 0 ? ' (warm-up)' : ''}`,
      )
      if (Number(rows[0]?.count) !== targetsCount) throw new Error(`by hand there are ${rows[0]?.count} members`)
      if (round === 0) continue
      counts.push(count)
      lists.push(list)
      ratios.push(hand / count)
    }
    return {
      countMs: rounded(median(counts), 1),
      listMs: rounded(median(lists), 1),
      ratioToSql: rounded(median(ratios)),
    }
  } finally {
    await close()
    await service.stop()
  }
}
