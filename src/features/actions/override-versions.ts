import { loadChannel } from '../../channels/registry.ts'
import { contentSourceOf } from '../../channels/version-source.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { invalid } from '../../lib/problem.ts'
import { freezeVersion, loadVersion } from '../../outbox/version.ts'
import type { ExecutionItem } from './item-schemas.ts'

/** The template an item brings; undefined when it brings none, or content that is used as it is. */
function templateOf({
  content,
}: ExecutionItem): { html?: string | null; text?: string | null; amp?: string | null } | undefined {
  return content?.type === 'template' ? content : undefined
}

/** What tells one brought template from another. */
export function templateKey(item: ExecutionItem): string | undefined {
  const template = templateOf(item)
  return template && JSON.stringify([template.html ?? null, template.text ?? null, template.amp ?? null])
}

/**
 * Compiles and freezes the templates that items bring, each distinct one once, as versions of the action's: their links
 * are followed like those of stored content. Gives the version of each by its key. Throws 400 naming the items whose
 * template has errors.
 */
export async function freezeTemplates(
  { tx, renders }: { tx: Db; renders: Context['renders'] },
  { account, version, now }: { account: AccountId; version: number; now: number },
  items: readonly ExecutionItem[],
): Promise<ReadonlyMap<string, number>> {
  const brought = new Map(
    items.flatMap((item, index) => (templateKey(item) === undefined ? [] : [[templateKey(item)!, { item, index }]])),
  )
  const frozen = new Map<string, number>()
  if (brought.size === 0) return frozen
  const stored = await loadVersion(tx, account, version)
  if (!stored) throw new Error(`content version ${version} is gone`)
  const { authoring } = await loadChannel(stored.source.channel)
  for (const [key, { item, index }] of brought) {
    const { html = null, text = null, amp = null } = templateOf(item) ?? {}
    const content = { ...stored.source.content, ...authoring.replaced({ html, text, amp }) }
    const source = { ...stored.source, content }
    const { errors, links } = await renders.compile(contentSourceOf(source))
    if (errors.length > 0) {
      throw invalid(errors.map(({ message, part }) => ({ pointer: `/${index}/content/${part}`, detail: message })))
    }
    frozen.set(key, await freezeVersion(tx, account, source, [...links], new Date(now)))
  }
  return frozen
}
