import { join } from 'node:path'
import type { Logger } from 'pino'
import { isTransientDbError } from '../../../database/errors.ts'
import { type DiskSpool, openDiskSpool } from '../../../lib/files/spool.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { runEvery } from '../../../lib/time/run-every.ts'
import {
  isDatabaseResponding,
  isUnavailableError,
  resolveWithin,
  TRACKING_DB_TIMEOUT_MS,
} from '../../tracking/unavailable.ts'
import { storeUnmatchedReport } from '../unmatched-reports.ts'
import type { InboundAddress } from './inbound-address.ts'
import { ingestMail, type MailIngestContext, type MailIngestOutcome, type ReceivedMail } from './ingest.ts'

/** Stores what mails report before they are accepted; while the database is unavailable, the mails in a spool on the disk. */
export interface MailWriter {
  /** Resolves with the outcome for each address once it is stored. Rejects when neither the database nor the disk accepts it. */
  write(mail: ReceivedMail): Promise<(MailIngestOutcome | 'spooled')[]>
  /** Bytes on the disk that wait for the database. */
  spooled(): number
  close(): Promise<void>
}

export interface MailWriterOptions extends MailIngestContext {
  dataDir: string
  log: Logger
  /** Maximum size of the spool, in bytes. */
  spoolLimit?: number
  /** Called with the outcomes of spooled mails. */
  replayed?(outcomes: readonly MailIngestOutcome[]): void
}

/** A mail as a line of the spool. The names are a file format: a spool outlives an upgrade. */
interface SpooledMail {
  id: string
  receivedAt: number
  doors: InboundAddress[]
  /** Base64. */
  raw: string
}

/** True if a line of a spool file is a mail: anyone may have put the file there. */
function isSpooledMail(value: unknown): value is SpooledMail {
  return isJsonObject(value) && typeof value['raw'] === 'string' && Array.isArray(value['doors'])
}

const SPOOL_LIMIT_BYTES = 256 * 1024 * 1024
const REPLAY_INTERVAL_MS = 500
const MAX_INGEST_TRIES = 4

interface WriterState {
  options: MailWriterOptions
  spool: DiskSpool
  isUnavailable: boolean
  isClosing: boolean
}

/** Opens the spool of the data directory; mails spooled earlier are stored as soon as the database answers. */
export async function startMailWriter(options: MailWriterOptions): Promise<MailWriter> {
  const spool = await openDiskSpool(join(options.dataDir, 'spool', 'mail'), options.spoolLimit ?? SPOOL_LIMIT_BYTES)
  const state: WriterState = { options, spool, isUnavailable: false, isClosing: false }
  const stopReplaying = runEvery(REPLAY_INTERVAL_MS, () => replaySpool(state))
  return {
    write: (mail) => writeMail(state, mail),
    spooled: () => spool.size(),
    async close() {
      state.isClosing = true
      await stopReplaying()
      await spool.close()
    },
  }
}

async function writeMail(state: WriterState, mail: ReceivedMail): Promise<(MailIngestOutcome | 'spooled')[]> {
  const storedOutcomes = state.isUnavailable ? undefined : await tryToStore(state, mail)
  if (storedOutcomes) return storedOutcomes
  const { id, receivedAt, addresses, raw } = mail
  const line: SpooledMail = { id, receivedAt, doors: [...addresses], raw: raw.toString('base64') }
  if (!(await state.spool.append([line]))) throw new Error('the mail spool is full')
  return ['spooled']
}

/** The outcomes of a mail; undefined when the database is unavailable. Stored twice it counts once: every event has its key. */
async function tryToStore(state: WriterState, mail: ReceivedMail): Promise<MailIngestOutcome[] | undefined> {
  let failureCause: unknown
  try {
    const outcomes = await resolveWithin(ingestWithRetries(state.options, mail), TRACKING_DB_TIMEOUT_MS, undefined)
    if (outcomes) {
      state.isUnavailable = false
      return outcomes
    }
  } catch (error) {
    if (!isUnavailableError(error)) throw error
    failureCause = error
  }
  if (!state.isUnavailable) state.options.log.warn({ err: failureCause }, 'database unavailable: spooling mail')
  state.isUnavailable = true
  return undefined
}

async function ingestWithRetries(ingestion: MailIngestContext, mail: ReceivedMail): Promise<MailIngestOutcome[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ingestMail(ingestion, mail)
    } catch (error) {
      if (!isTransientDbError(error) || attempt === MAX_INGEST_TRIES) throw error
    }
  }
}

/** Stores the spooled mails, file by file, if the database answers. */
async function replaySpool(state: WriterState): Promise<void> {
  const { spool, options } = state
  if (state.isUnavailable && !(await isDatabaseResponding(options.db))) return
  try {
    // A database that answers may still refuse writes: it counts as available once mail is stored.
    for (const file of await spool.finished()) if (!(await replaySpoolFile(state, file))) return
    state.isUnavailable = false
  } catch (error) {
    options.log.error({ err: error }, 'cannot store spooled mail')
  }
}

/** Stores the mails of a spool file, in order; false when it must be retried. A file with anything else in it is set aside. */
async function replaySpoolFile(state: WriterState, file: string): Promise<boolean> {
  const { spool, options } = state
  const { records: lines, fault } = await spool.read(file, isSpooledMail)
  for (const { raw, doors: spooledAddresses, ...line } of lines) {
    if (state.isClosing) return false
    const mail = { ...line, addresses: spooledAddresses, raw: Buffer.from(raw, 'base64') }
    const outcomes = await tryToStore(state, mail).catch((error) => storeFailedMail(options, mail, error))
    if (!outcomes) return false
    options.replayed?.(outcomes)
  }
  if (fault === undefined) await spool.remove(file)
  else {
    await spool.setAside(file)
    options.log.error({ file, fault, mails: lines.length }, 'spool file of mail set aside')
  }
  options.log.info({ mails: lines.length }, 'spooled mail stored')
  return true
}

/** A mail that was accepted and cannot be stored is kept for operators: its sender will not repeat it. */
async function storeFailedMail(
  { db, log }: MailWriterOptions,
  mail: ReceivedMail,
  error: unknown,
): Promise<MailIngestOutcome[]> {
  log.error({ err: error, mail: mail.id }, 'cannot store accepted mail: retained for operators')
  const { id, receivedAt, raw } = mail
  await storeUnmatchedReport(db, { id, receivedAt, route: 'mail', kind: 'failed', content: raw })
  return ['unmatched']
}
