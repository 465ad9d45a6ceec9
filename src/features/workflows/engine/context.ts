import type { Logger } from 'pino'
import type { Db } from '../../../database/connection/connect.ts'
import type { Tracing } from '../../../lib/telemetry/tracing.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Fetcher } from '../../../scripting/fetch/fetcher.ts'
import type { Sandbox } from '../../../scripting/sandbox/sandbox.ts'
import type { HostContext } from '../../script-host/context.ts'
import type { RunRecords } from '../../webtasks/executions/records.ts'
import type { Performers } from '../stepping/effect-handlers.ts'
import type { Accounts } from './accounts.ts'
import type { Definitions } from './definitions.ts'
import type { ContactKey, ReadContact } from './run-contacts.ts'

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
