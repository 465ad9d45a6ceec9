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
import { formatCount } from '../../lib/text/nouns.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { parseInstant } from '../../lib/time/period.ts'
import { type CliCommand, type CommandInvocation, printTable, requireOptionValue, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'

/** The input of a command. */
interface StoreCommandContext extends CommandInvocation {
  database: ConnectedDatabase
  store: EventStore
}

const printLine = (line: string): boolean => process.stdout.write(`${line}\n`)

const formatInstant = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : 'none')

/** `--from` and `--to`: dates, the second exclusive; what is not given is open. */
function readTimeSpan({ options }: CommandInvocation, { from, until }: ComparedSpan): ComparedSpan {
  const readBoundary = (name: string, otherwise: number): number => {
    if (options[name] === undefined) return otherwise
    const instant = parseInstant(requireOptionValue(options, name))
    if (instant === undefined) throw new UsageError(`--${name} must be a date such as 2026-01-31.`)
    return instant
  }
  const span = { from: readBoundary('from', from), until: readBoundary('to', until) }
  if (span.from >= span.until) throw new UsageError('--from must be before --to.')
  return span
}

async function requireStoreState({ db }: ConnectedDatabase) {
  const storeState = await readEventStoreState(db)
  if (!storeState) throw new OperatorError('There is no events store yet. Run "stentor events-store create".')
  return storeState
}

async function createTables({ database: { db }, store }: StoreCommandContext): Promise<number> {
  const creationSteps = await createEventStore(db, store)
  printLine(
    creationSteps === 0
      ? 'The events store already exists.'
      : 'Events store created. A process with the role jobs copies the events.',
  )
  return 0
}

async function printStatus({ database, store }: StoreCommandContext): Promise<number> {
  const storeState = await requireStoreState(database)
  const { ageMs: copyLagMs, changes: pendingChanges } = await readStoreCopyLag(database.db)
  const [row] = await store.rows<{ n: number; bytes: number }>({
    account: null,
    statement: storeSizeStatement,
  })
  printLine(
    `server         ClickHouse ${await requireClickHouseVersion(store)}, ${row?.n ?? 0} rows in ${Math.round((row?.bytes ?? 0) / 1e6)} MB`,
  )
  printLine(
    `copied until   ${formatInstant(storeState.copiedUntil)} (the oldest event not copied is ${Math.round(copyLagMs / 1000)} s old)`,
  )
  printLine(`changes        ${pendingChanges} not copied yet`)
  printLine(`read in store  before ${formatInstant(storeState.border)}`)
  printLine(`dropped        before ${formatInstant(storeState.droppedUntil)} (from PostgreSQL)`)
  return 0
}

async function copyEvents(task: StoreCommandContext): Promise<number> {
  const { database, store } = task
  const storeState = await requireStoreState(database)
  const span = readTimeSpan(task, { from: Math.max(0, storeState.droppedUntil), until: storeState.copiedUntil })
  if (span.from < storeState.droppedUntil)
    throw new UsageError(
      `Events before ${formatInstant(storeState.droppedUntil)} are only in the store and cannot be copied.`,
    )
  await withBlockingAdvisoryLock(database.db, EVENT_STORE_LOCK, async () => {
    const copiedCount = await recopyEvents(
      { ...database, store },
      { ...span, until: Math.min(span.until, storeState.copiedUntil) },
    )
    printLine(`${formatCount(copiedCount, 'event')} copied.`)
  })
  return 0
}

async function verifyCopy(task: StoreCommandContext): Promise<number> {
  const { database, store } = task
  const storeState = await requireStoreState(database)
  const span = readTimeSpan(task, { from: storeState.droppedUntil, until: storeState.copiedUntil })
  const spanStart = Math.max(span.from, storeState.droppedUntil)
  const spanEnd = Math.min(span.until, storeState.copiedUntil)
  const differingDays =
    spanStart < spanEnd ? await findDifferingDays({ ...database, store }, { from: spanStart, until: spanEnd }) : []
  if (differingDays.length > 0)
    printTable(
      differingDays.map(({ here: postgresCount, stored: storeCount, ...day }) => ({
        ...day,
        database: postgresCount,
        store: storeCount,
      })),
    )
  printLine(
    differingDays.length === 0
      ? `No differences until ${formatInstant(spanEnd)}.`
      : `${differingDays.length} ${differingDays.length === 1 ? 'day differs' : 'days differ'}. To copy them again: stentor events-store copy --from DATE --to DATE`,
  )
  return differingDays.length === 0 ? 0 : 1
}

async function dropHotMonths({ database, store }: StoreCommandContext): Promise<number> {
  await requireStoreState(database)
  const log = pino({ level: 'info' }, pino.destination(2))
  const droppedMonths = await dropCopiedMonths({ ...database, store, log }, systemClock.now())
  printLine(`${formatCount(droppedMonths, 'month')} dropped.`)
  return 0
}

const storeCommands: Readonly<Record<string, (task: StoreCommandContext) => Promise<number>>> = {
  create: createTables,
  status: printStatus,
  copy: copyEvents,
  verify: verifyCopy,
  'drop-hot': dropHotMonths,
}

/** `stentor events-store`: the column store that has the history of events. */
export const eventsStoreCommand: CliCommand = (invocation) => {
  const { words, config } = invocation
  const runCommand = Object.hasOwn(storeCommands, words[0] ?? '') ? storeCommands[words[0]!] : undefined
  if (!runCommand) throw new UsageError(`Use events-store ${Object.keys(storeCommands).join(', ')}.`)
  const { events: storeAddress } = config
  if (!storeAddress) throw new UsageError('This command requires STENTOR_EVENTS_URL.')
  return withDatabase(config, async (database) => {
    const store = openEventStore(storeAddress, config.eventsHotDays)
    try {
      return await runCommand({ ...invocation, database, store })
    } finally {
      await store.close()
    }
  })
}
