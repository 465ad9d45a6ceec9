import { getChannelTraits } from '../../../channels/channel-traits.ts'
import type { MessageStamp } from '../../../channels/message.ts'
import type { ContentVersionSource } from '../../../channels/version-source.ts'
import type { AccountTokenKey } from '../../../lib/crypto/tokens.ts'
import { formatSentSourceId, type SentSourceNumber } from '../../../lib/sources.ts'
import type { TemplateCampaign } from '../../campaign-groups/oldest.ts'
import type { MessageLinkInput } from '../../rendering/message-links.ts'
import type { ContactValues, RenderScopeInput } from '../../rendering/scope.ts'

/** Template values of one message. */
export interface ActionTemplateValues {
  contact: ContactValues | null
  related: ContactValues | null
  data: Record<string, unknown>
  variables: Record<string, unknown>
  blocks: readonly unknown[]
  /** Last event of the run of a workflow; absent for other messages. */
  event?: Record<string, unknown> | undefined
  campaign: TemplateCampaign | null
  stamp: MessageStamp
}

/** Source of a content: its kind and its number within that kind. */
function toSourceNumber({ channel, action }: ContentVersionSource): SentSourceNumber {
  return { sourceKind: getChannelTraits(channel).sourceKind, source: action.id }
}

/** Template scope of a message that is not sent. `now` in milliseconds. */
export function buildUnsentScope(
  source: ContentVersionSource,
  { variables, event, ...values }: ActionTemplateValues,
  now: number,
): RenderScopeInput {
  return {
    ...values,
    variables: Object.entries({ ...source.test?.variables, ...variables }).map(([key, value]) => ({ key, value })),
    action: { id: String(formatSentSourceId(toSourceNumber(source))), name: source.action.name },
    event: event ?? null,
    account: { ...source.account, culture: source.settings.culture },
    now,
  }
}

/** Link settings of a message that is not sent; `version` is null if the content is not frozen. */
export function buildUnsentLinks(
  source: ContentVersionSource,
  { stamp }: ActionTemplateValues,
  {
    key,
    account,
    version,
    contact,
  }: { key: AccountTokenKey; account: number; version: number | null; contact: number | null },
): MessageLinkInput {
  return {
    trackingUrl: source.sender.trackingUrl,
    key,
    account,
    ...toSourceNumber(source),
    version: version ?? 0,
    contact: contact ?? 0,
    stamp: stamp.id,
  }
}
