import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { families } from '../../../../../channels/families.ts'
import { rcs } from '../../../../../channels/rcs/facts.ts'
import type { Db } from '../../../../../database/connect.ts'
import { readActionId } from '../../../../../lib/ids.ts'
import { invalid, notFound, Problem } from '../../../../../lib/problem.ts'
import type { SendRequest } from '../../../../../outbox/request-sends.ts'
import { prepareItem, type SendAsker } from '../../../../actions/execution-items.ts'
import { gatherItems, type ItemsRequest, templatesOf } from '../../../../actions/executions.ts'
import { type AskedItem, ExecutionItem, type ExecutionResult } from '../../../../actions/item-schemas.ts'
import type { CompiledTemplates } from '../../../../actions/override-versions.ts'
import type { ActionRef } from '../../../../actions/stored.ts'
import type { FoundContact } from '../../../../contacts/find.ts'
import { askedItems } from '../../../../notifications/executions.ts'
import { PushItem, type PushResult } from '../../../../notifications/item-schemas.ts'
import { type PreparedPushes, preparePushes, pushSends, type SendContext } from '../../../../notifications/sends.ts'
import { rcsRequest } from '../../../../rcs-actions/executions.ts'
import { RcsExecutionItem } from '../../../../rcs-actions/rcs-item-schemas.ts'
import { placesOf } from '../count-visit.ts'
import type { NodeRequest } from '../performers.ts'
import { visitId } from '../run.ts'
import { type SendAsk, StepFailure } from '../step.ts'
import { isTransient } from './transient.ts'

type SendNode = NodeRequest<'send'>

/** A message to be requested, or why there is none. */
export type MadeSend =
  | { type: 'message'; send: SendRequest; contact: FoundContact | null }
  | Extract<ExecutionResult | PushResult, { type: 'error' }>

/** How what is sent is made ready before the transaction, and made in it; answers are in the order of the requests. */
export interface SendSource {
  prepare(requests: readonly SendNode[]): Promise<unknown[]>
  make(tx: Db, requests: readonly SendNode[], now: number): Promise<(MadeSend | StepFailure)[]>
}

export type SendSources = Readonly<Record<SendAsk['source'], SendSource>>

/** Problems of one item, which say nothing of others. */
const isOfItem = ({ status, kind }: Problem): boolean =>
  status === 400 || kind === 'content-fixed' || kind === 'fallback-refused'

function failureOf(problem: Problem): StepFailure {
  return new StepFailure(problem.kind, problem.detail, { isTransient: isTransient(problem) })
}

/** Answers requests of one source together; where an item is wrong each by itself. */
async function together<T>(
  requests: readonly SendNode[],
  answer: (requests: readonly SendNode[]) => Promise<readonly T[]>,
): Promise<(T | StepFailure)[]> {
  try {
    return [...(await answer(requests))]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (requests.length === 1 || !isOfItem(error)) return requests.map(() => failureOf(error))
    const answers: (T | StepFailure)[] = []
    for (const one of requests) answers.push(...(await together([one], answer)))
    return answers
  }
}

/** The stamp of a send: its id is that of the visit, thread and set are the run's. */
export function stampOf({ draft }: Pick<SendNode, 'draft'>, now: number) {
  const { run } = draft
  return { id: visitId(run), thread: run.thread, set: run.set, time: now }
}

/** The item that a node asks for. Throws 400 for what is none. */
function itemOf<Schema extends TSchema>(schema: Schema, { draft, asked }: SendNode, now: number): Static<Schema> {
  const item: unknown = { ...asked.item, stamp: stampOf({ draft }, now) }
  if (Value.Check(schema, item)) return item
  const faults = Value.Errors(schema, item)
  throw invalid(faults.map(({ instancePath, message }) => ({ pointer: instancePath, detail: message })))
}

/** Who asks: the workflow. Its message holds the increments that capping counted. */
function askerOf({ draft }: SendNode): SendAsker {
  const { run } = draft
  const places = placesOf(draft)
  return {
    origin: { type: 'workflow', id: run.workflow },
    depth: run.depth + 1,
    ...(places && { reservations: { capping: JSON.stringify(places) } }),
  }
}

function actionRef({ visit, asked }: SendNode): ActionRef {
  const family = asked.source === rcs.sourceKind ? families.rcs : families.action
  const id = typeof asked.id === 'number' ? asked.id : readActionId(asked.id)
  if (id === undefined) throw notFound(family.title, asked.id)
  return { family, account: visit.account, id }
}

type ReadItems = (
  db: Db,
  ref: ActionRef,
  requests: readonly SendNode[],
  now: number,
) => Promise<ItemsRequest<AskedItem>>

/** Sends by actions of one family. */
function actionSource(context: SendContext, read: ReadItems): SendSource {
  const { clock, config } = context
  const compiled = async (requests: readonly SendNode[]): Promise<CompiledTemplates[]> => {
    const ref = actionRef(requests[0]!)
    const asked = await read(context.db, ref, requests, clock.now())
    const templates = await templatesOf(context, ref, asked)
    return requests.map(() => templates)
  }
  /** Most nodes bring nothing: all that speaks against those is found in the transaction. */
  const bringsContent = ({ asked: { item } }: SendNode) => item['content'] != null || item['fallback'] !== undefined
  return {
    async prepare(requests) {
      const bringing = requests.filter(bringsContent)
      const answers = bringing.length > 0 ? await together(bringing, compiled) : []
      return requests.map((one) => (bringsContent(one) ? answers[bringing.indexOf(one)] : undefined))
    },
    make: (tx, requests, now) =>
      together(requests, async (own): Promise<MadeSend[]> => {
        const ref = actionRef(own[0]!)
        const asked = await read(tx, ref, own, now)
        const templates = new Map(
          own.flatMap(({ asked: { prepared } }) => [...((prepared as CompiledTemplates) ?? [])]),
        )
        const { batch, given } = await gatherItems(tx, { clock: { now: () => now }, config }, ref, {
          ...asked,
          compiled: templates,
        })
        return given.map((one, index) => prepareItem({ ...one, asker: askerOf(own[index]!) }, batch))
      }),
  }
}

/** Sends of notifications: what they are sent with is found before the transaction, which finds whether it is still so. */
function notificationSource(context: SendContext): SendSource {
  const prepared = async (requests: readonly SendNode[]): Promise<PreparedPush[]> => {
    const { visit, asked } = requests[0]!
    const items = requests.map((one) => itemOf(PushItem, one, context.clock.now()))
    const key = { account: visit.account, id: Number(asked.id) }
    const pushes = await preparePushes(context, key, askedItems(items, requests.length > 1))
    if (!pushes) throw new Error(`the notification ${key.id} is being changed`)
    return items.map((item) => ({ pushes, item }))
  }
  return {
    prepare: (requests) => together(requests, prepared),
    async make(tx, requests, now) {
      const answers = new Map<SendNode, MadeSend | StepFailure>()
      const preparedOf = ({ asked }: SendNode) => asked.prepared as PreparedPush
      for (const [pushes, own] of Map.groupBy(requests, (one) => preparedOf(one).pushes)) {
        const nodes = new Map(own.map((one) => [preparedOf(one).item, one]))
        const made = await together(own, async (group) => {
          const found = await pushSends(tx, pushes, { now, askerOf: (item) => askerIn(nodes, item) })
          if (!found) throw new Error(`the notification ${pushes.row.id} was changed`)
          const byItem = new Map(pushes.items.map(({ item }, index) => [item, found[index]!]))
          return group.map((one): MadeSend => byItem.get(preparedOf(one).item)!)
        })
        for (const [index, one] of own.entries()) answers.set(one, made[index]!)
      }
      return requests.map((one) => answers.get(one)!)
    },
  }
}

interface PreparedPush {
  pushes: PreparedPushes
  item: PushItem
}

function askerIn(nodes: ReadonlyMap<PushItem, SendNode>, item: PushItem): SendAsker | undefined {
  const node = nodes.get(item)
  return node && askerOf(node)
}

/** What nodes send by. */
export function openSendSources(context: SendContext): SendSources {
  return {
    action: actionSource(context, async (_, __, requests, now) => ({
      items: requests.map((one) => itemOf(ExecutionItem, one, now)),
      isList: requests.length > 1,
      channel: undefined,
    })),
    rcs: actionSource(context, (db, ref, requests, now) =>
      rcsRequest(db, ref, {
        items: requests.map((one) => itemOf(RcsExecutionItem, one, now)),
        isList: requests.length > 1,
      }),
    ),
    notification: notificationSource(context),
  }
}
