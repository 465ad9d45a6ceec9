import { factsOf } from '../../channels/facts.ts'
import { loadChannel } from '../../channels/registry.ts'
import { contentSourceOf, type VersionSource } from '../../channels/version-source.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { invalid } from '../../lib/problem.ts'
import { freezeVersion, loadVersion, type VersionLink } from '../../outbox/version.ts'
import type { ExecutionItem } from './item-schemas.ts'

/** The template an item brings; undefined when it brings none, or content that is used as it is. */
function templateOf({
  content,
}: ExecutionItem): { html?: string | null; text?: string | null; amp?: string | null } | undefined {
  return content?.type === 'template' ? content : undefined
}

/** The key of the template an item brings; undefined when it brings none. */
export function templateKey(item: ExecutionItem): string | undefined {
  const template = templateOf(item)
  return template && JSON.stringify([template.html ?? null, template.text ?? null, template.amp ?? null])
}

/** A compiled template: the action's content with it in place. */
interface CompiledTemplate {
  source: VersionSource
  links: readonly VersionLink[]
}

/** Templates by `templateKey`. */
export type CompiledTemplates = ReadonlyMap<string, CompiledTemplate>

/** Whether any item brings a template. */
export function hasTemplates(items: readonly ExecutionItem[]): boolean {
  return items.some((item) => templateOf(item) !== undefined)
}

/**
 * Compiles the templates that items bring, each distinct one once, as contents of an action beside its `version`. Not to
 * be called in a transaction. Throws 400 naming the items whose template has errors.
 */
export async function compileTemplates(
  { db, renders }: Pick<Context, 'db' | 'renders'>,
  { account, version }: { account: AccountId; version: number },
  items: readonly ExecutionItem[],
): Promise<CompiledTemplates> {
  const brought = new Map(
    items.flatMap((item, index) => (templateKey(item) === undefined ? [] : [[templateKey(item)!, { item, index }]])),
  )
  const stored = await loadVersion(db, account, version)
  if (!stored) throw new Error(`content version ${version} is gone`)
  const { authoring } = await loadChannel(stored.source.channel)
  const compiled = new Map<string, CompiledTemplate>()
  for (const [key, { item, index }] of brought) {
    const { html = null, text = null, amp = null } = templateOf(item) ?? {}
    const content = authoring.replaced(stored.source.content, { html, text, amp })
    const source = { ...stored.source, content }
    const { errors, links } = await renders.compile(contentSourceOf(source))
    if (errors.length > 0) {
      throw invalid(errors.map(({ message, part }) => ({ pointer: `/${index}/content/${part}`, detail: message })))
    }
    compiled.set(key, { source, links })
  }
  return compiled
}

/** Keeps compiled templates as versions: their links are followed like those of stored content. Gives them by their key. */
export async function freezeTemplates(
  tx: Db,
  account: AccountId,
  templates: CompiledTemplates,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const versions = new Map<string, number>()
  for (const [key, template] of templates) {
    const { channel, action } = template.source
    const owner = { account, sourceKind: factsOf(channel).sourceKind, source: action.id }
    versions.set(key, await freezeVersion(tx, owner, template, now))
  }
  return versions
}
