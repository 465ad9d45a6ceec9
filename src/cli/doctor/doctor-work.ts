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

/** What should be done at once, and is not after so long, stands still. */
const OVERDUE_MS = 600_000
/** How long the listener of mails may take to greet. */
const GREETING_MS = 5000

/** Where the work is, and when it is looked at. */
interface Place {
  config: ServiceConfig
  db: Db
  now: Date
}

const inWords = ({ n, seconds }: OverdueRows, what: string): string =>
  `${what}: ${n >= MAX_OVERDUE_ROWS ? `${MAX_OVERDUE_ROWS.toLocaleString('en')} or more` : n.toLocaleString('en')}, the oldest for ${Math.round(seconds / 60)} min`

/** Whether a sender is at work, and takes what is due. */
async function checkSending({ db, now }: Place): Promise<DoctorFinding> {
  const overdue = await countOverdueMessages(db, { now, overdueMs: OVERDUE_MS })
  const senders = await countConnectedSenders(db)
  const atWork = `${senders} ${senders === 1 ? 'sender is' : 'senders are'} at work`
  return {
    ...{ subject: 'sending', ok: overdue.n === 0 },
    seen: `${atWork}; ${overdue.n === 0 ? 'nothing is overdue' : inWords(overdue, 'messages that are due and were not tried')}`,
    advice: 'Let a process with the role sender run, and look at its log.',
  }
}

async function checkHeld({ db }: Place): Promise<DoctorFinding> {
  const { n, accounts } = await countHeldMessages(db)
  return {
    ...{ subject: 'held', ok: n === 0 },
    seen: n === 0 ? 'nothing' : `messages of ${accounts} of which it is not known whether they left: ${n}`,
    advice:
      'Decide: /settings/sending/held lists them, and sends or drops them ("When something is killed" in docs/operations.md).',
  }
}

/** The size and the age of what waits on the disk below a folder of the data directory. */
async function findSpooled(folder: string, now: Date): Promise<{ bytes: number; oldestMs: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && !isQuarantinedSpoolFile(entry.name))
  // A file may be stored and removed meanwhile.
  const stats = (
    await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => undefined)))
  )
    .filter((one) => one !== undefined)
    .filter(({ size }) => size > 0)
  return {
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    oldestMs: Math.max(0, ...stats.map(({ mtimeMs }) => now.getTime() - mtimeMs)),
  }
}

/** What grows as nobody takes it: events for webhooks, workflows and other consumers, jobs, and what the spool holds for the database. */
async function checkGrowing({ config, db, now }: Place): Promise<DoctorFinding[]> {
  const when = { now, overdueMs: OVERDUE_MS }
  const [events, jobs] = [await countOverdueEvents(db, when), await countOverdueJobs(db, when)]
  const { bytes, oldestMs } = await findSpooled(join(config.dataDir, 'spool'), now)
  const seen = [
    ...(events.n === 0 ? [] : [inWords(events, 'events that wait for webhooks, workflows or other consumers')]),
    ...(jobs.n === 0 ? [] : [inWords(jobs, 'jobs that wait')]),
    ...(oldestMs < OVERDUE_MS ? [] : [`hits and mails that wait on the disk: ${Math.ceil(bytes / 1024)} KiB`]),
  ]
  const advice = 'Let a process with the role jobs run, and look at its log.'
  if (seen.length === 0) return [{ subject: 'growing', ok: true, seen: 'nothing' }]
  return seen.map((one) => ({ subject: 'growing', ok: false, seen: one, advice }))
}

/** The first line that the listener of mails says; undefined when there is none. */
async function greetingOf({ smtpInHost, smtpInPort }: ServiceConfig): Promise<string | undefined> {
  const socket = connect(smtpInPort, smtpInHost)
  try {
    const [data] = await once(socket, 'data', { signal: AbortSignal.timeout(GREETING_MS) })
    return String(data).split('\r\n', 1)[0]
  } catch {
    return undefined
  } finally {
    socket.on('error', () => undefined).destroy()
  }
}

/** Whether the listener of bounces and complaints answers, where a service runs. */
async function checkReceiving(config: ServiceConfig, isServing: boolean): Promise<DoctorFinding> {
  const place = `${config.smtpInHost}:${config.smtpInPort}`
  const subject = 'receiving'
  if (!isServing) return { subject, ok: true, seen: 'not tried: no service runs here' }
  if (config.smtpInPort === 0) return { subject, ok: true, seen: 'not tried: the listener has any free port' }
  const greeting = await greetingOf(config)
  const ok = greeting?.startsWith('220') === true
  const refusal = greeting === undefined ? 'no listener answers' : `the listener says ${greeting}`
  return {
    ...{ subject, ok, seen: ok ? `mails are taken at ${place}` : `${refusal} at ${place}` },
    advice: 'Let a process with the role inbound run here, or ask where it runs.',
  }
}

/** What operators ask first: can it send, can it receive (where a service runs), is anything held, is anything growing. */
export async function checkServiceWork(place: Place, isServing: boolean): Promise<DoctorFinding[]> {
  return [
    await checkSending(place),
    await checkReceiving(place.config, isServing),
    await checkHeld(place),
    ...(await checkGrowing(place)),
  ]
}
