import { access, constants } from 'node:fs/promises'
import type { ServiceConfig } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { createPassableFolder } from '../../database/embedded/account.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { readFreeDiskBytes } from '../../lib/files/free-bytes.ts'
import { loadMachineId } from '../../lib/machine-id.ts'
import { DAY_MS } from '../../lib/time/spans.ts'
import { type DiskSample, findOldestDiskSample } from '../../sending/senders/disk-samples.ts'
import type { DoctorFinding } from './finding.ts'

const MIN_FREE_BYTES = 2 * 1024 ** 3
const WEEK_DAYS = 7
/** A shorter time says nothing of a week: nights differ from days. */
const MIN_SEEN_MS = DAY_MS

const gibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

/** Whether the data directory can be written, and its disk has room. */
export async function checkDiskSpace({ dataDir }: ServiceConfig): Promise<DoctorFinding> {
  const subject = 'disk'
  try {
    await createPassableFolder(dataDir)
    await access(dataDir, constants.W_OK)
    const free = await readFreeDiskBytes(dataDir)
    return {
      ...{ subject, ok: free >= MIN_FREE_BYTES, seen: `${gibibytes(free)} free in ${dataDir}` },
      advice: 'Free some space, or set STENTOR_DATA_DIR to a larger disk.',
    }
  } catch (error) {
    return {
      ...{ subject, ok: false, seen: formatErrorReason(error) },
      advice: 'Set STENTOR_DATA_DIR to a directory that can be written.',
    }
  }
}

/** Whether a disk that fills as it did since a sample lasts another week; undefined before there is a day to judge by. */
export function forecastDiskUsage(before: DiskSample | undefined, now: DiskSample): DoctorFinding | undefined {
  const seenMs = before ? now.takenAt.getTime() - before.takenAt.getTime() : 0
  if (!before || seenMs < MIN_SEEN_MS) return undefined
  const days = seenMs / DAY_MS
  const filled = before.freeBytes - now.freeBytes
  const left = filled > 0 ? now.freeBytes / (filled / days) : Number.POSITIVE_INFINITY
  const period = `the last ${Math.round(days)} ${Math.round(days) === 1 ? 'day' : 'days'}`
  const seen =
    filled > 0
      ? `${gibibytes(filled)} were taken in ${period}: at that rate it lasts ${Math.floor(left)} days`
      : `nothing was taken in ${period}`
  return {
    ...{ subject: 'disk of next week', ok: left >= WEEK_DAYS, seen },
    advice:
      'Free some space, keep less (STENTOR_AUDIT_DAYS, STENTOR_RUN_DAYS), or set STENTOR_DATA_DIR to a larger disk.',
  }
}

/** Whether the disk of the data directory lasts another week. */
export async function checkDiskForecast({ dataDir }: ServiceConfig, db: Db, now: Date): Promise<DoctorFinding[]> {
  const before = await findOldestDiskSample(db, loadMachineId(dataDir), now)
  const finding = forecastDiskUsage(before, { takenAt: now, freeBytes: await readFreeDiskBytes(dataDir) })
  return finding ? [finding] : []
}
