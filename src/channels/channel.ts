import type { Logger } from 'pino'
import type { Db } from '../database/connection/connect.ts'
import type { AccountSigningKeys } from '../features/accounts/domain-keys.ts'
import type { AccountSendingSettings } from '../features/accounts/sending-settings-schemas.ts'
import type { BounceAnalysis } from '../features/events/bounces/bounces.ts'
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
import type { VersionContent } from './facts.ts'
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

/** What a message is composed from, once it is rendered. */
export interface ComposeInput {
  /** Its id in the outbox. */
  id: number
  message: OutboxMessage
  rendered: RenderedMessagePieces
  /** Where it goes. */
  address: string
  /** The contact's own address; '' when it has none. */
  contactAddress: string
  /** Milliseconds: when the campaign ends; null: it does not. */
  endsAt: number | null
  account: Pick<AccountSendingSettings, 'domains' | 'unverifiedDomain'>
  /** What the account signs with, by domain. */
  keys: AccountSigningKeys['byDomain']
  /** What was at the addresses of its attachments. */
  fetched: ReadonlyMap<string, Buffer> | undefined
  /** Sequences of the deliveries that are not to be made again. */
  ended: ReadonlySet<number>
  /** How often it was tried before. */
  attempts: number
  /** What the channel had loaded of it at the claim. */
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

/** What a channel says of one delivery, beside what all have: JSON. */
export interface DeliveryRecord {
  /** Members of its activation. */
  members?: Record<string, unknown>
  /** What its events are found by. */
  subscription?: string
  phone?: string
  agent?: string
  /** What its events give as address. Absent: that of the message. */
  address?: string
  /** Of a push: its title as it was rendered. */
  title?: string
  /** It has arrived, and no report of that will follow: its delivery is recorded with it. */
  isDelivered?: true
  /**
   * Of a push: what carried it. `gone`: the device is no more; since when its push service knows, in milliseconds, and the
   * digest of the token that was sent to.
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
  /** Which handler does it. */
  kind: string
  /** Milliseconds; null: not before something is reported. */
  due: number | null
  /** `pending` unless it is given. */
  state?: string
  /** JSON. */
  payload: object
}

/** What the far side said when it refused a message. */
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
  /** What it was sent from. */
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
  /** Of a channel whose profiles are resources of their own: the one that the settings name. */
  profile?: RcsSenderProfile
}

/** Who messages are from, with what only the channel has, and what there is to say of it. */
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
  /** Of RCS; absent: that of the action. */
  content?: RcsMessageContent | null
  /** Of RCS; null: none for this send, absent: that of the action. */
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

/** What the mirror page of a message shows: a page of its own, or its text. */
export type MirrorPageContent = { html: string } | { title: string; text: string }

/** A proof as it was rendered, without the prefix of tests. */
export interface RenderedProof {
  subject: string
  /** Of its HTML with tracked links, before it is encoded. */
  htmlBytes: number
}

/** Findings look at what is outside: the domain name system, the targets of links. */
export interface ContentAnalysisTools {
  db: Db
  dns: DnsResolver
  reach: OutboundPolicy
}

/** How content of a channel is written, tested and looked at. */
export interface ChannelAuthoring {
  resolveSender(input: SenderResolutionInput): ResolvedSender
  /** The content with the template that a request brings in its place. */
  replaced(content: VersionContent, brought: ContentOverride): VersionContent
  /** Where all proofs may be sent to instead; undefined: it is no address of the channel. */
  readProofAddress(text: string): string | undefined
  /** What such an address is, in words. */
  proofAddressForm: string
  /** Why rendered content cannot be sent, of one contact. */
  proofErrors(source: ContentVersionSource, rendered: RenderOutcome): ReportedFlaw[]
  /** What an analysis reads of a proof. */
  proofOf(parts: Readonly<Record<string, string>>): RenderedProof
  /** Types of these errors that say the content is to be repaired when no contact is without. */
  repairableTypes: readonly string[]
  /** What the far side would hold against the content and its proofs. */
  analyse(
    tools: ContentAnalysisTools,
    account: AccountId,
    source: ContentVersionSource,
    proofs: readonly RenderedProof[],
  ): Promise<ReportedFlaw[]>
  preview(input: MessagePreviewInput): MailPreview | TextPreview | RcsPreviewResult | MessagePreviewFailure
}

/** What the far side of a channel is asked with while a campaign is planned. */
export interface AudienceLookupTools {
  db: Db
  clock: Clock
  log: Logger
  masterKeys: MasterKeys
  reach: OutboundPolicy
  dataDir: string
}

/** Of which version messages are planned. */
export interface AudienceContentVersion {
  account: AccountId
  source: ContentVersionSource
}

/** One channel: how its messages are made, and what is made of what becomes of them. Its gateways carry them. */
export interface ChannelModule {
  /** Whether a message of a version can be sent to an address. */
  isSendable(address: string, source: ContentVersionSource): boolean
  /** The facts about claimed messages that the channel needs, by message id. `now`: milliseconds. */
  loadOwn?(db: Db, claimed: readonly ClaimedChannelMessage[], now: number): Promise<ReadonlyMap<number, unknown>>
  /** Of a channel without addresses: why a message is not sent, by what it loaded of it. */
  ownExclusion?(claimed: ClaimedChannelMessage, own: unknown): SendCancellation | undefined
  /** What all events of a message say of a push. */
  pushOf?(source: ContentVersionSource, message: OutboxMessage): PushSend
  /** What all events of a message say of the way a rich message goes. */
  routeOf?(source: ContentVersionSource, address: string): RcsRoute
  /** What was put off is tried again until its message expires, and not for some days at most. */
  triesUntilExpiry?: true
  /** Why a message is not sent though its address is sound. */
  exclusion?(source: ContentVersionSource, address: string): SendCancellation | undefined
  /** What is to be known of addresses of a campaign before messages to them are planned. */
  prepareAudience?(
    tools: AudienceLookupTools,
    version: AudienceContentVersion,
    addresses: readonly string[],
  ): Promise<void>
  /** What composes the messages of a version; called once a version. */
  composer(source: ContentVersionSource): MessageComposer
  /** A message may be several deliveries, and each may name a gateway of its own. They are made before any of them leaves. */
  hasDeliveries?: true
  /** Whether a refusal is a matter of our own settings, and nothing to hold against the contact: a cancellation. */
  isOurFault(refusal: Pick<DeliveryRefusal, 'stage' | 'gatewayCode'> & { code?: number | null }): boolean
  /** What is recorded of a delivery beside what all have. */
  deliveryOf?(outgoing: OutgoingMessage, answer: AcceptedDelivery | RefusedDelivery | DeferredDelivery): DeliveryRecord
  /** What the channel keeps or changes when deliveries have ended, in the transaction that records them. */
  keepDeliveries?(db: Db, deliveries: readonly EndedDelivery[]): Promise<void>
  /** What is to follow a delivery that was accepted or refused, made in the transaction that records it. `source`: of its version. */
  followupOf?(message: OutboxMessage, ended: EndedDelivery, source: ContentVersionSource): NewFollowup | undefined
  verdictOf(refusal: DeliveryRefusal): BounceAnalysis
  /** The names of an accepted message that are to be kept. */
  referencesOf?(outgoing: OutgoingMessage, answer: AcceptedDelivery): GatewayMessageReferences
  keepReferences?(db: Db, sends: readonly AcceptedSend[]): Promise<void>
  /** Content that a request gives as it is, by the names of its parts. */
  inlineParts(given: InlineContent): Record<string, string>
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
