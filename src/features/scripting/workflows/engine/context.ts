import type { Logger } from 'pino'
import type { Db } from '../../../../database/connection/connect.ts'
import type { Tracing } from '../../../../lib/telemetry/tracing.ts'
import type { Clock } from '../../../../lib/time/clock.ts'
import type { Fetcher } from '../../fetch/fetcher.ts'
import type { HostContext } from '../../host/context.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { RunRecords } from '../../webtasks/records.ts'
import type { Accounts } from './accounts.ts'
import type { ContactKey, ReadContact } from './contacts.ts'
import type { Definitions } from './definitions.ts'
import type { Performers } from './performers.ts'

/** What the engine works with in a process. */
export interface EngineContext {
  db: Db
  clock: Clock
  log: Logger
  sandbox: Sandbox
  /** What answers and applies what scripts call. */
  host: HostContext
  /** Where runs of webtasks are kept. */
  records: RunRecords
  definitions: Definitions
  performers: Performers
  /** Who runs scripts and compilables of nodes that only show what they would do, with another way to call servers. */
  shown(fetcher: Fetcher): Required<Pick<Performers['calls'], 'script' | 'pipeline'>>
  accounts: Accounts
  /** Where spans go; absent: nothing is traced. */
  tracing?: Tracing | undefined
  /** Contacts as they are, in the order of the keys. */
  contacts(db: Db, keys: readonly ContactKey[]): Promise<(ReadContact | null)[]>
}
