import type { Logger } from 'pino'
import type { Db } from '../database/connection/connect.ts'
import type { AccountSigningKeys } from '../features/accounts/domain-keys.ts'
import type { AccountSendingSettings } from '../features/accounts/sending-settings-schemas.ts'
import type { BounceAnalysis } from '../features/bounces/classify-mail-bounce.ts'
import type { PushSend, RcsRoute, SendCancellation } from '../features/events/record/record.ts'
import type { ReportedFlaw } from '../features/rendering/flaw-schemas.ts'
import type { RenderedMessage, RenderOutcome } from '../features/rendering/render.ts'
import type { TextPiece } from '../features/rendering/templates/pieces.ts'
import type {
  AcceptedDelivery,
  DeferredDelivery,
  OutgoingMessage,
  RefusedDelivery,
  SendStage,
} from '../gateways/gateway.ts'
import type { AccountId } from '../lib/account.ts'
import type { AccountTokenKeys, MasterKeys } from '../lib/crypto/tokens.ts'
import type { DnsResolver } from '../lib/net/dns.ts'
import type { OutboundPolicy } from '../lib/net/guarded-client.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { AuthoredContent, AuthoredSettings } from './authored.ts'
import type { CapturedMessageBytes, CapturedMessageParts } from './captured-parts.ts'
import type { VersionContent } from './channel-traits.ts'
import type { InlineContent, OutboxMessage } from './message.ts'
import type { MailPreview, TextPreview } from './preview.ts'
import type { RcsFallback, RcsMessageContent } from './rcs/content/content-schemas.ts'
import type { RcsPreviewResult } from './rcs/preview.ts'
import type {
  ContentVersionSource,
  RcsSenderProfile,
  RcsVersionSettings,
  SenderIdentity,
  SmsVersionSettings,
} from './version-source.ts'

/** Content that was rendered for one contact, in pieces. */
export type RenderedMessagePieces = RenderedMessage<readonly TextPiece[]>

/** Input for composing a message, once it is rendered. */
export interface ComposeInput {
  /** Its id in the outbox. */
  id: number
  message: OutboxMessage
  rendered: RenderedMessagePieces
  /** The address that the message is sent to. */
  address: string
  /** The contact's own address; '' if it has none. */
  contactAddress: string
  /** End of the campaign in milliseconds; null if it has no end. */
  endsAt: number | null
  account: Pick<AccountSendingSettings, 'domains' | 'unverifiedDomain'>
  /** The account's signing keys, by domain. */
  keys: AccountSigningKeys['byDomain']
  /** Contents of the attachments, by their URLs. */
  fetched: ReadonlyMap<string, Buffer> | undefined
  /** Sequences of the deliveries that are not to be made again. */
  ended: ReadonlySet<number>
  /** Number of earlier attempts. */
  attempts: number
  /** Data that the channel loaded for the message at the claim. */
  own: unknown
}

/** A claimed message, of which a channel has something to know before it is made. */
export interface ClaimedChannelMessage {
  message: OutboxMessage & { id: number }
  source: ContentVersionSource
}

export interface ComposeTools {
  tokens: AccountTokenKeys
  /** Milliseconds. */
  now: number
}

/**
 * Makes one message for the gateways of a channel; what cannot be made is a cancellation. A channel with `hasDeliveries` may
 * give several, each with a sequence of its own.
 */
export type MessageComposer = (
  input: ComposeInput,
  tools: ComposeTools,
) => OutgoingMessage | readonly OutgoingMessage[] | { cancellation: SendCancellation }

/** Data of one delivery that only its channel has; stored as JSON. */
export interface DeliveryRecord {
  /** Members of its activation. */
  members?: Record<string, unknown>
  /** Identifies the recipient in its events. */
  subscription?: string
  phone?: string
  agent?: string
  /** The address shown in its events; absent: the address of the message. */
  address?: string
  /** Push only: the rendered title. */
  title?: string
  /** It has arrived, and no report of that will follow: its delivery is recorded with it. */
  isDelivered?: true
  /**
   * Push only: the application and provider that carried it. `gone`: the device no longer exists; `timestamp` is when the push service
   * noticed, in milliseconds, `digest` is that of the token sent to.
   */
  push?: { application: string; provider: string; gone?: { timestamp?: number; digest: string } }
}

/** A delivery that has ended, with its gateway's answer. */
export interface EndedDelivery {
  account: AccountId
  gateway: string
  stamp: string
  contact: number | null
  sequence: number
  /** Milliseconds. */
  at: number
  delivery: DeliveryRecord
  refusal: DeliveryRefusal | null
}

/** Something that is to follow the end of a message, at most once a kind. */
export interface NewFollowup {
  /** The handler that executes it. */
  kind: string
  /** Milliseconds; null: not before something is reported. */
  due: number | null
  /** `pending` unless it is given. */
  state?: string
  /** JSON. */
  payload: object
}

/** The remote side's refusal of a message. */
export interface DeliveryRefusal {
  stage: SendStage
  code: number | null
  enhanced: string | null
  /** The code of a gateway that is no mail server. */
  gatewayCode?: string
  reply: string
}

/** Under which names a gateway knows what it accepted, where that is needed for what comes back. */
export interface GatewayMessageReferences {
  references: readonly string[]
  /** The sender the message was sent from. */
  sender: string
}

/** An accepted message with the names its gateway knows it by. */
export interface AcceptedSend extends GatewayMessageReferences {
  account: AccountId
  gateway: string
  stamp: string
  contact: number | null
  address: string
  /** Milliseconds. */
  at: number
}

export interface SenderResolutionInput {
  settings: AuthoredSettings
  content: AuthoredContent
  sending: AccountSendingSettings
  /** Code of the account. */
  accountCode: string
  publicUrl: string
  /** The profile that the settings name, for a channel whose profiles are resources of their own. */
  profile?: RcsSenderProfile
}

/** The sender of the messages, with channel-specific settings, errors and findings. */
export interface ResolvedSender {
  sms?: SmsVersionSettings
  rcs?: RcsVersionSettings
  sender: SenderIdentity
  errors: ReportedFlaw[]
  findings: ReportedFlaw[]
}

/** Templates that a request brings in place of the stored content: what is absent of mails and texts is empty. */
export interface ContentOverride {
  html?: string | null
  text?: string | null
  amp?: string | null
  /** RCS only; absent: the content of the action. */
  content?: RcsMessageContent | null
  /** RCS only; null: no fallback for this send, absent: the fallback of the action. */
  fallback?: RcsFallback | null
}

export interface MessagePreviewInput {
  source: ContentVersionSource
  settings: AuthoredSettings
  /** The address as it is shown. */
  recipient: string
  headers: AuthoredContent['headers'] | null | undefined
  /** Id of the stamp that it shows. Absent: any. */
  stamp?: string
  rendered: RenderedMessage
}

/** Why there is no preview. `pointer`: to what is to be changed, where it is known. */
export interface MessagePreviewFailure {
  failure: string
  pointer?: string
}

/** Content of a message's mirror page: a page of its own, or its text. */
export type MirrorPageContent = { html: string } | { title: string; text: string }

/** A proof as it was rendered, without the prefix of tests. */
export interface RenderedProof {
  subject: string
  /** Size of its HTML with tracked links, before encoding. */
  htmlBytes: number
}

/** Findings look at what is outside: the domain name system, the targets of links. */
export interface ContentAnalysisTools {
  db: Db
  dns: DnsResolver
  reach: OutboundPolicy
}

/** Authoring of a channel's content: writing, testing and analysis. */
export interface ChannelAuthoring {
  resolveSender(input: SenderResolutionInput): ResolvedSender
  /** The content with the template that a request brings in its place. */
  replaced(content: VersionContent, brought: ContentOverride): VersionContent
  /** Parses an address that all proofs can be redirected to; `undefined` if it is not an address of the channel. */
  readProofAddress(text: string): string | undefined
  /** Description of a valid address of this kind. */
  proofAddressForm: string
  /** Why rendered content cannot be sent, of one contact. */
  proofErrors(source: ContentVersionSource, rendered: RenderOutcome): ReportedFlaw[]
  /** Extracts from a proof the values that an analysis needs. */
  proofOf(parts: Readonly<Record<string, string>>): RenderedProof
  /** Types of these errors that say the content is to be repaired when no contact is without. */
  repairableTypes: readonly string[]
  /** Reports the flaws that remote operators would object to in the content and its proofs. */
  analyse(
    tools: ContentAnalysisTools,
    account: AccountId,
    source: ContentVersionSource,
    proofs: readonly RenderedProof[],
  ): Promise<ReportedFlaw[]>
  preview(input: MessagePreviewInput): MailPreview | TextPreview | RcsPreviewResult | MessagePreviewFailure
}

/** Tools for querying the remote side of a channel while a campaign is planned. */
export interface AudienceLookupTools {
  db: Db
  clock: Clock
  log: Logger
  masterKeys: MasterKeys
  reach: OutboundPolicy
  dataDir: string
}

/** The content version whose messages are planned. */
export interface AudienceContentVersion {
  account: AccountId
  source: ContentVersionSource
}

/** One channel: how its messages are made, and what is made of what becomes of them. Its gateways carry them. */
export interface ChannelModule {
  /** Returns true if a message of a version can be sent to an address. */
  isSendable(address: string, source: ContentVersionSource): boolean
  /** The facts about claimed messages that the channel needs, by message id. `now`: milliseconds. */
  loadOwn?(db: Db, claimed: readonly ClaimedChannelMessage[], now: number): Promise<ReadonlyMap<number, unknown>>
  /** Channels without addresses only: the reason not to send a message, from the data loaded for it. */
  ownExclusion?(claimed: ClaimedChannelMessage, recipientData: unknown): SendCancellation | undefined
  /** Push data that all events of a message record. */
  pushOf?(source: ContentVersionSource, message: OutboxMessage): PushSend
  /** The route of a rich message that all its events record. */
  routeOf?(source: ContentVersionSource, address: string): RcsRoute
  /** Deferred messages are retried until they expire, not only for a few days. */
  triesUntilExpiry?: true
  /** Why a message is not sent though its address is sound. */
  exclusion?(source: ContentVersionSource, address: string): SendCancellation | undefined
  /** Looks up the addresses of a campaign before messages to them are planned. */
  prepareAudience?(
    tools: AudienceLookupTools,
    version: AudienceContentVersion,
    addresses: readonly string[],
  ): Promise<void>
  /** Creates the composer for the messages of a version; called once per version. */
  composer(source: ContentVersionSource): MessageComposer
  /** A message may be several deliveries, and each may name a gateway of its own. They are made before any of them leaves. */
  hasDeliveries?: true
  /** Returns true if a refusal is caused by our own settings. It counts as a cancellation, not against the contact. */
  isOurFault(refusal: Pick<DeliveryRefusal, 'stage' | 'gatewayCode'> & { code?: number | null }): boolean
  /** Data recorded for a delivery in addition to the common data. */
  deliveryOf?(outgoing: OutgoingMessage, answer: AcceptedDelivery | RefusedDelivery | DeferredDelivery): DeliveryRecord
  /** Updates the channel's own data when deliveries have ended, in the transaction that records them. */
  keepDeliveries?(db: Db, deliveries: readonly EndedDelivery[]): Promise<void>
  /** Follow-up to an accepted or refused delivery, created in the transaction that records it. `source` is that of its version. */
  followupOf?(
    message: OutboxMessage,
    endedDelivery: EndedDelivery,
    source: ContentVersionSource,
  ): NewFollowup | undefined
  verdictOf(refusal: DeliveryRefusal): BounceAnalysis
  /** The names of an accepted message that are to be kept. */
  referencesOf?(outgoing: OutgoingMessage, answer: AcceptedDelivery): GatewayMessageReferences
  keepReferences?(db: Db, sends: readonly AcceptedSend[]): Promise<void>
  /** Content that a request gives as it is, by the names of its parts. */
  inlineParts(inlineContent: InlineContent): Record<string, string>
  /** A message as its mirror page shows it. */
  mirrored(parts: Readonly<Record<string, string>>): MirrorPageContent
  /** A captured message: its body as HTML, and its parts. */
  capturedBody(message: CapturedMessageBytes): string
  capturedParts(message: CapturedMessageBytes): CapturedMessageParts
}

/** A channel that actions send through. */
export interface ActionChannelModule extends ChannelModule {
  authoring: ChannelAuthoring
}
