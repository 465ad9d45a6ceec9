import { access, constants } from 'node:fs/promises'
import type { ServiceConfig } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { createPassableFolder } from '../../database/embedded/account.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { readFreeDiskBytes } from '../../lib/files/free-bytes.ts'
import { loadMachineId } from '../../lib/machine-id.ts'
import { formatCount } from '../../lib/text/nouns.ts'
import { DAY_MS } from '../../lib/time/spans.ts'
import { type DiskSample, findOldestDiskSample } from '../../sending/senders/disk-samples.ts'
import type { DoctorFinding } from './finding.ts'

const MIN_FREE_BYTES = 2 * 1024 ** 3
const WEEK_DAYS = 7
/** A shorter time says nothing of a week: nights differ from days. */
const MIN_SAMPLE_SPAN_MS = DAY_MS

const formatGibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

/** Checks that the data directory is writable and its disk has free space. */
export async function checkDiskSpace({ dataDir }: ServiceConfig): Promise<DoctorFinding> {
  const subject = 'disk'
  try {
    await createPassableFolder(dataDir)
    await access(dataDir, constants.W_OK)
    const freeDiskBytes = await readFreeDiskBytes(dataDir)
    return {
      subject,
      ok: freeDiskBytes >= MIN_FREE_BYTES,
      seen: `${formatGibibytes(freeDiskBytes)} free in ${dataDir}`,
      advice: 'Free some space, or move STENTOR_DATA_DIR to a larger disk.',
    }
  } catch (error) {
    return {
      subject,
      ok: false,
      seen: formatErrorReason(error),
      advice: 'Set STENTOR_DATA_DIR to a writable directory.',
    }
  }
}

/** Checks that a disk that fills at the rate since a sample lasts another week. Returns undefined before there is a day of data. */
export function forecastDiskUsage(oldestSample: DiskSample | undefined, now: DiskSample): DoctorFinding | undefined {
  const sampleSpanMs = oldestSample ? now.takenAt.getTime() - oldestSample.takenAt.getTime() : 0
  if (!oldestSample || sampleSpanMs < MIN_SAMPLE_SPAN_MS) return undefined
  const sampleDays = sampleSpanMs / DAY_MS
  const usedBytes = oldestSample.freeBytes - now.freeBytes
  const daysLeft = usedBytes > 0 ? now.freeBytes / (usedBytes / sampleDays) : Number.POSITIVE_INFINITY
  const periodText = Math.round(sampleDays) === 1 ? 'the last day' : `the last ${Math.round(sampleDays)} days`
  const forecastText =
    usedBytes > 0
      ? `${formatGibibytes(usedBytes)} used in ${periodText}; at that rate, it is full in ${formatCount(Math.floor(daysLeft), 'day')}`
      : `nothing used in ${periodText}`
  return {
    subject: 'disk forecast',
    ok: daysLeft >= WEEK_DAYS,
    seen: forecastText,
    advice:
      'Free some space, retain less (STENTOR_AUDIT_DAYS, STENTOR_RUN_DAYS), or move STENTOR_DATA_DIR to a larger disk.',
  }
}

/** Checks that the disk of the data directory lasts another week. */
export async function checkDiskForecast({ dataDir }: ServiceConfig, db: Db, now: Date): Promise<DoctorFinding[]> {
  const oldestSample = await findOldestDiskSample(db, loadMachineId(dataDir), now)
  const finding = forecastDiskUsage(oldestSample, { takenAt: now, freeBytes: await readFreeDiskBytes(dataDir) })
  return finding ? [finding] : []
}
