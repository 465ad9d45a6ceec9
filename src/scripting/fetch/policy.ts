import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import type { Scripting } from '../scripting-object.ts'
import { secretsOf } from '../secrets.ts'
import type { FetchPolicy } from './fetcher.ts'

/** What the scripts and nodes of an object may call, and with which secrets. */
export function policyOf(
  masterKeys: MasterKeys,
  { account, scripting }: { account: AccountId; scripting: Scripting },
): FetchPolicy {
  const { http, secrets = {} } = scripting.environment
  const { open } = secretsOf(masterKeys, account)
  const opened = Object.entries(secrets).map(([name, sealed]) => [name, open(name, sealed)] as const)
  return { account, allow: http?.allow ?? [], secrets: new Map(opened) }
}
