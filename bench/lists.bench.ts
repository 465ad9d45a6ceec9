import { openDatabasePool } from '../src/database/connection/connect.ts'
import { measureReads } from './account-reads.ts'
import { CITIES, createFields, type Fields, loadContacts } from './contact-fields.ts'
import { median, quantile, rounded, type Times, timed } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const CONTACTS = 1_000_000
/** Pages read of each list. */
const PAGES = 30
const SHARES = [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95]
/** Of an answer that a person waits for, this share of all must be faster. */
const QUANTILE = 0.95

interface Page {
  items: { id: string }[]
  total: number
  exact: boolean
  next: string | null
}

const KEYS: Record<string, (fields: Fields) => string> = {
  id: () => 'c.id',
  creationDate: () => 'c.created_at',
  lastUpdateDate: () => 'c.updated_at',
  name: ({ name }) => `sorted_start(c.fields->>'${name}')`,
  spend: ({ spend }) => `(c.fields->'${spend}')::numeric`,
  city: ({ city }) => `(c.fields->'${city}')::integer`,
  born: ({ born }) => `(c.fields->>'${born}') collate "C"`,
}

/** Where contacts stand in a list, in the database alone: each by its id. */
async function places(
  pool: ReturnType<typeof openDatabasePool>['pool'],
  account: number,
  key: string,
  ids: number[],
): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ id: string; place: number }>(
    `select id, place from (
       select c.id, (row_number() over (order by ${key} nulls last, c.id) - 1)::float8 / count(*) over () as place
       from contacts c where c.account = $1) p where id = any($2::bigint[])`,
    [account, ids],
  )
  return new Map(rows.map(({ id, place }) => [Number(id), place]))
}

/**
 * What people who look at 1,000,000 contacts wait for, over HTTP: pages of lists in seven orders, from their beginnings and from
 * anywhere (`listP95`), and how far from the share asked for these begin (`atError`, of 1: at most 0.01); contacts by parts of
 * addresses (`searchP95`), and previews of segments (`previewMs`). 95 of 100 answers are faster than a P95. Then what screens ask for beside
 * lists (`measureReads`).
 */
export const benchmark: Benchmark = async (report, size = CONTACTS) => {
  const service = await startBenchService()
  const { client, account } = service
  const { db, pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  const search = (body: object) => client.call<Page>('POST', '/targets/search', { limit: 50, ...body })
  try {
    const fields = await createFields(service)
    const loading: Times = []
    await timed(loading, () => loadContacts({ db, pool }, account, fields, size))
    report(`loaded ${size} contacts with their indexes in ${Math.round((loading[0] ?? 0) / 1000)} s`)
    await search({})
    const [lists, ats, searches, previews, filtered]: Times[] = [[], [], [], [], []]
    let atError = 0
    for (const [name, keyOf] of Object.entries(KEYS)) {
      const by = name in fields ? fields[name as keyof Fields] : name
      const [own, ownAt]: Times[] = [[], []]
      let after: string | null = null
      for (let page = 0; page < PAGES; page++) after = (await timed(own!, () => search({ sort: { by }, after }))).next
      const found: { at: number; id: number }[] = []
      for (const at of SHARES) {
        const { items } = await timed(ownAt!, () => search({ sort: { by }, at }))
        found.push({ at, id: Number.parseInt(items[0]?.id ?? '0', 36) })
      }
      const known = await places(
        pool,
        account,
        keyOf(fields),
        found.map(({ id }) => id),
      )
      const errors = found.map(({ at, id }) => Math.abs((known.get(id) ?? 1) - at))
      atError = Math.max(atError, ...errors)
      report(
        `by ${name}: pages ${median(own!).toFixed(1)} ms, anywhere ${median(ownAt!).toFixed(1)} ms, error at most ${Math.max(...errors).toFixed(4)}`,
      )
      lists!.push(...own!)
      ats!.push(...ownAt!)
    }
    for (const n of [1, 77, 4_242, 123_456, 999_999]) {
      const texts = [
        `.${n}@shop`,
        `06${String(n).padStart(8, '0')}`,
        'shop3.ex',
        `${n}@`,
        'nobody@nowhere',
        'abc',
        `zz${n}zz`,
      ]
      for (const q of texts) {
        const answer = await timed(searches!, () => client.call<unknown[]>('GET', `/search?q=${encodeURIComponent(q)}`))
        if (n === 1) report(`"${q}": ${answer.length} in ${searches!.at(-1)!.toFixed(1)} ms`)
      }
    }
    const leaf = (field: number, operator: string, value: unknown) => ({ type: 'field', field, operator, value })
    const narrow = leaf(fields.spend, 'between', [10, 10.5])
    const broad = leaf(fields.city, 'in', CITIES.slice(0, 40))
    for (const criteria of [
      narrow,
      { all: [leaf(fields.city, 'in', CITIES.slice(3, 8)), leaf(fields.spend, 'greater', 500)] },
      broad,
    ]) {
      for (let round = 0; round < 5; round++) {
        const { count, exact } = await timed(previews!, () =>
          client.call<{ count: number; exact: boolean }>('POST', '/segments/preview', { criteria }),
        )
        if (round === 0) report(`preview: ${count}${exact ? '' : ' (estimated)'} in ${previews!.at(-1)!.toFixed(1)} ms`)
        const { total } = await timed(filtered!, () => search({ criteria, sort: { by: fields.name } }))
        if (round === 0) report(`filtered, by name: ${total} in ${filtered!.at(-1)!.toFixed(1)} ms`)
      }
    }
    return {
      listP95: rounded(quantile(lists!, QUANTILE), 1),
      atP95: rounded(quantile(ats!, QUANTILE), 1),
      atError: rounded(atError, 4),
      searchP95: rounded(quantile(searches!, QUANTILE), 1),
      filteredMs: rounded(median(filtered!), 1),
      previewMs: rounded(median(previews!), 1),
      previewP95: rounded(quantile(previews!, QUANTILE), 1),
      ...(await measureReads({ service, db, pool, fields, contacts: size }, report)),
    }
  } finally {
    await close()
    await service.stop()
  }
}
