import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { createScriptFetcher, type ScriptFetcher } from '../../scripting/fetch/fetcher.ts'
import { openSenderCache, type SenderCache } from '../../sending/prepare/sender-cache.ts'
import { type ContactShapeLoader, createContactShapeCache } from '../contacts/values/stored-shape.ts'
import type { PushSendContext } from '../notifications/sends/sends.ts'
import { type ContactIdBlocks, createContactIdBlocks } from './reads/contact-ids.ts'
import { openScriptSendSources, type ScriptSendSources } from './writes/send-sources.ts'

/**
 * Executes a compilable for a script and gives its value. `depth`: 1 where no compilable executes it. Throws ScriptHostError or Problem: the
 * script is given their words.
 */
export type ExecuteCompilable = (
  db: Db,
  execution: { account: AccountId; id: string; arguments: Readonly<Record<string, unknown>>; depth: number },
) => Promise<unknown>

/** An execution of a workflow that a script asked for. */
export interface ScriptWorkflowExecution {
  account: AccountId
  workflow: number
  /** An item of an execution. */
  item: Readonly<Record<string, unknown>>
  /** The id that the script was given. */
  id: string
  /** Depth of the run that is started. */
  depth: number
}

/** Starts a run for a script, or has an open one go on, in the transaction of its writes. Throws Problem. */
export type ExecuteWorkflow = (tx: Db, execution: ScriptWorkflowExecution) => Promise<void>

/** Functions of other modules that scripts use through the host. */
export interface ScriptHostPorts {
  executeCompilable: ExecuteCompilable
  executeWorkflow: ExecuteWorkflow
}

/** Dependencies of script host functions within a process. */
export interface ScriptHostContext extends PushSendContext, Pick<ServiceContext, 'masterKeys'>, ScriptHostPorts {
  fetcher: ScriptFetcher
  cache: SenderCache
  shapes: ContactShapeLoader
  contactIds: ContactIdBlocks
  sends: ScriptSendSources
}

/** Opens the context that script host functions use. */
export function openScriptHost(
  context: PushSendContext & Pick<ServiceContext, 'masterKeys'>,
  ports: ScriptHostPorts,
): ScriptHostContext {
  const { db, clock, config, log, renders, tokens, masterKeys } = context
  return {
    db,
    clock,
    config,
    log,
    renders,
    tokens,
    masterKeys,
    ...ports,
    fetcher: createScriptFetcher(createOutboundPolicy(config.outgoingAllow)),
    cache: openSenderCache(db, clock),
    shapes: createContactShapeCache(),
    contactIds: createContactIdBlocks(db),
    sends: openScriptSendSources(context),
  }
}
