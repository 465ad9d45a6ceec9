import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Context } from '../../context.ts'
import { groupCommit } from '../../lib/group-commit.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { runEvery } from '../../lib/run-every.ts'
import { openSpool, type Spool } from '../../lib/spool.ts'
import { answers, isAway } from './away.ts'
import { type HitGroup, type HitStore, storeAll } from './hit-store.ts'
import type { Hit } from './hits.ts'

/** Stores hits before they are answered, by group commit; while the database is away, on the disk. */
export interface HitWriter {
  /** Resolves when the hit is durable, or lost and counted when neither the database nor the disk takes it. */
  write(hit: Hit): Promise<void>
  /** Bytes on the disk that wait for the database. */
  spooled(): number
  /** Resolves when everything written is durable and nothing is under way. */
  close(): Promise<void>
}

export interface HitWriterOptions extends Omit<HitStore, 'db'> {
  /** Told of hits that are lost. */
  lost(n: number): void
  /** Bytes that the spool may take. */
  spoolLimit?: number
}

/** A hit on the disk, with the key of its group: under the same key a transaction may have stored it already. */
interface SpooledHit {
  group: string
  hit: Hit
}

const MOST_IN_GROUP = 500
const CONNECTIONS = 2
const SPOOL_LIMIT_BYTES = 1024 ** 3
const REPLAY_INTERVAL_MS = 250

/** What the parts of a writer share. */
interface Writing {
  store: HitStore
  spool: Spool
  log: Logger
  lost(n: number): void
  isAway: boolean
  isClosing: boolean
}

/** Opens the spool of the data directory and starts; what is left there is stored as soon as the database answers. */
export async function startHitWriter({ db, config, log }: Context, options: HitWriterOptions): Promise<HitWriter> {
  const { versions, addressDetails, lost, spoolLimit = SPOOL_LIMIT_BYTES } = options
  const spool = await openSpool(join(config.dataDir, 'spool'), spoolLimit)
  const store: HitStore = { db, versions, addressDetails }
  const writing: Writing = { store, spool, log, lost, isAway: false, isClosing: false }
  const keepAll = async (hits: Hit[]): Promise<Hit[]> => {
    await keep(writing, hits)
    return hits
  }
  const groups = groupCommit(keepAll, { most: MOST_IN_GROUP, atOnce: CONNECTIONS })
  const stopReplaying = runEvery(REPLAY_INTERVAL_MS, () => replayAll(writing))
  return {
    write: async (hit) => void (await groups.add(hit)),
    spooled: () => spool.size(),
    async close() {
      writing.isClosing = true
      await groups.idle()
      await stopReplaying()
      await spool.close()
    },
  }
}

async function keep(writing: Writing, hits: readonly Hit[]): Promise<void> {
  const { spool, log, lost, isAway } = writing
  const group = { key: uuidV7(hits[0]?.time ?? 0), hits }
  const unstored = isAway ? [group] : await tryToStore(writing, group)
  const records = unstored.flatMap(spooledHits)
  if (records.length === 0) return
  const isKept = await spool.append(records).catch((error) => {
    log.error({ err: error }, 'the spool cannot be written')
    return false
  })
  if (!isKept) lost(records.length)
}

/** Gives the groups that must wait, and then takes the database for away. */
async function tryToStore(writing: Writing, group: HitGroup): Promise<HitGroup[]> {
  const { log, lost } = writing
  const unstored = await storeAll(writing.store, group, {
    refused(hit, error) {
      log.error({ err: error, stamp: hit.token.stamp, type: hit.type }, 'a hit cannot be stored')
      lost(1)
    },
    away: (error) => noteAway(writing, error),
  })
  if (unstored.length > 0) noteAway(writing)
  else writing.isAway = false
  return unstored
}

function noteAway(writing: Writing, error?: unknown): void {
  if (!writing.isAway) writing.log.warn({ err: error }, 'the database is away: hits go to the spool')
  writing.isAway = true
}

function spooledHits({ key, hits }: HitGroup): SpooledHit[] {
  return hits.map((hit) => ({ group: key, hit }))
}

/** Stores what the spool holds, file by file, if the database answers. */
async function replayAll(writing: Writing): Promise<void> {
  const { store, spool, log } = writing
  if (writing.isAway && !(await answers(store.db))) return
  try {
    // A database that answers may still refuse to write: the first hits that it takes tell.
    for (const file of await spool.finished()) if (!(await replay(writing, file))) return
    writing.isAway = false
  } catch (error) {
    if (isAway(error)) noteAway(writing, error)
    else log.error({ err: error }, 'the spool cannot be stored')
  }
}

/** Stores what a file holds, in order. False when that must be tried again: then nothing is stored twice. */
async function replay(writing: Writing, file: string): Promise<boolean> {
  const { spool, log } = writing
  const records = (await spool.read(file)) as SpooledHit[]
  for (const [key, own] of Map.groupBy(records, ({ group }) => group)) {
    const hits = own.map(({ hit }) => hit)
    if (writing.isClosing || (await tryToStore(writing, { key, hits })).length > 0) return false
  }
  await spool.remove(file)
  log.info({ hits: records.length }, 'the hits of a spool file are stored')
  return true
}
