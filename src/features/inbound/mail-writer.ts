import { join } from 'node:path'
import type { Logger } from 'pino'
import { isPassing } from '../../database/errors.ts'
import { runEvery } from '../../lib/run-every.ts'
import { openSpool, type Spool } from '../../lib/spool.ts'
import { DATABASE_TIMEOUT_MS, isResponding, isServiceUnavailable, valueWithin } from '../tracking/unavailable.ts'
import type { Door } from './doors.ts'
import { type Ingestion, ingest, type Outcome, type ReceivedMail } from './ingest.ts'
import { keepUnmatched } from './unmatched.ts'

/** Stores what mails report before they are accepted; while the database is away the mails themselves, on the disk. */
export interface MailWriter {
  /** Resolves when the mail is taken care of, with what became of it. Rejects when neither the database nor the disk takes it. */
  write(mail: ReceivedMail): Promise<(Outcome | 'spooled')[]>
  /** Bytes on the disk that wait for the database. */
  spooled(): number
  close(): Promise<void>
}

export interface MailWriterOptions extends Ingestion {
  dataDir: string
  log: Logger
  /** Bytes that the spool may take. */
  spoolLimit?: number
  /** Told of what became of spooled mails. */
  replayed?(outcomes: readonly Outcome[]): void
}

/** A mail as a line of the spool. */
interface SpooledMail {
  id: string
  receivedAt: number
  doors: Door[]
  /** Base64. */
  raw: string
}

const SPOOL_LIMIT_BYTES = 256 * 1024 * 1024
const REPLAY_INTERVAL_MS = 500
const MOST_TRIES = 4

interface WriterState {
  options: MailWriterOptions
  spool: Spool
  isUnavailable: boolean
  isClosing: boolean
}

/** Opens the spool of the data directory; what an earlier process left there is stored as soon as the database answers. */
export async function startMailWriter(options: MailWriterOptions): Promise<MailWriter> {
  const spool = await openSpool(join(options.dataDir, 'spool', 'mail'), options.spoolLimit ?? SPOOL_LIMIT_BYTES)
  const state: WriterState = { options, spool, isUnavailable: false, isClosing: false }
  const stopReplaying = runEvery(REPLAY_INTERVAL_MS, () => replayAll(state))
  return {
    write: (mail) => write(state, mail),
    spooled: () => spool.size(),
    async close() {
      state.isClosing = true
      await stopReplaying()
      await spool.close()
    },
  }
}

async function write(state: WriterState, mail: ReceivedMail): Promise<(Outcome | 'spooled')[]> {
  const stored = state.isUnavailable ? undefined : await tryToStore(state, mail)
  if (stored) return stored
  const { id, receivedAt, doors, raw } = mail
  const line: SpooledMail = { id, receivedAt, doors: [...doors], raw: raw.toString('base64') }
  if (!(await state.spool.append([line]))) throw new Error('the spool of mail is full')
  return ['spooled']
}

/** What became of the mail; undefined when the database is away. Stored twice it counts once: every event has its key. */
async function tryToStore(state: WriterState, mail: ReceivedMail): Promise<Outcome[] | undefined> {
  let cause: unknown
  try {
    const outcomes = await valueWithin(storeAfterTries(state.options, mail), DATABASE_TIMEOUT_MS, undefined)
    if (outcomes) {
      state.isUnavailable = false
      return outcomes
    }
  } catch (error) {
    if (!isServiceUnavailable(error)) throw error
    cause = error
  }
  if (!state.isUnavailable) state.options.log.warn({ err: cause }, 'database unavailable: mail goes to the spool')
  state.isUnavailable = true
  return undefined
}

async function storeAfterTries(ingestion: Ingestion, mail: ReceivedMail): Promise<Outcome[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await ingest(ingestion, mail)
    } catch (error) {
      if (!isPassing(error) || tries === MOST_TRIES) throw error
    }
  }
}

/** Stores what the spool holds, file by file, if the database answers. */
async function replayAll(state: WriterState): Promise<void> {
  const { spool, options } = state
  if (state.isUnavailable && !(await isResponding(options.db))) return
  try {
    // A database that answers may still refuse to write: the first mail that it takes tells.
    for (const file of await spool.finished()) if (!(await replay(state, file))) return
    state.isUnavailable = false
  } catch (error) {
    options.log.error({ err: error }, 'the spool of mail cannot be stored')
  }
}

/** Stores what a file holds, in order; false when that must be tried again. */
async function replay(state: WriterState, file: string): Promise<boolean> {
  const { spool, options } = state
  const lines = (await spool.read(file)) as SpooledMail[]
  for (const { raw, ...line } of lines) {
    if (state.isClosing) return false
    const mail = { ...line, raw: Buffer.from(raw, 'base64') }
    const outcomes = await tryToStore(state, mail).catch((error) => setAside(options, mail, error))
    if (!outcomes) return false
    options.replayed?.(outcomes)
  }
  await spool.remove(file)
  options.log.info({ mails: lines.length }, 'the mails of a spool file are stored')
  return true
}

/** A mail that was accepted and cannot be stored is kept for operators: nobody sends it again. */
async function setAside({ db, log }: MailWriterOptions, mail: ReceivedMail, error: unknown): Promise<Outcome[]> {
  log.error({ err: error, mail: mail.id }, 'an accepted mail cannot be stored')
  const { id, receivedAt, raw } = mail
  await keepUnmatched(db, { id, receivedAt, door: 'mail', kind: 'failed', content: raw })
  return ['unmatched']
}
