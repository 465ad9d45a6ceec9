import type { Context } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { reachOf } from '../../lib/net/guarded-client.ts'
import { createFetcher, type Fetcher } from '../../scripting/fetch/fetcher.ts'
import { openSenderCache, type SenderCache } from '../../sending/prepare/sender-cache.ts'
import { type Shapes, shapeCache } from '../contacts/values/stored-shape.ts'
import type { SendContext } from '../notifications/sends/sends.ts'
import { type ContactIds, openContactIds } from './reads/contact-ids.ts'
import { openSendSources, type SendSources } from './writes/send-sources.ts'

/**
 * Executes a compilable for a script and gives its value. `depth`: 1 where no compilable executes it. Throws HostError or Problem: the
 * script is given their words.
 */
export type ExecuteCompilable = (
  db: Db,
  asked: { account: AccountId; id: string; arguments: Readonly<Record<string, unknown>>; depth: number },
) => Promise<unknown>

/** An execution of a workflow that a script asked for. */
export interface WorkflowExecution {
  account: AccountId
  workflow: number
  /** An item of an execution. */
  item: Readonly<Record<string, unknown>>
  /** The id that the script was given. */
  id: string
  /** Of the run that is started. */
  depth: number
}

/** Starts a run for a script, or has an open one go on, in the transaction of its writes. Throws Problem. */
export type ExecuteWorkflow = (tx: Db, asked: WorkflowExecution) => Promise<void>

/** What rooms beside this one do for scripts. */
export interface HostPorts {
  executeCompilable: ExecuteCompilable
  executeWorkflow: ExecuteWorkflow
}

/** What the functions of scripts work with in a process. */
export interface HostContext extends SendContext, Pick<Context, 'masterKeys'>, HostPorts {
  fetcher: Fetcher
  cache: SenderCache
  shapes: Shapes
  contactIds: ContactIds
  sends: SendSources
}

/** What the functions of scripts work with. */
export function openHost(context: SendContext & Pick<Context, 'masterKeys'>, ports: HostPorts): HostContext {
  const { db, clock, config, log, renders, tokens, masterKeys } = context
  return {
    ...{ db, clock, config, log, renders, tokens, masterKeys, ...ports },
    fetcher: createFetcher(reachOf(config.outgoingAllow)),
    cache: openSenderCache(db, clock),
    shapes: shapeCache(),
    contactIds: openContactIds(db),
    sends: openSendSources(context),
  }
}
