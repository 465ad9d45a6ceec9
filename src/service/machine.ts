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

/**
 * The interval at which a process reports that its machine is alive, and the time without a report after which the machine is considered
 * gone.
 */
const HEARTBEAT_INTERVAL_MS = 15_000
const MACHINE_TIMEOUT_MS = 60_000

type MachineContext = Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>

const describeMachine = ({ config: { dataDir } }: MachineContext): SenderMachine => ({
  id: loadMachineId(dataDir),
  host: hostname(),
  directory: dataDir,
})

async function warnOfUnsharedData({ db, clock, config, log }: MachineContext, id: string): Promise<void> {
  if (config.archives) return
  const [otherMachine] = await listOtherMachines(db, id, new Date(clock.now() - MACHINE_TIMEOUT_MS))
  if (!otherMachine) return
  log.warn(
    { other: otherMachine },
    'another machine uses this database with its own data directory, and STENTOR_ARCHIVES is not set: each machine lacks the archives, media, uploads and exports of the other',
  )
}

/**
 * Makes this machine known to the database as long as the process runs, and warns of another one that shares no files
 * with it; `steps` learns what its clock says. Gives what ends it.
 */
export async function startMachineHeartbeat(
  parts: MachineContext,
  steps: ClockStepWatch,
): Promise<() => Promise<void>> {
  const { db, clock, log } = parts
  const machine = describeMachine(parts)
  await warnOfUnsharedData(parts, machine.id)
  const sampleDisk = createDiskSampler(parts, machine.id)
  return runEvery(HEARTBEAT_INTERVAL_MS, async () => {
    const [wallMs, monotonicMs] = [clock.now(), performance.now()]
    steps.sample('machine', { wall: wallMs, asked: monotonicMs, answered: monotonicMs })
    try {
      await recordSenderMachine(db, machine, new Date(wallMs))
      await sampleDisk()
    } catch (error) {
      log.warn({ err: error }, 'heartbeat failed')
    }
  })
}

/** Returns what records once a day how much of the disk is free. */
function createDiskSampler({ db, clock, config }: MachineContext, machine: string): () => Promise<void> {
  let sampledOn = ''
  return async () => {
    const sampledAt = new Date(clock.now())
    const day = sampledAt.toISOString().slice(0, 10)
    if (day === sampledOn) return
    await recordDiskSample(db, machine, { takenAt: sampledAt, freeBytes: await readFreeDiskBytes(config.dataDir) })
    sampledOn = day
  }
}

/** Returns the reporter of untrusted proxies: a warning in the log for the first, and a finding for `doctor` and the console's home page. */
export function createProxyReporter(parts: MachineContext): (address: string) => void {
  const { db, clock, log } = parts
  let isReported = false
  return (address) => {
    if (!isReported)
      log.warn(
        { address },
        'untrusted address sends X-Forwarded-For: if it is your proxy, add it to STENTOR_TRUSTED_PROXIES; until then, all visitors appear to share its address',
      )
    isReported = true
    recordUntrustedProxy(db, describeMachine(parts), address, new Date(clock.now())).catch((error) =>
      log.warn({ err: error }, 'recording of an untrusted proxy failed'),
    )
  }
}
