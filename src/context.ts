import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './database/connection/connect.ts'
import type { Compiler } from './features/designs/compiler.ts'
import type { Passwords } from './features/people/sign-in/passwords.ts'
import type { AskCapability } from './features/rcs-profiles/lookup.ts'
import type { RenderPool } from './features/rendering/render-pool.ts'
import type { MasterKeys, TokenKeys } from './lib/crypto/tokens.ts'
import type { Tracing } from './lib/telemetry/tracing.ts'
import type { Clock } from './lib/time/clock.ts'
import type { Sandbox } from './scripting/sandbox/sandbox.ts'

/** What every part of the program is given; built once in main.ts, or by a test. */
export interface Context {
  db: Db
  pool: Pool
  config: Config
  log: Logger
  clock: Clock
  masterKeys: MasterKeys
  /** Signs and reads the tokens of links, derived from the master keys. */
  tokens: TokenKeys
  renders: RenderPool
  /** Makes HTML of designs. */
  designs: Compiler
  /** Runs what authors write. */
  sandbox: Sandbox
  /** Asks providers of RCS about a phone; absent: the gateway does. */
  askCapability?: AskCapability
  /** Hashes passwords; absent: at the cost that people's passwords have. */
  passwords?: Passwords
  /** Where spans go; absent: nothing is traced. */
  tracing?: Tracing | undefined
  /** Where builds of the console are; absent: where scripts/setup.js leaves them. */
  consoleBuilds?: string
}
