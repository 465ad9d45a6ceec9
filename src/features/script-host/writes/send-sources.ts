import type { Static, TSchema } from 'typebox'
import { findActionFamily } from '../../../channels/action-families.ts'
import type { MessageStamp } from '../../../channels/message.ts'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { parseActionId } from '../../../lib/ids.ts'
import type { SentSourceKind } from '../../../lib/sources.ts'
import type { SendRequest } from '../../../sending/plan/request-sends.ts'
import type { CompiledTemplateOverrides } from '../../actions/content/override-versions.ts'
import { prepareExecutionItem, type SendRequester } from '../../actions/execution/execution-items.ts'
import { type ActionItemsRequest, compileItemTemplates, resolveExecution } from '../../actions/execution/executions.ts'
import {
  ActionExecutionItem,
  type ActionExecutionResult,
  type RequestedItem,
} from '../../actions/execution/item-schemas.ts'
import { readRcsExecution } from '../../actions/rcs/executions.ts'
import { RcsExecutionItem } from '../../actions/rcs/rcs-item-schemas.ts'
import type { ActionRef } from '../../actions/resource/action-repository.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { PushItem, type PushResult } from '../../notifications/item-schemas.ts'
import { toRequestedPushes } from '../../notifications/sends/executions.ts'
import {
  buildPushSends,
  type PreparedPushes,
  type PushSendContext,
  preparePushes,
} from '../../notifications/sends/sends.ts'
import { parseScriptItem } from '../reads/read-item.ts'

/** A send that a node or a script asks for, by an action, RCS action or notification. */
export interface RequestedSend {
  account: AccountId
  source: SentSourceKind
  /** Id on the wire of an action; number of anything else. */
  id: string | number
  /** Item of an execution, without its stamp, which is in `stamp`. */
  item: Readonly<Record<string, unknown>>
  stamp: Readonly<Record<string, unknown>> & Pick<MessageStamp, 'id'>
  asker: SendRequester
  /** Value that was prepared before the transaction. */
  prepared?: unknown
}

/** Message to request, or the reason why there is none. */
export type ComposedSend =
  | { type: 'message'; send: SendRequest; contact: FoundContact | null }
  | Extract<ActionExecutionResult | PushResult, { type: 'error' }>

/** A notification is not any more as it was when its sends were prepared. */
export class NotificationChangedError extends Error {}

/**
 * Prepares sends before the transaction and composes them in it. All sends have the same account, source and id; results are in the order
 * of the sends.
 */
export interface ScriptSendSource {
  /** True if `make` needs values from `prepare`, which also finds the contacts. */
  requiresPrepared: boolean
  /** Throws NotificationChangedError. */
  prepare(requestedSends: readonly RequestedSend[]): Promise<unknown[]>
  /** Throws NotificationChangedError. */
  make(tx: Db, requestedSends: readonly RequestedSend[], now: number): Promise<(ComposedSend | Problem)[]>
}

export type ScriptSendSources = Readonly<Record<SentSourceKind, ScriptSendSource>>

/** Problems of one item, which say nothing of others. */
const isItemProblem = ({ status, kind }: Problem): boolean =>
  status === 400 || kind === 'content-fixed' || kind === 'fallback-refused'

/** Answers requests of one source together; where an item is wrong each by itself. */
async function answerInBatch<T>(
  requestedSends: readonly RequestedSend[],
  answer: (asked: readonly RequestedSend[]) => Promise<readonly T[]>,
): Promise<(T | Problem)[]> {
  try {
    return [...(await answer(requestedSends))]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (requestedSends.length === 1 || !isItemProblem(error)) return requestedSends.map(() => error)
    const results: (T | Problem)[] = []
    for (const requestedSend of requestedSends) results.push(...(await answerInBatch([requestedSend], answer)))
    return results
  }
}

/** Parses the requested item with its stamp. Throws a 400 Problem for an invalid item. */
function parseStampedItem<Schema extends TSchema>(schema: Schema, { item, stamp }: RequestedSend): Static<Schema> {
  return parseScriptItem(schema, { ...item, stamp })
}

function resolveActionRef({ account, source, id: rawActionId }: RequestedSend): ActionRef {
  const actionFamily = findActionFamily(source)
  if (!actionFamily) throw new Error(`no action sends a ${source}`)
  const id = typeof rawActionId === 'number' ? rawActionId : parseActionId(rawActionId)
  if (id === undefined) throw notFoundProblem(actionFamily.title, rawActionId)
  return { family: actionFamily, account, id }
}

type ReadActionItems = (
  db: Db,
  ref: ActionRef,
  requestedSends: readonly RequestedSend[],
) => Promise<ActionItemsRequest<RequestedItem>>

/** Sends by actions of one family. */
function createActionSource(context: PushSendContext, readItems: ReadActionItems): ScriptSendSource {
  const { config } = context
  const compileTemplates = async (requestedSends: readonly RequestedSend[]): Promise<CompiledTemplateOverrides[]> => {
    const ref = resolveActionRef(requestedSends[0]!)
    const templates = await compileItemTemplates(context, ref, await readItems(context.db, ref, requestedSends))
    return requestedSends.map(() => templates)
  }
  /** Most items bring nothing: all that speaks against those is found in the transaction. */
  const bringsContent = ({ item }: RequestedSend) => item['content'] != null || item['fallback'] !== undefined
  return {
    requiresPrepared: false,
    async prepare(requestedSends) {
      const contentRequests = requestedSends.filter(bringsContent)
      const compiledTemplates = contentRequests.length > 0 ? await answerInBatch(contentRequests, compileTemplates) : []
      return requestedSends.map((requestedSend) =>
        bringsContent(requestedSend) ? compiledTemplates[contentRequests.indexOf(requestedSend)] : undefined,
      )
    },
    make: (tx, requestedSends, now) =>
      answerInBatch(requestedSends, async (sendGroup): Promise<ComposedSend[]> => {
        const ref = resolveActionRef(sendGroup[0]!)
        const request = await readItems(tx, ref, sendGroup)
        const templates = new Map(
          sendGroup.flatMap(({ prepared }) => [...((prepared as CompiledTemplateOverrides) ?? [])]),
        )
        const { batch, given: resolvedItems } = await resolveExecution(tx, { clock: { now: () => now }, config }, ref, {
          ...request,
          compiled: templates,
        })
        return resolvedItems.map((executionItem, index) =>
          prepareExecutionItem({ ...executionItem, asker: sendGroup[index]!.asker }, batch),
        )
      }),
  }
}

interface PreparedPush {
  pushes: PreparedPushes
  item: PushItem
}

/** Sends of notifications: what they are sent with is found before the transaction, which finds whether it is still so. */
function createPushSource(context: PushSendContext): ScriptSendSource {
  const preparePushBatch = async (requestedSends: readonly RequestedSend[]): Promise<PreparedPush[]> => {
    const [{ account, id }] = requestedSends as readonly [RequestedSend]
    const items = requestedSends.map((requestedSend) => parseStampedItem(PushItem, requestedSend))
    if (!Number.isInteger(Number(id))) throw notFoundProblem(pushChannelTraits.title, id)
    const pushes = await preparePushes(
      context,
      { account, id: Number(id) },
      toRequestedPushes(items, requestedSends.length > 1),
    )
    if (!pushes) throw new NotificationChangedError(`the notification ${id} is being changed`)
    return items.map((item) => ({ pushes, item }))
  }
  return {
    requiresPrepared: true,
    prepare: (requestedSends) => answerInBatch(requestedSends, preparePushBatch),
    async make(tx, requestedSends, now) {
      const composedSends = new Map<RequestedSend, ComposedSend | Problem>()
      const preparedOf = ({ prepared: preparedPush }: RequestedSend) => preparedPush as PreparedPush
      for (const [pushes, sendGroup] of Map.groupBy(
        requestedSends,
        (executionItem) => preparedOf(executionItem).pushes,
      )) {
        const askers = new Map(sendGroup.map((executionItem) => [preparedOf(executionItem).item, executionItem.asker]))
        const groupSends = await answerInBatch(sendGroup, async (group) => {
          const pushSends = await buildPushSends(tx, pushes, { now, askerOf: (item) => askers.get(item) })
          if (!pushSends) throw new NotificationChangedError(`the notification ${pushes.row.id} was changed`)
          const sendsByItem = new Map(pushes.items.map(({ item }, index) => [item, pushSends[index]!]))
          return group.map((executionItem): ComposedSend => sendsByItem.get(preparedOf(executionItem).item)!)
        })
        for (const [index, executionItem] of sendGroup.entries()) composedSends.set(executionItem, groupSends[index]!)
      }
      return requestedSends.map((executionItem) => composedSends.get(executionItem)!)
    },
  }
}

/** Opens the send sources of workflow nodes and scripts. */
export function openScriptSendSources(context: PushSendContext): ScriptSendSources {
  return {
    action: createActionSource(context, async (_, __, requestedSends) => ({
      items: requestedSends.map((requestedSend) => parseStampedItem(ActionExecutionItem, requestedSend)),
      isList: requestedSends.length > 1,
      channel: undefined,
    })),
    rcs: createActionSource(context, (db, ref, requestedSends) =>
      readRcsExecution(db, ref, {
        items: requestedSends.map((requestedSend) => parseStampedItem(RcsExecutionItem, requestedSend)),
        isList: requestedSends.length > 1,
      }),
    ),
    notification: createPushSource(context),
  }
}
