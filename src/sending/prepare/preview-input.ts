import { getChannelTraits } from '../../channels/channel-traits.ts'
import type { MessageRequest, MessageStamp } from '../../channels/message.ts'
import type { ContentVersionSource } from '../../channels/version-source.ts'
import type { RenderInput } from '../../features/rendering/render.ts'
import type { ContactValues } from '../../features/rendering/scope.ts'
import type { AccountId } from '../../lib/account.ts'
import type { AccountTokenKey } from '../../lib/crypto/tokens.ts'

/** Values that one message provides to its templates. */
export interface MessageTemplateValues extends Pick<MessageRequest, 'data' | 'variables'> {
  contact: ContactValues | null
  related: ContactValues | null
  stamp: MessageStamp
  zone: string
}

/** Builds the input that renders a version when nothing is sent. `now` in milliseconds. */
export function buildPreviewInput(
  source: ContentVersionSource,
  { data, variables, contact, related, stamp, zone }: MessageTemplateValues,
  { key, account, now }: { key: AccountTokenKey; account: AccountId; now: number },
): RenderInput {
  const { action, settings, sender } = source
  return {
    mode: 'preview',
    scope: {
      contact,
      related,
      stamp,
      now,
      data: data ?? {},
      blocks: [],
      campaign: null,
      event: null,
      variables: Object.entries(variables ?? {}).map(([name, value]) => ({ key: name, value })),
      action: { id: String(action.id), name: action.name },
      account: { ...source.account, culture: settings.culture },
    },
    links: {
      key,
      account,
      version: 0,
      contact: 0,
      stamp: stamp.id,
      trackingUrl: sender.trackingUrl,
      sourceKind: getChannelTraits(source.channel).sourceKind,
      source: action.id,
    },
    zone,
    pixel: false,
    strict: false,
  }
}
