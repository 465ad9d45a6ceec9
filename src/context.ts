import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { ServiceConfig } from './config.ts'
import type { Db } from './database/connection/connect.ts'
import type { DesignCompiler } from './features/designs/compiler.ts'
import type { PasswordHasher } from './features/people/sign-in/passwords.ts'
import type { PhoneCapabilityLookup } from './features/rcs-profiles/lookup.ts'
import type { RenderPool } from './features/rendering/render-pool.ts'
import type { AccountTokenKeys, MasterKeys } from './lib/crypto/tokens.ts'
import type { Tracing } from './lib/telemetry/tracing.ts'
import type { Clock } from './lib/time/clock.ts'
import type { Sandbox } from './scripting/sandbox/sandbox.ts'

/** The dependencies of every part of the program, built once in main.ts or by a test. */
export interface ServiceContext {
  db: Db
  pool: Pool
  config: ServiceConfig
  log: Logger
  clock: Clock
  masterKeys: MasterKeys
  /** Signs and reads the tokens of links, derived from the master keys. */
  tokens: AccountTokenKeys
  renders: RenderPool
  /** Makes HTML of designs. */
  designs: DesignCompiler
  /** Runs what authors write. */
  sandbox: Sandbox
  /** Asks providers of RCS about a phone; absent: the gateway does. */
  askCapability?: PhoneCapabilityLookup
  /** Hashes passwords; absent: at the cost that people's passwords have. */
  passwords?: PasswordHasher
  /** The destination of spans; absent if nothing is traced. */
  tracing?: Tracing | undefined
  /** The folder of console builds; absent means the folder that scripts/setup.js writes to. */
  consoleBuilds?: string
}
