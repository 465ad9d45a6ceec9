import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { ServiceConfig } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { MAX_OVERDUE_ROWS, type OverdueRows } from '../../database/rows/overdue-rows.ts'
import { countOverdueEvents } from '../../features/listeners/overdue-events.ts'
import { countOverdueJobs } from '../../jobs/overdue-jobs.ts'
import { isQuarantinedSpoolFile } from '../../lib/files/spool.ts'
import {
  countConnectedSenders,
  countHeldMessages,
  countOverdueMessages,
} from '../../sending/recover/overdue-messages.ts'
import type { DoctorFinding } from './finding.ts'

/** Work that is due at once and is still not done after this time is stuck. */
const OVERDUE_MS = 600_000
/** The longest time that the mail listener may take to send its greeting. */
const GREETING_TIMEOUT_MS = 5000

/** The input of the checks: the database and configuration to examine, and the time of the check. */
interface WorkCheckContext {
  config: ServiceConfig
  db: Db
  now: Date
}

const formatOverdueRows = ({ n, seconds }: OverdueRows, rowsDescription: string): string =>
  `${rowsDescription}: ${n >= MAX_OVERDUE_ROWS ? `${MAX_OVERDUE_ROWS.toLocaleString('en')} or more` : n.toLocaleString('en')}, the oldest for ${Math.round(seconds / 60)} min`

/** Checks that a sender is running and picks up due messages. */
async function checkSending({ db, now }: WorkCheckContext): Promise<DoctorFinding> {
  const overdueMessages = await countOverdueMessages(db, { now, overdueMs: OVERDUE_MS })
  const senderCount = await countConnectedSenders(db)
  const senderText = `${senderCount} ${senderCount === 1 ? 'sender is' : 'senders are'} running`
  return {
    subject: 'sending',
    ok: overdueMessages.n === 0,
    seen: `${senderText}; ${overdueMessages.n === 0 ? 'nothing is overdue' : formatOverdueRows(overdueMessages, 'due messages not attempted')}`,
    advice: 'Start a process with the role sender, or check its log.',
  }
}

async function checkHeldMessages({ db }: WorkCheckContext): Promise<DoctorFinding> {
  const { n, accounts } = await countHeldMessages(db)
  return {
    subject: 'held',
    ok: n === 0,
    seen: n === 0 ? 'nothing' : `messages with an unknown outcome in ${accounts}: ${n}`,
    advice:
      'Send or drop them with /settings/sending/held (see "Recovery after a crash" in docs/operations/recovery.md).',
  }
}

/** The size and the age of what waits on the disk below a folder of the data directory. */
async function measureSpoolFolder(folder: string, now: Date): Promise<{ bytes: number; oldestMs: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && !isQuarantinedSpoolFile(entry.name))
  // A file may be stored and removed meanwhile.
  const fileStats = (
    await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => undefined)))
  )
    .filter((fileStat) => fileStat !== undefined)
    .filter(({ size }) => size > 0)
  return {
    bytes: fileStats.reduce((sum, { size }) => sum + size, 0),
    oldestMs: Math.max(0, ...fileStats.map(({ mtimeMs }) => now.getTime() - mtimeMs)),
  }
}

/**
 * Checks for backlogs that grow because nobody processes them: events for webhooks, workflows and other consumers, jobs, and spooled data
 * that waits for the database.
 */
async function checkBacklogs({ config, db, now }: WorkCheckContext): Promise<DoctorFinding[]> {
  const overdueLimits = { now, overdueMs: OVERDUE_MS }
  const [overdueEvents, overdueJobs] = [
    await countOverdueEvents(db, overdueLimits),
    await countOverdueJobs(db, overdueLimits),
  ]
  const { bytes, oldestMs } = await measureSpoolFolder(join(config.dataDir, 'spool'), now)
  const backlogTexts = [
    ...(overdueEvents.n === 0
      ? []
      : [formatOverdueRows(overdueEvents, 'events waiting for webhooks, workflows or other consumers')]),
    ...(overdueJobs.n === 0 ? [] : [formatOverdueRows(overdueJobs, 'jobs waiting')]),
    ...(oldestMs < OVERDUE_MS ? [] : [`hits and emails waiting on disk: ${Math.ceil(bytes / 1024)} KiB`]),
  ]
  const advice = 'Start a process with the role jobs, or check its log.'
  if (backlogTexts.length === 0) return [{ subject: 'backlog', ok: true, seen: 'nothing' }]
  return backlogTexts.map((backlogText) => ({ subject: 'backlog', ok: false, seen: backlogText, advice }))
}

/** The first line that the mail listener sends; undefined if no listener answers. */
async function readSmtpGreeting({ smtpInHost, smtpInPort }: ServiceConfig): Promise<string | undefined> {
  const socket = connect(smtpInPort, smtpInHost)
  try {
    const [greetingBytes] = await once(socket, 'data', { signal: AbortSignal.timeout(GREETING_TIMEOUT_MS) })
    return String(greetingBytes).split('\r\n', 1)[0]
  } catch {
    return undefined
  } finally {
    socket.on('error', () => undefined).destroy()
  }
}

/** Checks that the listener of bounces and complaints answers, if a service runs. */
async function checkMailListener(config: ServiceConfig, isServing: boolean): Promise<DoctorFinding> {
  const listenerAddress = `${config.smtpInHost}:${config.smtpInPort}`
  const subject = 'receiving'
  if (!isServing) return { subject, ok: true, seen: 'not checked: no service is running here' }
  if (config.smtpInPort === 0) return { subject, ok: true, seen: 'not checked: the listener uses any free port' }
  const greetingLine = await readSmtpGreeting(config)
  const isGreeted = greetingLine?.startsWith('220') === true
  const faultText = greetingLine === undefined ? 'no listener responds' : `the listener responds "${greetingLine}"`
  return {
    subject,
    ok: isGreeted,
    seen: isGreeted ? `the listener accepts email at ${listenerAddress}` : `${faultText} at ${listenerAddress}`,
    advice: 'Start a process with the role inbound here, or check where it runs.',
  }
}

/** Checks the first questions of operators: can it send, can it receive (if a service runs), is anything held, is anything growing. */
export async function checkServiceWork(place: WorkCheckContext, isServing: boolean): Promise<DoctorFinding[]> {
  return [
    await checkSending(place),
    await checkMailListener(place.config, isServing),
    await checkHeldMessages(place),
    ...(await checkBacklogs(place)),
  ]
}
