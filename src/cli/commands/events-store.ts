import pino from 'pino'
import type { ConnectedDatabase } from '../../database/connection/open.ts'
import { withBlockingAdvisoryLock } from '../../database/locks/advisory-lock.ts'
import { type EventStore, openEventStore } from '../../features/events/columnar/store.ts'
import { requireClickHouseVersion, storeSizeStatement } from '../../features/events/columnar-copy/create.ts'
import { recopyEvents } from '../../features/events/columnar-copy/recopy.ts'
import { type ComparedSpan, findDifferingDays } from '../../features/events/columnar-copy/verify.ts'
import { dropCopiedMonths } from '../../features/events/store/store-keeping.ts'
import {
  createEventStore,
  EVENT_STORE_LOCK,
  readEventStoreState,
  readStoreCopyLag,
} from '../../features/events/store/store-state.ts'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { parseInstant } from '../../lib/time/period.ts'
import { type CliCommand, type CommandInvocation, printTable, requireOptionValue, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'

/** What a command works on. */
interface Task extends CommandInvocation {
  database: ConnectedDatabase
  store: EventStore
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const shown = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : 'none')

/** `--from` and `--to`: dates, the second exclusive; what is not given is open. */
function readSpan({ options }: CommandInvocation, { from, until }: ComparedSpan): ComparedSpan {
  const read = (name: string, otherwise: number): number => {
    if (options[name] === undefined) return otherwise
    const instant = parseInstant(requireOptionValue(options, name))
    if (instant === undefined) throw new UsageError(`--${name} must be a date such as 2026-01-31.`)
    return instant
  }
  const span = { from: read('from', from), until: read('to', until) }
  if (span.from >= span.until) throw new UsageError('--from must be before --to.')
  return span
}

async function stateOf({ db }: ConnectedDatabase) {
  const state = await readEventStoreState(db)
  if (!state) throw new OperatorError('There is no events store yet: stentor events-store create.')
  return state
}

async function create({ database: { db }, store }: Task): Promise<number> {
  const steps = await createEventStore(db, store)
  say(
    steps === 0
      ? 'The events store was there already.'
      : 'The tables of the events store are made. Events are copied while the role jobs runs.',
  )
  return 0
}

async function status({ database, store }: Task): Promise<number> {
  const state = await stateOf(database)
  const { ageMs, changes } = await readStoreCopyLag(database.db)
  const [row] = await store.rows<{ n: number; bytes: number }>({
    account: null,
    statement: storeSizeStatement,
  })
  say(
    `server         ClickHouse ${await requireClickHouseVersion(store)}, ${row?.n ?? 0} rows in ${Math.round((row?.bytes ?? 0) / 1e6)} MB`,
  )
  say(
    `copied until   ${shown(state.copiedUntil)} (the oldest event that is not there: ${Math.round(ageMs / 1000)} s old)`,
  )
  say(`changes        ${changes} not copied yet`)
  say(`read there     before ${shown(state.border)}`)
  say(`dropped here   before ${shown(state.droppedUntil)}`)
  return 0
}

async function copy(task: Task): Promise<number> {
  const { database, store } = task
  const state = await stateOf(database)
  const span = readSpan(task, { from: Math.max(0, state.droppedUntil), until: state.copiedUntil })
  if (span.from < state.droppedUntil)
    throw new UsageError(`Events of before ${shown(state.droppedUntil)} are in the store alone: they cannot be copied.`)
  await withBlockingAdvisoryLock(database.db, EVENT_STORE_LOCK, async () => {
    const copied = await recopyEvents(
      { ...database, store },
      { ...span, until: Math.min(span.until, state.copiedUntil) },
    )
    say(`${copied} events copied.`)
  })
  return 0
}

async function verify(task: Task): Promise<number> {
  const { database, store } = task
  const state = await stateOf(database)
  const span = readSpan(task, { from: state.droppedUntil, until: state.copiedUntil })
  const from = Math.max(span.from, state.droppedUntil)
  const until = Math.min(span.until, state.copiedUntil)
  const days = from < until ? await findDifferingDays({ ...database, store }, { from, until }) : []
  if (days.length > 0) printTable(days.map(({ here, stored, ...day }) => ({ ...day, database: here, store: stored })))
  say(
    days.length === 0
      ? `The same on both sides, until ${shown(until)}.`
      : `${days.length} days differ: stentor events-store copy --from DATE --to DATE.`,
  )
  return days.length === 0 ? 0 : 1
}

async function drop({ database, store }: Task): Promise<number> {
  await stateOf(database)
  const log = pino({ level: 'info' }, pino.destination(2))
  const dropped = await dropCopiedMonths({ ...database, store, log }, systemClock.now())
  say(`${dropped} ${dropped === 1 ? 'month' : 'months'} dropped.`)
  return 0
}

const tasks: Readonly<Record<string, (task: Task) => Promise<number>>> = {
  create,
  status,
  copy,
  verify,
  'drop-hot': drop,
}

/** `stentor events-store`: the column store that has the history of events. */
export const eventsStoreCommand: CliCommand = (invocation) => {
  const { words, config } = invocation
  const run = Object.hasOwn(tasks, words[0] ?? '') ? tasks[words[0]!] : undefined
  if (!run) throw new UsageError(`events-store ${Object.keys(tasks).join(' | ')}`)
  const { events } = config
  if (!events) throw new UsageError('STENTOR_EVENTS_URL is not set: there is no events store.')
  return withDatabase(config, async (database) => {
    const store = openEventStore(events, config.eventsHotDays)
    try {
      return await run({ ...invocation, database, store })
    } finally {
      await store.close()
    }
  })
}
