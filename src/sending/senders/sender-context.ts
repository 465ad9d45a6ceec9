import type { Logger } from 'pino'
import type { Db } from '../../database/connection/connect.ts'
import type { ArchiveStore } from '../../features/archives/archive-store.ts'
import type { TokenKeys } from '../../lib/crypto/tokens.ts'
import type { Reach } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { GatewayRegistry } from '../gateways/gateway-registry.ts'
import type { BatchTracing } from '../prepare/batch-spans.ts'
import type { SenderCache } from '../prepare/sender-cache.ts'
import type { SigningKeys } from '../prepare/signing-keys.ts'
import type { Outcome } from '../record/outcome.ts'
import type { Holder } from '../record/record-outcomes.ts'
import type { Journal } from '../recover/journal.ts'

/** One sender: what it works with, and the name its claims carry. */
export interface Sender extends BatchTracing {
  id: string
  db: Db
  clock: Clock
  log: Logger
  tokens: TokenKeys
  gateways: GatewayRegistry
  journal: Journal
  archives: ArchiveStore
  cache: SenderCache
  signing: SigningKeys
  /** What makes and judges messages, when it is not what the service has. */
  channels?: Holder['channels']
  /** What messages reserve places in, when it is not what the service has. */
  reservations?: Holder['reservations']
  /** Where attachments may be fetched from. */
  reach: Reach
  /** Aborted when the sender is to end. */
  signal: AbortSignal
  /** Called with every outcome that was recorded, for the metrics. */
  observe(outcomes: readonly Outcome[]): void
}
