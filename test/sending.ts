import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { startJournal } from '../src/features/messages/journal.ts'
import { openMaterials } from '../src/features/messages/materials.ts'
import { lanes } from '../src/features/messages/outbox.ts'
import type { Outcome } from '../src/features/messages/record.ts'
import { type Sender, sendBatch } from '../src/features/messages/sender.ts'
import { createRecordingGateway, type RecordingGateway } from './fakes/recording-gateway.ts'
import type { Harness } from './harness.ts'

export interface TestSender {
  sender: Sender
  /** Where every message goes. */
  gateway: RecordingGateway
  recorded: Outcome[]
  /** Claims and sends whatever is due, lane by lane, until nothing is; gives how many messages were claimed. */
  sendDue(): Promise<number>
}

/** A sender within the test, on the harness's database and clock, whose gateway keeps what it is given. */
export function startTestSender({ context, dataDir }: Pick<Harness, 'context' | 'dataDir'>): TestSender {
  const { db, clock, log, tokens } = context
  const gateway = createRecordingGateway()
  const stopping = new AbortController()
  const recorded: Outcome[] = []
  const id = randomUUID()
  const sender: Sender = {
    id,
    db,
    clock,
    log,
    tokens,
    signal: stopping.signal,
    gateways: { gatewayOf: async () => gateway, close: async () => undefined },
    journal: startJournal(dataDir, id),
    materials: openMaterials(db, clock),
    observe: (outcomes) => recorded.push(...outcomes),
  }
  after(() => stopping.abort())
  return {
    sender,
    gateway,
    recorded,
    async sendDue() {
      let total = 0
      for (;;) {
        let claimed = 0
        for (const lane of Object.values(lanes)) claimed += await sendBatch(sender, lane, 500)
        if (claimed === 0) return total
        total += claimed
      }
    },
  }
}
