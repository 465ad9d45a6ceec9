import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { advanceActions } from '../../../src/features/actions/execution/advance.ts'
import { runActionTest } from '../../../src/features/actions/validation/test-run.ts'
import { openArchiveStore } from '../../../src/features/archives/archive-place.ts'
import { runDueJobs, type TaskHandlers } from '../../../src/jobs/runner.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { createOutboundPolicy } from '../../../src/lib/net/guarded-client.ts'
import { planCampaign } from '../../../src/sending/plan/plan-campaign.ts'
import { openSenderCache } from '../../../src/sending/prepare/sender-cache.ts'
import { openSenderSigningKeys } from '../../../src/sending/prepare/signing-keys.ts'
import type { MessageOutcome } from '../../../src/sending/record/outcome.ts'
import { startSenderJournal } from '../../../src/sending/recover/journal.ts'
import { sendMessageBatch } from '../../../src/sending/senders/sender.ts'
import type { SenderContext } from '../../../src/sending/senders/sender-context.ts'
import { createRecordingGateway, type RecordingGateway } from '../../fakes/web/recording-gateway.ts'
import type { Harness } from '../harness.ts'

export interface TestSender {
  sender: SenderContext
  /** Where every message goes. */
  gateway: RecordingGateway
  recorded: MessageOutcome[]
  /** Claims and sends whatever is due, lane by lane, until nothing is; gives how many messages were claimed. */
  sendDue(): Promise<number>
  /** Runs jobs, transitions of actions and sending in turns, until nothing changes any more. */
  settle(): Promise<void>
}

/** A sender within the test, on the harness's database and clock, whose gateway keeps what it is given. */
export function startTestSender({ context, dataDir }: Pick<Harness, 'context' | 'dataDir'>): TestSender {
  const { db, clock, log, tokens } = context
  const gateway = createRecordingGateway()
  const stopping = new AbortController()
  const recorded: MessageOutcome[] = []
  const id = randomUUID()
  const sender: SenderContext = {
    id,
    db,
    clock,
    log,
    tokens,
    signal: stopping.signal,
    gateways: { gatewayOf: async () => gateway, named: async () => undefined, close: async () => undefined },
    journal: startSenderJournal(dataDir, id),
    archives: openArchiveStore(context.config),
    cache: openSenderCache(db, clock),
    signing: openSenderSigningKeys(context),
    reach: createOutboundPolicy(context.config.outgoingAllow),
    observe: (outcomes) => recorded.push(...outcomes),
  }
  const tasks: Partial<TaskHandlers> = {
    'actions.test': (payload) => runActionTest(context, payload),
    'campaigns.plan': (payload) => planCampaign(context, payload),
  }
  after(() => stopping.abort())
  async function sendDue(): Promise<number> {
    let total = 0
    for (let claimed = 1; claimed > 0; total += claimed) {
      claimed = 0
      for (const lane of Object.values(outboxLanes)) claimed += await sendMessageBatch(sender, lane, 500)
    }
    return total
  }
  return {
    sender,
    gateway,
    recorded,
    sendDue,
    async settle() {
      for (let moved = 1; moved > 0; ) {
        await runDueJobs(context.pool, log, tasks)
        moved = await sendDue()
        await advanceActions(context)
        moved +=
          (
            await context.pool.query(
              `select from graphile_worker.jobs
               where run_at <= now() and attempts < max_attempts and task_identifier = any($1)`,
              [Object.keys(tasks)],
            )
          ).rowCount ?? 0
      }
    },
  }
}
