import type { Logger } from 'pino'
import type { Db } from '../../database/connection/connect.ts'
import type { ArchiveStore } from '../../features/archives/archive-store.ts'
import type { AccountTokenKeys } from '../../lib/crypto/tokens.ts'
import type { OutboundPolicy } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { GatewayRegistry } from '../gateway-registry/gateway-registry.ts'
import type { BatchTracing } from '../prepare/batch-spans.ts'
import type { SenderCache } from '../prepare/sender-cache.ts'
import type { SenderSigningKeys } from '../prepare/signing-keys.ts'
import type { MessageOutcome } from '../record/outcome.ts'
import type { MessageHolder } from '../record/record-outcomes.ts'
import type { SenderJournal } from '../recover/journal.ts'

/** One sender: what it works with, and the name its claims carry. */
export interface SenderContext extends BatchTracing {
  id: string
  db: Db
  clock: Clock
  log: Logger
  tokens: AccountTokenKeys
  gateways: GatewayRegistry
  journal: SenderJournal
  archives: ArchiveStore
  cache: SenderCache
  signing: SenderSigningKeys
  /** Channels that create and classify messages, if not those of the service. */
  channels?: MessageHolder['channels']
  /** Kinds of reservations that messages make, if not those of the service. */
  reservations?: MessageHolder['reservations']
  /** Policy of the addresses that attachments may be fetched from. */
  reach: OutboundPolicy
  /** Aborted when the sender is to end. */
  signal: AbortSignal
  /** Called with every outcome that was recorded, for the metrics. */
  observe(outcomes: readonly MessageOutcome[]): void
}
