import type { Static, TSchema } from 'typebox'
import { actionFamilies } from '../../../channels/families.ts'
import type { MessageStamp } from '../../../channels/message.ts'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
import { rcsChannelTraits } from '../../../channels/rcs/facts.ts'
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
  /** Of an execution; its stamp is that beside it. */
  item: Readonly<Record<string, unknown>>
  stamp: Readonly<Record<string, unknown>> & Pick<MessageStamp, 'id'>
  asker: SendRequester
  /** What was made ready before the transaction. */
  prepared?: unknown
}

/** A message to be requested, or why there is none. */
export type ComposedSend =
  | { type: 'message'; send: SendRequest; contact: FoundContact | null }
  | Extract<ActionExecutionResult | PushResult, { type: 'error' }>

/** A notification is not any more as it was when its sends were prepared. */
export class NotificationChangedError extends Error {}

/**
 * How what is sent is made ready before the transaction, and made in it. All sends are of one account, source and id; answers are in
 * their order.
 */
export interface ScriptSendSource {
  /** Throws NotificationChangedError. */
  prepare(asked: readonly RequestedSend[]): Promise<unknown[]>
  /** Throws NotificationChangedError. */
  make(tx: Db, asked: readonly RequestedSend[], now: number): Promise<(ComposedSend | Problem)[]>
}

export type ScriptSendSources = Readonly<Record<SentSourceKind, ScriptSendSource>>

/** Problems of one item, which say nothing of others. */
const isOfItem = ({ status, kind }: Problem): boolean =>
  status === 400 || kind === 'content-fixed' || kind === 'fallback-refused'

/** Answers requests of one source together; where an item is wrong each by itself. */
async function together<T>(
  asked: readonly RequestedSend[],
  answer: (asked: readonly RequestedSend[]) => Promise<readonly T[]>,
): Promise<(T | Problem)[]> {
  try {
    return [...(await answer(asked))]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (asked.length === 1 || !isOfItem(error)) return asked.map(() => error)
    const answers: (T | Problem)[] = []
    for (const one of asked) answers.push(...(await together([one], answer)))
    return answers
  }
}

/** The item that is asked for, with its stamp. Throws 400 for what is none. */
function itemOf<Schema extends TSchema>(schema: Schema, { item, stamp }: RequestedSend): Static<Schema> {
  return parseScriptItem(schema, { ...item, stamp })
}

function actionRef({ account, source, id: given }: RequestedSend): ActionRef {
  const family = source === rcsChannelTraits.sourceKind ? actionFamilies.rcs : actionFamilies.action
  const id = typeof given === 'number' ? given : parseActionId(given)
  if (id === undefined) throw notFoundProblem(family.title, given)
  return { family, account, id }
}

type ReadItems = (db: Db, ref: ActionRef, asked: readonly RequestedSend[]) => Promise<ActionItemsRequest<RequestedItem>>

/** Sends by actions of one family. */
function actionSource(context: PushSendContext, read: ReadItems): ScriptSendSource {
  const { config } = context
  const compiled = async (asked: readonly RequestedSend[]): Promise<CompiledTemplateOverrides[]> => {
    const ref = actionRef(asked[0]!)
    const templates = await compileItemTemplates(context, ref, await read(context.db, ref, asked))
    return asked.map(() => templates)
  }
  /** Most items bring nothing: all that speaks against those is found in the transaction. */
  const bringsContent = ({ item }: RequestedSend) => item['content'] != null || item['fallback'] !== undefined
  return {
    async prepare(asked) {
      const bringing = asked.filter(bringsContent)
      const answers = bringing.length > 0 ? await together(bringing, compiled) : []
      return asked.map((one) => (bringsContent(one) ? answers[bringing.indexOf(one)] : undefined))
    },
    make: (tx, asked, now) =>
      together(asked, async (own): Promise<ComposedSend[]> => {
        const ref = actionRef(own[0]!)
        const request = await read(tx, ref, own)
        const templates = new Map(own.flatMap(({ prepared }) => [...((prepared as CompiledTemplateOverrides) ?? [])]))
        const { batch, given } = await resolveExecution(tx, { clock: { now: () => now }, config }, ref, {
          ...request,
          compiled: templates,
        })
        return given.map((one, index) => prepareExecutionItem({ ...one, asker: own[index]!.asker }, batch))
      }),
  }
}

interface PreparedPush {
  pushes: PreparedPushes
  item: PushItem
}

/** Sends of notifications: what they are sent with is found before the transaction, which finds whether it is still so. */
function notificationSource(context: PushSendContext): ScriptSendSource {
  const prepared = async (asked: readonly RequestedSend[]): Promise<PreparedPush[]> => {
    const [{ account, id }] = asked as readonly [RequestedSend]
    const items = asked.map((one) => itemOf(PushItem, one))
    if (!Number.isInteger(Number(id))) throw notFoundProblem(pushChannelTraits.title, id)
    const pushes = await preparePushes(context, { account, id: Number(id) }, toRequestedPushes(items, asked.length > 1))
    if (!pushes) throw new NotificationChangedError(`the notification ${id} is being changed`)
    return items.map((item) => ({ pushes, item }))
  }
  return {
    prepare: (asked) => together(asked, prepared),
    async make(tx, asked, now) {
      const answers = new Map<RequestedSend, ComposedSend | Problem>()
      const preparedOf = ({ prepared: own }: RequestedSend) => own as PreparedPush
      for (const [pushes, own] of Map.groupBy(asked, (one) => preparedOf(one).pushes)) {
        const askers = new Map(own.map((one) => [preparedOf(one).item, one.asker]))
        const made = await together(own, async (group) => {
          const found = await buildPushSends(tx, pushes, { now, askerOf: (item) => askers.get(item) })
          if (!found) throw new NotificationChangedError(`the notification ${pushes.row.id} was changed`)
          const byItem = new Map(pushes.items.map(({ item }, index) => [item, found[index]!]))
          return group.map((one): ComposedSend => byItem.get(preparedOf(one).item)!)
        })
        for (const [index, one] of own.entries()) answers.set(one, made[index]!)
      }
      return asked.map((one) => answers.get(one)!)
    },
  }
}

/** What nodes and scripts send by. */
export function openScriptSendSources(context: PushSendContext): ScriptSendSources {
  return {
    action: actionSource(context, async (_, __, asked) => ({
      items: asked.map((one) => itemOf(ActionExecutionItem, one)),
      isList: asked.length > 1,
      channel: undefined,
    })),
    rcs: actionSource(context, (db, ref, asked) =>
      readRcsExecution(db, ref, {
        items: asked.map((one) => itemOf(RcsExecutionItem, one)),
        isList: asked.length > 1,
      }),
    ),
    notification: notificationSource(context),
  }
}
