import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { loadChannel } from '../../../src/channels/load-channel.ts'
import { readConfig } from '../../../src/config.ts'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { openArchiveStore } from '../../../src/features/archives/archive-place.ts'
import type { MessageGateway, OutgoingMail, SendBatchListener } from '../../../src/gateways/gateway.ts'
import { createAccountTokenKeys } from '../../../src/lib/crypto/tokens.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { createOutboundPolicy } from '../../../src/lib/net/guarded-client.ts'
import { createLogger } from '../../../src/log.ts'
import { openSenderCache } from '../../../src/sending/prepare/sender-cache.ts'
import { openSenderSigningKeys } from '../../../src/sending/prepare/signing-keys.ts'
import { startSenderJournal } from '../../../src/sending/recover/journal.ts'
import { getSenderConnectionName, recoverDeadSenders } from '../../../src/sending/recover/recover-messages.ts'
import { sendMessageBatch } from '../../../src/sending/senders/sender.ts'
import type { SenderContext } from '../../../src/sending/senders/sender-context.ts'
import { createSenderName } from '../../../src/sending/senders/sender-names.ts'
import { DEVICES, mailToDevices, SECOND_GATEWAY } from '../push/devices.ts'
import { seeded } from '../scripts/seeded.ts'

/** What this sender is given, as JSON in its only argument. */
export interface DeliverySenderOptions {
  databaseUrl: string
  dataDir: string
  /** The file that the remote writes a line to for each delivery it takes. */
  arrivals: string
  isIdempotent: boolean
  /** The present, in milliseconds. */
  now: number
  seed: number
}

/** A step of one delivery, reported to the parent, which may kill this process at any of them. */
export type DeliveryStep = 'begun' | 'taken' | 'answered' | 'recorded'

const AT_ONCE = 6
const BATCH = 8
const MAX_PAUSE_MS = 3

const options: DeliverySenderOptions = JSON.parse(process.argv[2] ?? '{}')
const random = seeded(options.seed)
const pause = (): Promise<void> => delay(random() * MAX_PAUSE_MS)
const report = (step: DeliveryStep): void => void process.send?.(step)

/** Carries one delivery: what is written to the file has arrived, also when the process is killed before the answer. */
async function carry({ id, sequence = 0, envelope }: OutgoingMail, listener: SendBatchListener): Promise<void> {
  listener.beforeBody?.(sequence === 0 ? id : { id, sequence })
  report('begun')
  await pause()
  // Some are refused for now at first, so that messages are left with some of their deliveries.
  const isDeferred = random() < 0.15
  if (!isDeferred) appendFileSync(options.arrivals, `${envelope.to} ${sequence}\n`)
  report('taken')
  await pause()
  const common = { id, sequence, mta: 'device.test' }
  listener.outcome(
    isDeferred
      ? { ...common, result: 'deferred', stage: 'data', reply: 'later', retryAfterMs: 1 }
      : { ...common, result: 'accepted', reference: `r${sequence}`, reply: 'ok' },
  )
  report('answered')
}

function openGateway(name: string): MessageGateway {
  return {
    name,
    kind: 'test',
    channel: 'email',
    isIdempotent: options.isIdempotent,
    async send(batch, listener) {
      const underWay = new Set<Promise<void>>()
      let taken = 0
      for (const message of batch as Iterable<OutgoingMail>) {
        taken++
        const carried = carry(message, listener).finally(() => underWay.delete(carried))
        underWay.add(carried)
        if (underWay.size >= AT_ONCE) await Promise.race(underWay)
      }
      await Promise.all(underWay)
      return { taken }
    },
    check: async () => ({ ok: true, detail: '' }),
    close: async () => undefined,
  }
}

const config = readConfig({
  STENTOR_DATA_DIR: options.dataDir,
  STENTOR_PUBLIC_URL: 'https://stentor.example',
  STENTOR_LOG_LEVEL: 'silent',
})
const started = performance.now()
const clock = { now: () => options.now + Math.floor(performance.now() - started) }
const id = createSenderName()
const { db, close } = openDatabasePool(options.databaseUrl, { applicationName: getSenderConnectionName(id) })
const log = createLogger(config)
const masterKeys = [{ number: 0, key: randomBytes(32) }]
const channel = mailToDevices(await loadChannel('email'), () => DEVICES)
const [first, second] = [openGateway('first'), openGateway(SECOND_GATEWAY)]
const sender: SenderContext = {
  id,
  db,
  clock,
  log,
  tokens: createAccountTokenKeys(masterKeys),
  signal: new AbortController().signal,
  gateways: {
    gatewayOf: async () => first,
    named: async (_account, _channel, { key }) => (key === SECOND_GATEWAY ? second : undefined),
    close: async () => undefined,
  },
  journal: startSenderJournal(options.dataDir, id),
  archives: openArchiveStore(config),
  cache: openSenderCache(db, clock, async () => channel),
  channels: async () => new Map([['email' as const, channel]]),
  signing: openSenderSigningKeys({ db, masterKeys, clock, log }),
  reach: createOutboundPolicy(config.outgoingAllow),
  observe(outcomes) {
    for (let left = outcomes.length; left > 0; left--) report('recorded')
  },
}

await recoverDeadSenders({ ...sender, dataDir: options.dataDir })
for (let claimed = 1; claimed > 0; ) {
  claimed = await sendMessageBatch(sender, outboxLanes.transactional, BATCH)
  // What was refused for now is due again.
  if (claimed > 0) await delay(MAX_PAUSE_MS)
}
sender.journal.close()
await close()
process.disconnect?.()
