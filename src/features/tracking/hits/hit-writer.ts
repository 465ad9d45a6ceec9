import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ServiceContext } from '../../../context.ts'
import { createGroupCommit } from '../../../lib/concurrency/group-commit.ts'
import { type DiskSpool, openDiskSpool } from '../../../lib/files/spool.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { runEvery } from '../../../lib/time/run-every.ts'
import { isDatabaseResponding, isUnavailableError } from '../unavailable.ts'
import { type HitGroup, type HitStoreContext, storeHitGroups } from './hit-store.ts'
import { isSpooledHit, parseSpooledHit, type SpooledHit, type TrackingHit } from './hits.ts'

/** Stores hits before they are answered, by group commit; while the database is unavailable, in a spool on the disk. */
export interface HitWriter {
  /** Resolves when the hit is durable, or lost and counted when neither the database nor the disk accepts it. */
  write(hit: TrackingHit): Promise<void>
  /** Bytes on the disk that wait for the database. */
  spooled(): number
  /** Number of spool files set aside. */
  countSetAside(): Promise<number>
  /** Resolves when every hit is durable and no write is in progress. */
  close(): Promise<void>
}

export interface HitWriterOptions extends Omit<HitStoreContext, 'db'> {
  /** Called with the number of hits lost. */
  lost(n: number): void
  /** That of the data directory unless given. */
  spool?: DiskSpool
}

const MAX_GROUP_SIZE = 500
const MAX_CONNECTIONS = 2
const SPOOL_LIMIT_BYTES = 1024 ** 3
const REPLAY_INTERVAL_MS = 250

/** The state of a running writer. */
interface WriterState {
  store: HitStoreContext
  spool: DiskSpool
  log: Logger
  lost(n: number): void
  isUnavailable: boolean
  /** Number of times the database was unavailable. */
  failures: number
  isClosing: boolean
}

/** Opens the spool and starts; hits spooled earlier are stored as soon as the database answers. */
export async function startHitWriter(
  { db, config, log }: ServiceContext,
  options: HitWriterOptions,
): Promise<HitWriter> {
  const { versions, addressDetails, lost: countLost } = options
  const spool = options.spool ?? (await openDiskSpool(join(config.dataDir, 'spool'), SPOOL_LIMIT_BYTES))
  const hitStore: HitStoreContext = { db, versions, addressDetails }
  const state: WriterState = {
    store: hitStore,
    spool,
    log,
    lost: countLost,
    isUnavailable: false,
    failures: 0,
    isClosing: false,
  }
  const commitHits = async (hits: TrackingHit[]): Promise<TrackingHit[]> => {
    await storeOrSpool(state, hits)
    return hits
  }
  const groupCommit = createGroupCommit(commitHits, { most: MAX_GROUP_SIZE, atOnce: MAX_CONNECTIONS })
  const stopReplaying = runEvery(REPLAY_INTERVAL_MS, () => replaySpool(state))
  return {
    write: async (hit) => void (await groupCommit.add(hit)),
    spooled: () => spool.size(),
    countSetAside: async () => (await spool.listSetAside()).length,
    async close() {
      state.isClosing = true
      await groupCommit.idle()
      await stopReplaying()
      await spool.close()
    },
  }
}

async function storeOrSpool(state: WriterState, hits: readonly TrackingHit[]): Promise<void> {
  const { spool, log, lost: countLost, isUnavailable } = state
  const group = { key: createUuidV7(hits[0]?.time ?? 0), hits }
  const unstoredGroups = isUnavailable ? [group] : await tryToStore(state, group)
  const records = unstoredGroups.flatMap(toSpooledHits)
  if (records.length === 0) return
  const isSpooled = await spool.append(records).catch((error) => {
    log.error({ err: error }, 'cannot write to the spool')
    return false
  })
  if (!isSpooled) countLost(records.length)
}

/** Stores a group; returns the groups that must wait, in which case the database counts as unavailable. */
async function tryToStore(state: WriterState, group: HitGroup): Promise<HitGroup[]> {
  const { log, lost: countLost } = state
  const unstoredGroups = await storeHitGroups(state.store, group, {
    refused(hit, error) {
      log.error({ err: error, stamp: hit.token.stamp, type: hit.type }, 'hit refused by the database and lost')
      countLost(1)
    },
    unavailable: (error) => markUnavailable(state, error),
  })
  if (unstoredGroups.length > 0) markUnavailable(state)
  else state.isUnavailable = false
  return unstoredGroups
}

function markUnavailable(state: WriterState, error?: unknown): void {
  if (!state.isUnavailable) state.log.warn({ err: error }, 'database unavailable: hits go to the spool')
  state.isUnavailable = true
  state.failures++
}

function toSpooledHits({ key, hits }: HitGroup): SpooledHit[] {
  return hits.map((hit) => ({ group: key, hit }))
}

/** Stores the spooled hits, file by file, if the database answers. */
async function replaySpool(state: WriterState): Promise<void> {
  const { store: hitStore, spool, log, failures } = state
  if (state.isUnavailable && !(await isDatabaseResponding(hitStore.db))) return
  try {
    // A database that answers may still refuse writes: it counts as available once hits are stored.
    for (const file of await spool.finished()) if (!(await replaySpoolFile(state, file))) return
    // Unless a hit has found it unavailable meanwhile.
    if (state.failures === failures) state.isUnavailable = false
  } catch (error) {
    if (isUnavailableError(error)) markUnavailable(state, error)
    else log.error({ err: error }, 'cannot store spooled hits')
  }
}

/**
 * Stores the hits of a spool file, in order. False when it must be retried; groups already stored do not count twice. A file
 * with anything else in it is set aside, and holds up nothing behind it.
 */
async function replaySpoolFile(state: WriterState, file: string): Promise<boolean> {
  const { spool, log } = state
  const { records, fault } = await spool.read(file, isSpooledHit)
  for (const [key, groupRecords] of Map.groupBy(records, ({ group }) => group)) {
    const hits = groupRecords.map(({ hit }) => parseSpooledHit(hit))
    if (state.isClosing || (await tryToStore(state, { key, hits })).length > 0) return false
  }
  if (fault === undefined) await spool.remove(file)
  else {
    await spool.setAside(file)
    log.error({ file, fault, hits: records.length }, 'file of spooled hits set aside')
  }
  log.info({ hits: records.length }, 'spooled hits stored')
  return true
}
