import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import type { ScriptingObject } from '../scripting-object.ts'
import { createScriptSecretSealer } from '../secrets.ts'
import type { ScriptFetchPolicy } from './fetcher.ts'

/** What the scripts and nodes of an object may call, and with which secrets. */
export function createScriptFetchPolicy(
  masterKeys: MasterKeys,
  { account, scripting }: { account: AccountId; scripting: ScriptingObject },
): ScriptFetchPolicy {
  const { http, secrets = {} } = scripting.environment
  const { open } = createScriptSecretSealer(masterKeys, account)
  const opened = Object.entries(secrets).map(([name, sealed]) => [name, open(name, sealed)] as const)
  return { account, allow: http?.allow ?? [], secrets: new Map(opened) }
}
