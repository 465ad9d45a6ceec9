import type { ChannelAuthoring, ContentOverride } from '../../../channels/channel.ts'
import { getChannelTraits } from '../../../channels/channel-traits.ts'
import { loadActionChannel } from '../../../channels/load-channel.ts'
import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { invalidRequestProblem, Problem, type ProblemFault } from '../../../lib/errors/problem.ts'
import {
  type ContentVersionLink,
  loadContentVersion,
  storeContentVersion,
} from '../../../sending/plan/content-version.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'
import type { RequestedItem } from '../execution/item-schemas.ts'
import type { StoredAction } from '../resource/action-repository.ts'
import { type ActionSenderResolver, loadActionSenders } from './draft-content.ts'

/** Templates of an item; `undefined` if it has none, or if its content is used unchanged. */
function extractTemplate({ content, brought }: RequestedItem): ContentOverride | undefined {
  if (brought) return brought
  if (content?.type !== 'template') return undefined
  const { html = null, text = null, amp = null } = content
  return { html, text, amp }
}

/** The key of the templates an item brings; undefined when it brings none. */
export function buildTemplateKey(item: RequestedItem): string | undefined {
  const template = extractTemplate(item)
  return template && JSON.stringify(template)
}

/** A compiled template: the action's content with it in place. */
interface CompiledTemplate {
  source: ContentVersionSource
  links: readonly ContentVersionLink[]
}

/** Templates by `buildTemplateKey`. */
export type CompiledTemplateOverrides = ReadonlyMap<string, CompiledTemplate>

/** True if any item has its own template. */
export function hasTemplateOverrides(items: readonly RequestedItem[]): boolean {
  return items.some((item) => extractTemplate(item) !== undefined)
}

/** Action whose items have their own templates: these are contents in addition to its `version`. */
interface OverriddenAction {
  action: Pick<StoredAction, 'account' | 'type' | 'settings'>
  version: number
}

/** The faults of what an item brings, by their pointers; parts of RCS are named by their paths in the item. */
function toItemFaults(flaws: readonly ReportedFlaw[], at: string): ProblemFault[] {
  return flaws.map(({ message, part }) => ({ pointer: `${at}/${part}`, detail: message }))
}

/** The content of an action with what an item brings in its place. Throws conflict when its account does not let it be sent. */
function applyOverride(
  storedSource: ContentVersionSource,
  brought: ContentOverride,
  { authoring, senders, at }: OverrideContext,
): ContentVersionSource {
  const content = authoring.replaced(storedSource.content, brought)
  if (brought.fallback == null) return { ...storedSource, content }
  const { sms, errors } = senders.resolve({ fallback: brought.fallback })
  if (errors.length > 0) {
    const { message } = errors[0]!
    throw new Problem(409, 'fallback-refused', message, { errors: toItemFaults(errors, at) })
  }
  return { ...storedSource, content, ...(sms && { sms }) }
}

interface OverrideContext {
  authoring: ChannelAuthoring
  senders: ActionSenderResolver
  /** Pointer to the item. */
  at: string
}

/**
 * Compiles the templates of items, each distinct one once, as contents of an action in addition to its `version`. Do not call it in a
 * transaction. Throws 400 naming the items whose template has errors.
 */
export async function compileTemplateOverrides(
  { db, config, renders }: Pick<ServiceContext, 'db' | 'config' | 'renders'>,
  { action, version }: OverriddenAction,
  items: readonly RequestedItem[],
  isList: boolean,
): Promise<CompiledTemplateOverrides> {
  const itemTemplates = new Map(
    items.flatMap((item, index) => {
      const template = extractTemplate(item)
      return template ? [[buildTemplateKey(item)!, { template, at: isList ? `/${index}` : '' }] as const] : []
    }),
  )
  const storedVersion = await loadContentVersion(db, action.account, version)
  if (!storedVersion) throw new Error(`content version ${version} does not exist`)
  const { authoring } = await loadActionChannel(storedVersion.source.channel)
  const senders = await loadActionSenders({ db, config }, action)
  const compiledTemplates = new Map<string, CompiledTemplate>()
  for (const [key, { template, at: itemPointer }] of itemTemplates) {
    const source = applyOverride(storedVersion.source, template, { authoring, senders, at: itemPointer })
    const { errors, links } = await renders.compile(toContentSource(source))
    // Those of mails and texts are named within the content.
    const contentPointer = 'html' in template ? `${itemPointer}/content` : itemPointer
    if (errors.length > 0) throw invalidRequestProblem(toItemFaults(errors, contentPointer))
    compiledTemplates.set(key, { source, links })
  }
  return compiledTemplates
}

/** Keeps compiled templates as versions: their links are followed like those of stored content. Gives them by their key. */
export async function storeTemplateOverrides(
  tx: Db,
  account: AccountId,
  templates: CompiledTemplateOverrides,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const versions = new Map<string, number>()
  for (const [key, template] of templates) {
    const { channel, action } = template.source
    const owner = { account, sourceKind: getChannelTraits(channel).sourceKind, source: action.id }
    versions.set(key, await storeContentVersion(tx, owner, template, now))
  }
  return versions
}
