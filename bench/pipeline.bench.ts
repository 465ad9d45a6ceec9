import { type Db, openDatabasePool } from '../src/database/connection/connect.ts'
import { buildCriterionIndexes } from '../src/features/segments/criteria/criterion-indexes.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

const CONTACTS = 1_000_000
const ROUNDS = 5
const CITIES = 50
const TOP = 100
const READ = 100_000

type Fields = Record<'email' | 'city' | 'age' | 'spent', number>

async function createFields({ client }: BenchService): Promise<Fields> {
  const made = async (name: string, type: string) =>
    (await client.call<{ id: number }>('POST', '/fields', { type, name })).id
  const [email] = await client.call<{ id: number }[]>('GET', '/fields')
  return {
    email: email?.id ?? 0,
    city: await made('City', 'textField'),
    age: await made('Age', 'numeric'),
    spent: await made('Spent', 'numeric'),
  }
}

/** Contacts with four values each, all of them in a static segment. */
async function load(
  db: Db,
  pool: ReturnType<typeof openDatabasePool>['pool'],
  account: number,
  given: { fields: Fields; count: number; segment: number },
) {
  const { fields, count, segment } = given
  await pool.query(
    `with made as (
       insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
       select $1, jsonb_build_object(
           $3::text, mail, $4::text, 'City ' || 1 + floor(random() * ${CITIES})::integer,
           $5::text, 1 + floor(random() * 90)::integer, $6::text, round((random() * 1000)::numeric, 2)),
         mail, mail, decode(md5(mail), 'hex'), now() - interval '90 days', now()
       from (select n, 'person.' || n || '@shop' || n % 7 || '.example' as mail from generate_series(1, $2::integer) n) people
       returning id)
     insert into segment_members (account, segment, contact) select $1, $7, id from made`,
    [account, count, ...[fields.email, fields.city, fields.age, fields.spent].map(String), segment],
  )
  await buildCriterionIndexes({ db, pool })
  await pool.query('vacuum analyze contacts')
  await pool.query('vacuum analyze segment_members')
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const path = (value: string) => ({ type: 'path', value })
const adults = (than: unknown) => ({
  type: 'filter',
  condition: { type: 'compare', left: path('row.fields.Age'), operator: 'greaterOrEqual', right: than },
})

/** Adults by city: how many, and what they spent. */
const grouping = {
  type: 'pipeline',
  source: { type: 'targets' },
  cursors: [
    adults(18),
    {
      type: 'group',
      by: { city: path('row.fields.City') },
      aggregates: {
        n: { function: 'count' },
        spent: { function: 'sum', value: path('row.fields.Spent') },
        best: { function: 'max', value: path('row.fields.Spent') },
      },
    },
    { type: 'sort', by: [{ value: path('row.spent'), direction: 'desc' }] },
  ],
}

/** The same, as an expert writes it who knows the tables. */
const groupingByHand = ({ city, age, spent }: Fields): string => `
  select fields->>'${city}' as city, count(*) as n, sum((fields->'${spent}')::numeric) as spent, max((fields->'${spent}')::numeric) as best
  from contacts where account = $1 and (fields->'${age}')::numeric >= 18
  group by 1 order by 3 desc`

/** The pipeline of docs/reference/scripts.md. */
const best = (segment: number) => ({
  type: 'pipeline',
  source: { type: 'segment', segment },
  cursors: [
    adults(path('arguments.minAge')),
    { type: 'map', fields: { id: path('row.id'), spent: path('row.fields.Spent') } },
    { type: 'sort', by: [{ value: path('row.spent'), direction: 'desc' }] },
    { type: 'limit', count: path('arguments.top') },
  ],
  parameters: [
    { name: 'minAge', type: 'number', default: 18 },
    { name: 'top', type: 'number', required: true },
  ],
})

/** Contacts whose text of a template is grouped in memory. */
const reading = {
  type: 'pipeline',
  source: { type: 'targets' },
  cursors: [
    { type: 'limit', count: READ },
    {
      type: 'map',
      fields: { age: path('row.fields.Age'), text: { type: 'template', value: '{{ row.fields.City }}' } },
    },
    { type: 'group', by: { text: path('row.text') }, aggregates: { n: { function: 'count' } } },
  ],
}

interface Result {
  type: string
  value: { n?: number }[]
  plan: { rowsRead: number; durationMs: number }
}

/** Executes pipelines over HTTP. */
function openPipelines({ client }: BenchService) {
  return {
    async made(name: string, value: object): Promise<string> {
      return (await client.call<{ id: string }>('POST', '/scripting/compilables', { name, value })).id
    },
    async execute(id: string, given: object = {}): Promise<Result> {
      const result = await client.call<Result>('POST', `/scripting/compilables/${id}/execution`, given)
      if (result.type !== 'success') throw new Error(`the pipeline failed: ${JSON.stringify(result)}`)
      return result
    },
  }
}

/**
 * Pipelines over 1,000,000 contacts, over HTTP. `ratioToSql`: a filter and a group beside the same SQL written by hand and run in the
 * database alone; at least 0.8. `bestMs`: the pipeline of the guide, a segment of all contacts, filtered, sorted and limited; under
 * 1,000. `memoryRowsPerSecond`: contacts that a cursor of the database gives to a template and a group in memory.
 */
export const benchmark: Benchmark = async (report, size = CONTACTS) => {
  const service = await startBenchService()
  const { client, account } = service
  const { db, pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  try {
    const fields = await createFields(service)
    const { id: segment } = await client.call<{ id: number }>('POST', '/segments', { type: 'static', name: 'All' })
    const loading = await elapsed(() => load(db, pool, account, { fields, count: size, segment }))
    report(`loading ${size} contacts: ${Math.round(loading / 1000)} s`)
    const pipelines = openPipelines(service)
    const ids = {
      grouped: await pipelines.made('Grouped', grouping),
      best: await pipelines.made('Best', best(segment)),
      read: await pipelines.made('Read', reading),
    }
    const text = groupingByHand(fields)
    const [grouped, bests, ratios]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round <= ROUNDS; round++) {
      const { rows } = await pool.query(text, [account])
      const hand = await elapsed(() => pool.query(text, [account]))
      let found: Result['value'] = []
      const own = await elapsed(async () => ({ value: found } = await pipelines.execute(ids.grouped)))
      const top = await elapsed(() => pipelines.execute(ids.best, { top: TOP }))
      report(
        `round ${round}: grouped ${own.toFixed(0)} ms, by hand ${hand.toFixed(0)} ms, best customers ${top.toFixed(0)} ms${round === 0 ? ' (warm-up)' : ''}`,
      )
      if (rows.length !== found.length || Number(rows[0]?.n) !== found[0]?.n)
        throw new Error('the hand-written query gives other results')
      if (round === 0) continue
      grouped.push(own)
      bests.push(top)
      ratios.push(hand / own)
    }
    const { plan } = await client.call<Result>('POST', `/scripting/compilables/${ids.read}/preview`, {})
    return {
      groupedMs: rounded(median(grouped), 1),
      bestMs: rounded(median(bests), 1),
      ratioToSql: rounded(median(ratios)),
      memoryRowsPerSecond: Math.round((plan.rowsRead / plan.durationMs) * 1000),
    }
  } finally {
    await close()
    await service.stop()
  }
}
