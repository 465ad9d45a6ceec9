import type { BroughtContent } from '../../../channels/channel.ts'
import { contentFaults, expirationFaults, fallbackFaults } from '../../../channels/rcs/content/content-faults.ts'
import { expirationMs } from '../../../channels/rcs/content/periods.ts'
import { rcs } from '../../../channels/rcs/facts.ts'
import { type Fault, invalid } from '../../../lib/errors/problem.ts'
import type { AskedItem } from '../execution/item-schemas.ts'
import type { StoredSettings } from '../resource/action-repository.ts'
import { refuseForeignMembers } from '../resource/foreign-members.ts'
import type { RcsExecutionItem } from './rcs-item-schemas.ts'

type Brought = Pick<RcsExecutionItem, 'content' | 'fallback'>

/** What an item brings in place of the action's; undefined when it brings nothing. */
export function broughtBy({ content, fallback }: Brought): BroughtContent | undefined {
  if (content == null && fallback === undefined) return undefined
  return { ...(content != null && { content }), ...(fallback !== undefined && { fallback }) }
}

/** What the schema does not see of one item. `at`: pointer to it. */
function faultsOf(
  { content, fallback, expiration }: Brought & Pick<RcsExecutionItem, 'expiration'>,
  settings: Pick<StoredSettings, 'expiration'>,
  at: string,
): Fault[] {
  return [
    ...(content ? contentFaults(content, `${at}/content`) : []),
    ...(expiration ? expirationFaults(expiration, `${at}/expiration`) : []),
    ...(fallback ? fallbackFaults(fallback, expiration ?? settings.expiration ?? null, `${at}/fallback`) : []),
  ]
}

/** Throws 400 with all that the schema does not see; of a list pointers begin with the place. */
export function refuseFaultyRcs(
  items: readonly (Brought & Pick<RcsExecutionItem, 'expiration'>)[],
  settings: Pick<StoredSettings, 'expiration'>,
  isList: boolean,
): void {
  refuseForeignMembers(rcs.name, items, isList)
  const faults = items.flatMap((item, index) => faultsOf(item, settings, isList ? `/${index}` : ''))
  if (faults.length > 0) throw invalid(faults)
}

/** Items as executions take them, with how long each may wait. Throws 400. */
export function readRcsItems(
  items: readonly RcsExecutionItem[],
  settings: Pick<StoredSettings, 'expiration'>,
  isList: boolean,
): AskedItem[] {
  refuseFaultyRcs(items, settings, isList)
  return items.map(({ content, fallback, expiration, ...item }) => {
    const brought = broughtBy({ ...(content && { content }), ...(fallback !== undefined && { fallback }) })
    const waitMs = expirationMs(expiration ?? settings.expiration)
    return { ...item, waitMs, ...(brought && { brought }) }
  })
}
