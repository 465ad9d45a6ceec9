import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import type { ScriptingObject } from '../scripting-object.ts'
import { createScriptSecretSealer } from '../secrets.ts'
import type { ScriptFetchPolicy } from './fetcher.ts'

/** Creates the policy of the scripts and nodes of an object: the hosts that they may call, and their secrets. */
export function createScriptFetchPolicy(
  masterKeys: MasterKeys,
  { account, scripting }: { account: AccountId; scripting: ScriptingObject },
): ScriptFetchPolicy {
  const { http, secrets = {} } = scripting.environment
  const { open: openSecret } = createScriptSecretSealer(masterKeys, account)
  const openedSecrets = Object.entries(secrets).map(([name, sealed]) => [name, openSecret(name, sealed)] as const)
  return { account, allow: http?.allow ?? [], secrets: new Map(openedSecrets) }
}
