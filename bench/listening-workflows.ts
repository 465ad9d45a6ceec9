import { setTimeout as delay } from 'node:timers/promises'
import { inTransaction } from '../src/database/connection/connect.ts'
import { publishCustomEvents } from '../src/features/notices/custom.ts'
import { activeWorkflow, percentile, type WorkflowStage } from './workflow-stage.ts'

const WORKFLOWS = 10
const LISTENERS_OF_EACH = 10
const PUBLISHED_EVERY_MS = 50
const LOOK_MS = 20
const PATIENCE_MS = 60_000

/** Ten listeners: all hear `order` events, each takes those of one product. Every other filter is a path, the others are templates. */
function listening(workflow: number): object {
  const listeners = Array.from({ length: LISTENERS_OF_EACH }, (_, n) => {
    const product = workflow * LISTENERS_OF_EACH + n
    const filter =
      n % 2 === 0
        ? { type: 'path', value: `event.data.is${product}` }
        : { type: 'template', value: `{% if event.data.product == ${product} %}true{% endif %}` }
    const names = [`order.${product % LISTENERS_OF_EACH}`]
    return { id: `product ${product}`, event: { type: 'custom', names, filter }, handler: 'end' }
  })
  return {
    name: `Orders ${workflow}`,
    settings: { reentry: { mode: 'always' }, concurrency: 100 },
    listeners,
    nodes: [{ id: 'end', type: 'terminal', settings: { outcome: 'heard' } }],
  }
}

/** Activates a hundred listeners with filters, in ten workflows; gives the numbers of these. */
export async function listenByHundred(stage: WorkflowStage): Promise<number[]> {
  const made: number[] = []
  for (let n = 0; n < WORKFLOWS; n++) made.push(await activeWorkflow(stage, listening(n)))
  return made
}

/** Runs that were stored since the last look, with the event each follows. */
function startedRuns({ pool, service: { account } }: WorkflowStage) {
  let after = '00000000-0000-7000-8000-000000000000'
  return async () => {
    const { rows } = await pool.query<{ id: string; n: number }>(
      `select id, (event -> 'data' ->> 'n')::integer as n from workflow_runs
       where account = $1 and id > $2 and start_type = 'listener' order by id`,
      [account, after],
    )
    after = rows.at(-1)?.id ?? after
    return rows
  }
}

/**
 * Publishes so many events a second, each for one of a hundred listeners; gives how long after its publication (milliseconds)
 * the run of each was seen by another connection, which looks every 20 ms.
 */
export async function listenerLatency(
  stage: WorkflowStage,
  { seconds, perSecond }: { seconds: number; perSecond: number },
): Promise<{ p50: number; p95: number }> {
  const { db, contacts, service } = stage
  const count = seconds * perSecond
  const published = new Map<number, number>()
  const look = startedRuns(stage)
  await look()
  const begin = performance.now()
  async function publish(): Promise<void> {
    for (let n = 0; n < count; ) {
      const due = Math.min(count, Math.floor(((performance.now() - begin) * perSecond) / 1000))
      const batch = Array.from({ length: Math.max(0, due - n) }, (_, place) => n + place)
      n += batch.length
      await inTransaction(db, (tx) =>
        publishCustomEvents(
          tx,
          batch.map((nth) => {
            const product = nth % (WORKFLOWS * LISTENERS_OF_EACH)
            const data = { n: nth, product, [`is${product}`]: true, cart: { total: 99.5, lines: [1, 2, 3] } }
            const name = `order.${product % LISTENERS_OF_EACH}`
            return {
              account: service.account,
              name,
              contact: contacts[nth % contacts.length]!,
              data,
              stamp: null,
              depth: 0,
            }
          }),
        ),
      )
      const now = performance.now()
      for (const nth of batch) published.set(nth, now)
      await delay(PUBLISHED_EVERY_MS)
    }
  }
  const publishing = publish()
  const waited: number[] = []
  while (waited.length < count) {
    if (performance.now() > begin + seconds * 1000 + PATIENCE_MS)
      throw new Error(`${count - waited.length} runs are missing`)
    await delay(LOOK_MS)
    const rows = await look()
    const now = performance.now()
    for (const { n } of rows) waited.push(now - (published.get(n) ?? now))
  }
  await publishing
  return { p50: percentile(waited, 0.5), p95: percentile(waited, 0.95) }
}
