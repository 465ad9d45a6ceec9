import type { Static, TSchema } from 'typebox'
import { families } from '../../../channels/families.ts'
import type { Stamp } from '../../../channels/message.ts'
import { notification } from '../../../channels/push/facts.ts'
import { rcs } from '../../../channels/rcs/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFound, Problem } from '../../../lib/errors/problem.ts'
import { readActionId } from '../../../lib/ids.ts'
import type { SourceKind } from '../../../lib/sources.ts'
import type { SendRequest } from '../../../sending/plan/request-sends.ts'
import type { CompiledTemplates } from '../../actions/content/override-versions.ts'
import { prepareItem, type SendAsker } from '../../actions/execution/execution-items.ts'
import { gatherItems, type ItemsRequest, templatesOf } from '../../actions/execution/executions.ts'
import { type AskedItem, ExecutionItem, type ExecutionResult } from '../../actions/execution/item-schemas.ts'
import { rcsRequest } from '../../actions/rcs/executions.ts'
import { RcsExecutionItem } from '../../actions/rcs/rcs-item-schemas.ts'
import type { ActionRef } from '../../actions/resource/action-repository.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { PushItem, type PushResult } from '../../notifications/item-schemas.ts'
import { askedItems } from '../../notifications/sends/executions.ts'
import { type PreparedPushes, preparePushes, pushSends, type SendContext } from '../../notifications/sends/sends.ts'
import { readItem } from '../reads/read-item.ts'

/** A send that a node or a script asks for, by an action, RCS action or notification. */
export interface AskedSend {
  account: AccountId
  source: SourceKind
  /** Id on the wire of an action; number of anything else. */
  id: string | number
  /** Of an execution; its stamp is that beside it. */
  item: Readonly<Record<string, unknown>>
  stamp: Readonly<Record<string, unknown>> & Pick<Stamp, 'id'>
  asker: SendAsker
  /** What was made ready before the transaction. */
  prepared?: unknown
}

/** A message to be requested, or why there is none. */
export type MadeSend =
  | { type: 'message'; send: SendRequest; contact: FoundContact | null }
  | Extract<ExecutionResult | PushResult, { type: 'error' }>

/** A notification is not any more as it was when its sends were prepared. */
export class NotificationChanged extends Error {}

/**
 * How what is sent is made ready before the transaction, and made in it. All sends are of one account, source and id; answers are in
 * their order.
 */
export interface SendSource {
  /** Throws NotificationChanged. */
  prepare(asked: readonly AskedSend[]): Promise<unknown[]>
  /** Throws NotificationChanged. */
  make(tx: Db, asked: readonly AskedSend[], now: number): Promise<(MadeSend | Problem)[]>
}

export type SendSources = Readonly<Record<SourceKind, SendSource>>

/** Problems of one item, which say nothing of others. */
const isOfItem = ({ status, kind }: Problem): boolean =>
  status === 400 || kind === 'content-fixed' || kind === 'fallback-refused'

/** Answers requests of one source together; where an item is wrong each by itself. */
async function together<T>(
  asked: readonly AskedSend[],
  answer: (asked: readonly AskedSend[]) => Promise<readonly T[]>,
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
function itemOf<Schema extends TSchema>(schema: Schema, { item, stamp }: AskedSend): Static<Schema> {
  return readItem(schema, { ...item, stamp })
}

function actionRef({ account, source, id: given }: AskedSend): ActionRef {
  const family = source === rcs.sourceKind ? families.rcs : families.action
  const id = typeof given === 'number' ? given : readActionId(given)
  if (id === undefined) throw notFound(family.title, given)
  return { family, account, id }
}

type ReadItems = (db: Db, ref: ActionRef, asked: readonly AskedSend[]) => Promise<ItemsRequest<AskedItem>>

/** Sends by actions of one family. */
function actionSource(context: SendContext, read: ReadItems): SendSource {
  const { config } = context
  const compiled = async (asked: readonly AskedSend[]): Promise<CompiledTemplates[]> => {
    const ref = actionRef(asked[0]!)
    const templates = await templatesOf(context, ref, await read(context.db, ref, asked))
    return asked.map(() => templates)
  }
  /** Most items bring nothing: all that speaks against those is found in the transaction. */
  const bringsContent = ({ item }: AskedSend) => item['content'] != null || item['fallback'] !== undefined
  return {
    async prepare(asked) {
      const bringing = asked.filter(bringsContent)
      const answers = bringing.length > 0 ? await together(bringing, compiled) : []
      return asked.map((one) => (bringsContent(one) ? answers[bringing.indexOf(one)] : undefined))
    },
    make: (tx, asked, now) =>
      together(asked, async (own): Promise<MadeSend[]> => {
        const ref = actionRef(own[0]!)
        const request = await read(tx, ref, own)
        const templates = new Map(own.flatMap(({ prepared }) => [...((prepared as CompiledTemplates) ?? [])]))
        const { batch, given } = await gatherItems(tx, { clock: { now: () => now }, config }, ref, {
          ...request,
          compiled: templates,
        })
        return given.map((one, index) => prepareItem({ ...one, asker: own[index]!.asker }, batch))
      }),
  }
}

interface PreparedPush {
  pushes: PreparedPushes
  item: PushItem
}

/** Sends of notifications: what they are sent with is found before the transaction, which finds whether it is still so. */
function notificationSource(context: SendContext): SendSource {
  const prepared = async (asked: readonly AskedSend[]): Promise<PreparedPush[]> => {
    const [{ account, id }] = asked as readonly [AskedSend]
    const items = asked.map((one) => itemOf(PushItem, one))
    if (!Number.isInteger(Number(id))) throw notFound(notification.title, id)
    const pushes = await preparePushes(context, { account, id: Number(id) }, askedItems(items, asked.length > 1))
    if (!pushes) throw new NotificationChanged(`the notification ${id} is being changed`)
    return items.map((item) => ({ pushes, item }))
  }
  return {
    prepare: (asked) => together(asked, prepared),
    async make(tx, asked, now) {
      const answers = new Map<AskedSend, MadeSend | Problem>()
      const preparedOf = ({ prepared: own }: AskedSend) => own as PreparedPush
      for (const [pushes, own] of Map.groupBy(asked, (one) => preparedOf(one).pushes)) {
        const askers = new Map(own.map((one) => [preparedOf(one).item, one.asker]))
        const made = await together(own, async (group) => {
          const found = await pushSends(tx, pushes, { now, askerOf: (item) => askers.get(item) })
          if (!found) throw new NotificationChanged(`the notification ${pushes.row.id} was changed`)
          const byItem = new Map(pushes.items.map(({ item }, index) => [item, found[index]!]))
          return group.map((one): MadeSend => byItem.get(preparedOf(one).item)!)
        })
        for (const [index, one] of own.entries()) answers.set(one, made[index]!)
      }
      return asked.map((one) => answers.get(one)!)
    },
  }
}

/** What nodes and scripts send by. */
export function openSendSources(context: SendContext): SendSources {
  return {
    action: actionSource(context, async (_, __, asked) => ({
      items: asked.map((one) => itemOf(ExecutionItem, one)),
      isList: asked.length > 1,
      channel: undefined,
    })),
    rcs: actionSource(context, (db, ref, asked) =>
      rcsRequest(db, ref, {
        items: asked.map((one) => itemOf(RcsExecutionItem, one)),
        isList: asked.length > 1,
      }),
    ),
    notification: notificationSource(context),
  }
}
