import type { Logger } from 'pino'
import type { Db } from '../../../database/connection/connect.ts'
import type { Tracing } from '../../../lib/telemetry/tracing.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { ScriptFetcher } from '../../../scripting/fetch/fetcher.ts'
import type { Sandbox } from '../../../scripting/sandbox/sandbox.ts'
import type { ScriptHostContext } from '../../script-host/context.ts'
import type { WebtaskRunRecorder } from '../../webtasks/executions/records.ts'
import type { EffectHandlers } from '../run-stepper/effect-handlers.ts'
import type { AccountScopeCache } from './account-scopes.ts'
import type { ReadyDefinitionCache } from './definition-cache.ts'
import type { RunContact, RunContactKey } from './run-contacts.ts'

/** Dependencies of the workflow engine within a process. */
export interface WorkflowEngineContext {
  db: Db
  clock: Clock
  log: Logger
  sandbox: Sandbox
  /** Host that answers and applies the calls of scripts. */
  host: ScriptHostContext
  /** Recorder of webtask runs. */
  records: WebtaskRunRecorder
  definitions: ReadyDefinitionCache
  performers: EffectHandlers
  /** Handlers for scripts and compilables of nodes that are only previewed, with another fetcher for calls to servers. */
  shown(fetcher: ScriptFetcher): Required<Pick<EffectHandlers['calls'], 'script' | 'pipeline'>>
  accounts: AccountScopeCache
  /** Destination of spans; nothing is traced if it is absent. */
  tracing?: Tracing | undefined
  /** Contacts as they are, in the order of the keys. */
  contacts(db: Db, keys: readonly RunContactKey[]): Promise<(RunContact | null)[]>
}
