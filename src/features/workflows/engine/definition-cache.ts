import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ScriptEvaluators } from '../../../scripting/script-port.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import type { WorkflowDefinition } from '../definition/workflow-definition.ts'
import { type PrepareDefinitionContext, prepareDefinition } from './prepare-definition.ts'
import type { ReadyDefinition, WorkflowVersionKey } from './ready-definition.ts'

/** Versions of workflows, ready to be run; those that are used often are kept. */
export interface ReadyDefinitionCache {
  /** Reads versions together; gives how to get each. Undefined: it is gone. */
  load(db: Db, keys: readonly WorkflowVersionKey[]): Promise<(key: WorkflowVersionKey) => ReadyDefinition | undefined>
  /** Makes a definition ready that is not stored, or not as it is. */
  compile(db: Db, key: WorkflowVersionKey, definition: WorkflowDefinition): Promise<ReadyDefinition>
}

const MAX_CACHED_VERSIONS = 500

const formatVersionKey = ({ account, workflow, version }: WorkflowVersionKey): string =>
  `${account} ${workflow} ${version}`

/** Opens the definitions of all workflows. A version never changes; what it is compiled with is that of its first use. */
export function openReadyDefinitionCache({ scripts }: { scripts: ScriptEvaluators }): ReadyDefinitionCache {
  const definitionCache = new LRUCache<string, ReadyDefinition>({ max: MAX_CACHED_VERSIONS })

  async function loadVersions(db: Db, keys: readonly WorkflowVersionKey[]): Promise<void> {
    const { rows } = await sql<WorkflowVersionKey & { definition: WorkflowDefinition }>`
      select v.account, v.workflow, v.version, v.definition
      from unnest(${keys.map(({ account }) => account)}::integer[], ${keys.map(({ workflow }) => workflow)}::integer[],
        ${keys.map(({ version }) => version)}::integer[]) as k (account, workflow, version)
      join workflow_versions v using (account, workflow, version)`.execute(db)
    for (const [account, accountRows] of Map.groupBy(rows, (row) => row.account)) {
      const compiling = await readyContext(db, account)
      for (const { definition, ...key } of accountRows)
        definitionCache.set(formatVersionKey(key), prepareDefinition(key, definition, compiling))
    }
  }

  async function readyContext(db: Db, account: AccountId): Promise<PrepareDefinitionContext> {
    const { fields } = await loadContactDefinitions(db, account)
    const { culture } = await readSendingSettings(db, account)
    return { scripts: scripts(account), culture, fields: fields.map(({ id, name }) => ({ id, name })) }
  }

  return {
    compile: async (db, key, definition) => prepareDefinition(key, definition, await readyContext(db, key.account)),
    async load(db, keys) {
      const missingKeys = new Map(
        keys.filter((key) => !definitionCache.has(formatVersionKey(key))).map((key) => [formatVersionKey(key), key]),
      )
      if (missingKeys.size > 0) await loadVersions(db, [...missingKeys.values()])
      const definitionsByKey = new Map(
        keys.map((key) => [formatVersionKey(key), definitionCache.get(formatVersionKey(key))]),
      )
      return (key) => definitionsByKey.get(formatVersionKey(key)) ?? definitionCache.get(formatVersionKey(key))
    },
  }
}
