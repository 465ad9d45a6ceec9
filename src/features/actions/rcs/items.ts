import type { ContentOverride } from '../../../channels/channel.ts'
import {
  findRcsContentFaults,
  findRcsExpirationFaults,
  findRcsFallbackFaults,
} from '../../../channels/rcs/content/content-faults.ts'
import { rcsExpirationToMs } from '../../../channels/rcs/content/periods.ts'
import { rcsChannelTraits } from '../../../channels/rcs/traits.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import type { RequestedItem } from '../execution/item-schemas.ts'
import type { StoredActionSettings } from '../resource/action-repository.ts'
import { requireChannelMembers } from '../resource/foreign-members.ts'
import type { RcsExecutionItem } from './rcs-item-schemas.ts'

type RcsItemParts = Pick<RcsExecutionItem, 'content' | 'fallback'>

/** Parts of an item that replace those of the action; `undefined` if there are none. */
export function extractRcsOverrides({ content, fallback }: RcsItemParts): ContentOverride | undefined {
  if (content == null && fallback === undefined) return undefined
  return { ...(content != null && { content }), ...(fallback !== undefined && { fallback }) }
}

/** Faults of one item that the schema cannot detect. `at` is the pointer to the item. */
function findItemFaults(
  { content, fallback, expiration }: RcsItemParts & Pick<RcsExecutionItem, 'expiration'>,
  settings: Pick<StoredActionSettings, 'expiration'>,
  at: string,
): ProblemFault[] {
  return [
    ...(content ? findRcsContentFaults(content, `${at}/content`) : []),
    ...(expiration ? findRcsExpirationFaults(expiration, `${at}/expiration`) : []),
    ...(fallback ? findRcsFallbackFaults(fallback, expiration ?? settings.expiration ?? null, `${at}/fallback`) : []),
  ]
}

/** Throws 400 with all that the schema does not see; of a list pointers begin with the place. */
export function requireValidRcsItems(
  items: readonly (RcsItemParts & Pick<RcsExecutionItem, 'expiration'>)[],
  settings: Pick<StoredActionSettings, 'expiration'>,
  isList: boolean,
): void {
  requireChannelMembers(rcsChannelTraits.name, items, isList)
  const faults = items.flatMap((item, index) => findItemFaults(item, settings, isList ? `/${index}` : ''))
  if (faults.length > 0) throw invalidRequestProblem(faults)
}

/** Items as executions take them, with how long each may wait. Throws 400. */
export function parseRcsItems(
  items: readonly RcsExecutionItem[],
  settings: Pick<StoredActionSettings, 'expiration'>,
  isList: boolean,
): RequestedItem[] {
  requireValidRcsItems(items, settings, isList)
  return items.map(({ content, fallback, expiration, ...item }) => {
    const overrides = extractRcsOverrides({ ...(content && { content }), ...(fallback !== undefined && { fallback }) })
    const waitMs = rcsExpirationToMs(expiration ?? settings.expiration)
    return { ...item, waitMs, ...(overrides && { brought: overrides }) }
  })
}
