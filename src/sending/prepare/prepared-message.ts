import type { ChannelModule, MessageComposer } from '../../channels/channel.ts'
import type { ContentVersionSource } from '../../channels/version-source.ts'
import type { AccountSigningKeys } from '../../features/accounts/domain-keys.ts'
import type { AccountSendingSettings } from '../../features/accounts/sending-settings-schemas.ts'
import type { TemplateCampaign } from '../../features/campaign-groups/oldest.ts'
import type { CompiledContent } from '../../features/rendering/content.ts'
import type { ContactValues, ScopeFieldNeeds } from '../../features/rendering/scope.ts'
import type { AccountId } from '../../lib/account.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import type { MessageRecipient, RecipientContactRow } from './load-recipients.ts'

/** Sending rules of an account, at the time of the claim. */
export interface SendingRules {
  optInField: number | null
  doubleOptInField: number | null
  yesValues: readonly string[]
  serviceIgnoresRedList: boolean
  /** Type of each field, by id. */
  fieldTypes: ReadonlyMap<number, string>
  /** The shown value of a contact's field: labels of lists, not indexes. */
  valueOf: (contact: RecipientContactRow, field: number) => unknown
}

/** A frozen content, compiled once for all messages of a sender. */
export interface CompiledContentVersion {
  id: number
  source: ContentVersionSource
  compiled: CompiledContent
  channel: ChannelModule
  compose: MessageComposer
}

/** Account properties that all its messages share. */
export interface SenderAccount
  extends Pick<AccountSendingSettings, 'domains' | 'unverifiedDomain' | 'attachmentHosts'> {
  fieldNames: readonly { id: number; name: string }[]
  rules: SendingRules
  inDoubt: 'hold' | 'send'
  /** A contact as templates see it: labels instead of indexes, null for empty fields. All fields, or those of `needs`. */
  valuesOf(contact: RecipientContactRow, needs?: Pick<ScopeFieldNeeds, 'fields'>): ContactValues
}

/** A claimed message with everything it is judged and made by. */
export interface PreparedMessage {
  account: AccountId
  message: ClaimedMessage
  /** Channel of the message: that of its version, or of the message it replaces. */
  channel: ChannelModule
  source: ContentVersionSource
  version: CompiledContentVersion
  facts: MessageRecipient
  /** Data that its channel loaded for it. */
  own?: unknown
  rules: SendingRules
  /** Time of the preparation, in milliseconds. */
  now: number
  owner: SenderAccount
  /** Signing keys of the account, by domain. */
  keys: AccountSigningKeys['byDomain']
  /** The oldest campaign that holds the action; undefined where the template does not name it. */
  campaign?: TemplateCampaign | null
  /** Contents fetched from the addresses of its attachments. */
  fetched?: ReadonlyMap<string, Buffer>
}
