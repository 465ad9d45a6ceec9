import type { MasterKeys } from '../../../../../lib/tokens.ts'
import type { FetchPolicy } from '../../../fetch/fetcher.ts'
import { secretsOf } from '../../../secrets.ts'
import type { ReadyDefinition } from '../definition.ts'
import type { Visit } from '../step.ts'

/** What names a visit for whoever is called by it: ASCII, whatever the node is called. */
export function visitKey({ run, node, visit }: Pick<Visit, 'run' | 'node' | 'visit'>): string {
  return `${run}:${encodeURIComponent(node.toWellFormed())}:${visit}`
}

/** What the nodes of a definition may call, and with which secrets. */
export function policyOf(masterKeys: MasterKeys, { account, scripting }: ReadyDefinition): FetchPolicy {
  const { http, secrets = {} } = scripting.environment
  const { open } = secretsOf(masterKeys, account)
  const opened = Object.entries(secrets).map(([name, sealed]) => [name, open(name, sealed)] as const)
  return { account, allow: http?.allow ?? [], secrets: new Map(opened) }
}
