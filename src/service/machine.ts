import { hostname } from 'node:os'
import type { ServiceContext } from '../context.ts'
import { readFreeDiskBytes } from '../lib/files/free-bytes.ts'
import { loadMachineId } from '../lib/machine-id.ts'
import type { ClockStepWatch } from '../lib/time/clock-steps.ts'
import { runEvery } from '../lib/time/run-every.ts'
import { recordDiskSample } from '../sending/senders/disk-samples.ts'
import {
  listOtherMachines,
  recordSenderMachine,
  recordUntrustedProxy,
  type SenderMachine,
} from '../sending/senders/machines.ts'

/** How often a process says that its machine is alive, and after how long without a word it counts as gone. */
const HEARTBEAT_MS = 15_000
const GONE_MS = 60_000

type Parts = Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>

const machineOf = ({ config: { dataDir } }: Parts): SenderMachine => ({
  ...{ id: loadMachineId(dataDir), host: hostname(), directory: dataDir },
})

async function warnOfUnshared({ db, clock, config, log }: Parts, id: string): Promise<void> {
  if (config.archives) return
  const [other] = await listOtherMachines(db, id, new Date(clock.now() - GONE_MS))
  if (!other) return
  log.warn(
    { other },
    'Another machine works on this database with a data directory of its own, and STENTOR_ARCHIVES is not set: neither finds the archives, media, uploads and exports of the other.',
  )
}

/**
 * Makes this machine known to the database as long as the process runs, and warns of another one that shares no files
 * with it; `steps` learns what its clock says. Gives what ends it.
 */
export async function startMachineHeartbeat(parts: Parts, steps: ClockStepWatch): Promise<() => Promise<void>> {
  const { db, clock, log } = parts
  const machine = machineOf(parts)
  await warnOfUnshared(parts, machine.id)
  const sampleDisk = diskSampler(parts, machine.id)
  return runEvery(HEARTBEAT_MS, async () => {
    const [wall, at] = [clock.now(), performance.now()]
    steps.sample('machine', { wall, asked: at, answered: at })
    try {
      await recordSenderMachine(db, machine, new Date(wall))
      await sampleDisk()
    } catch (error) {
      log.warn({ err: error }, 'could not say that this machine is alive')
    }
  })
}

/** Returns what records once a day how much of the disk is free. */
function diskSampler({ db, clock, config }: Parts, machine: string): () => Promise<void> {
  let sampledOn = ''
  return async () => {
    const takenAt = new Date(clock.now())
    const day = takenAt.toISOString().slice(0, 10)
    if (day === sampledOn) return
    await recordDiskSample(db, machine, { takenAt, freeBytes: await readFreeDiskBytes(config.dataDir) })
    sampledOn = day
  }
}

/** Returns the reporter of untrusted proxies: a warning in the log for the first, and a finding for `doctor` and the console's home page. */
export function createProxyReporter(parts: Parts): (address: string) => void {
  const { db, clock, log } = parts
  let isKnown = false
  return (address) => {
    if (!isKnown)
      log.warn(
        { address },
        'an untrusted address sends X-Forwarded-For: if it is your proxy, add it to STENTOR_TRUSTED_PROXIES; until then all visitors share its address',
      )
    isKnown = true
    recordUntrustedProxy(db, machineOf(parts), address, new Date(clock.now())).catch((error) =>
      log.warn({ err: error }, 'recording an untrusted proxy failed'),
    )
  }
}
