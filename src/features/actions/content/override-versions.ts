import type { ChannelAuthoring, ContentOverride } from '../../../channels/channel.ts'
import { getChannelTraits } from '../../../channels/facts.ts'
import { loadActionChannel } from '../../../channels/registry.ts'
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

/** What an item brings as templates; undefined when it brings nothing, or content that is used as it is. */
function templateOf({ content, brought }: RequestedItem): ContentOverride | undefined {
  if (brought) return brought
  if (content?.type !== 'template') return undefined
  const { html = null, text = null, amp = null } = content
  return { html, text, amp }
}

/** The key of the templates an item brings; undefined when it brings none. */
export function buildTemplateKey(item: RequestedItem): string | undefined {
  const template = templateOf(item)
  return template && JSON.stringify(template)
}

/** A compiled template: the action's content with it in place. */
interface CompiledTemplate {
  source: ContentVersionSource
  links: readonly ContentVersionLink[]
}

/** Templates by `buildTemplateKey`. */
export type CompiledTemplateOverrides = ReadonlyMap<string, CompiledTemplate>

/** Whether any item brings a template. */
export function hasTemplateOverrides(items: readonly RequestedItem[]): boolean {
  return items.some((item) => templateOf(item) !== undefined)
}

/** An action whose items bring templates: they are contents beside its `version`. */
interface Overridden {
  action: Pick<StoredAction, 'account' | 'type' | 'settings'>
  version: number
}

/** The faults of what an item brings, by their pointers; parts of RCS are named by their paths in the item. */
function faultsIn(flaws: readonly ReportedFlaw[], at: string): ProblemFault[] {
  return flaws.map(({ message, part }) => ({ pointer: `${at}/${part}`, detail: message }))
}

/** The content of an action with what an item brings in its place. Throws conflict when its account does not let it be sent. */
function replacedSource(
  stored: ContentVersionSource,
  brought: ContentOverride,
  { authoring, senders, at }: Replacing,
): ContentVersionSource {
  const content = authoring.replaced(stored.content, brought)
  if (brought.fallback == null) return { ...stored, content }
  const { sms, errors } = senders.resolve({ fallback: brought.fallback })
  if (errors.length > 0) {
    const { message } = errors[0]!
    throw new Problem(409, 'fallback-refused', message, { errors: faultsIn(errors, at) })
  }
  return { ...stored, content, ...(sms && { sms }) }
}

interface Replacing {
  authoring: ChannelAuthoring
  senders: ActionSenderResolver
  /** Pointer to the item. */
  at: string
}

/**
 * Compiles the templates that items bring, each distinct one once, as contents of an action beside its `version`. Not to
 * be called in a transaction. Throws 400 naming the items whose template has errors.
 */
export async function compileTemplateOverrides(
  { db, config, renders }: Pick<ServiceContext, 'db' | 'config' | 'renders'>,
  { action, version }: Overridden,
  items: readonly RequestedItem[],
  isList: boolean,
): Promise<CompiledTemplateOverrides> {
  const brought = new Map(
    items.flatMap((item, index) => {
      const template = templateOf(item)
      return template ? [[buildTemplateKey(item)!, { template, at: isList ? `/${index}` : '' }] as const] : []
    }),
  )
  const stored = await loadContentVersion(db, action.account, version)
  if (!stored) throw new Error(`content version ${version} is gone`)
  const { authoring } = await loadActionChannel(stored.source.channel)
  const senders = await loadActionSenders({ db, config }, action)
  const compiled = new Map<string, CompiledTemplate>()
  for (const [key, { template, at }] of brought) {
    const source = replacedSource(stored.source, template, { authoring, senders, at })
    const { errors, links } = await renders.compile(toContentSource(source))
    // Those of mails and texts are named within the content.
    const content = 'html' in template ? `${at}/content` : at
    if (errors.length > 0) throw invalidRequestProblem(faultsIn(errors, content))
    compiled.set(key, { source, links })
  }
  return compiled
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
