import { factsOf } from '../../../channels/facts.ts'
import type { Stamp } from '../../../channels/message.ts'
import type { VersionSource } from '../../../channels/version-source.ts'
import type { AccountKey } from '../../../lib/crypto/tokens.ts'
import { type SourceNumber, sourceId } from '../../../lib/sources.ts'
import type { NamedCampaign } from '../../campaigns/oldest.ts'
import type { LinkInput } from '../../rendering/message-links.ts'
import type { ContactValues, ScopeInput } from '../../rendering/scope.ts'

/** What one message gives to its template. */
export interface MessageValues {
  contact: ContactValues | null
  related: ContactValues | null
  data: Record<string, unknown>
  variables: Record<string, unknown>
  blocks: readonly unknown[]
  campaign: NamedCampaign | null
  stamp: Stamp
}

/** What a content is of: its kind, and its number there. */
function ownerOf({ channel, action }: VersionSource): SourceNumber {
  return { sourceKind: factsOf(channel).sourceKind, source: action.id }
}

/** The names of rendering.md 2 for a message that is not sent. `now` in milliseconds. */
export function scopeOf(source: VersionSource, { variables, ...values }: MessageValues, now: number): ScopeInput {
  return {
    ...values,
    variables: Object.entries({ ...source.test?.variables, ...variables }).map(([key, value]) => ({ key, value })),
    action: { id: String(sourceId(ownerOf(source))), name: source.action.name },
    event: null,
    account: { ...source.account, culture: source.settings.culture },
    now,
  }
}

/** What the links of a message that is not sent are made of; `version` null: of no frozen content. */
export function linksOf(
  source: VersionSource,
  { stamp }: MessageValues,
  {
    key,
    account,
    version,
    contact,
  }: { key: AccountKey; account: number; version: number | null; contact: number | null },
): LinkInput {
  return {
    trackingUrl: source.sender.trackingUrl,
    key,
    account,
    ...ownerOf(source),
    version: version ?? 0,
    contact: contact ?? 0,
    stamp: stamp.id,
  }
}
