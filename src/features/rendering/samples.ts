import type { MailVersionContent, SmsVersionContent } from '../../channels/authored.ts'
import { getChannelTraits, type SendingChannelName } from '../../channels/channel-traits.ts'
import { emailChannelTraits } from '../../channels/email/traits.ts'
import { createAccountTokenKeys } from '../../lib/crypto/tokens.ts'
import { compileContent } from './compile.ts'
import type { ContentSource } from './content.ts'
import {
  type CancelledMessage,
  type FailedMessage,
  type RenderedMessage,
  type RenderInput,
  renderMessage,
} from './render.ts'
import type { RenderScopeInput } from './scope.ts'

/** Inputs of the unit tests in this directory: an account with three fields and a form, a contact, a message. */
export const sampleTrackingUrl = 'https://t.shop.example'
export const sampleStamp = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'
export const sampleTokenKeys = createAccountTokenKeys([{ number: 1, key: Buffer.alloc(32, 7) }])

/** A content of the samples: its members, and what of the source is not as usual. */
export type SampleContent = Partial<MailVersionContent & SmsVersionContent & Omit<ContentSource, 'parts'>> & {
  channel?: SendingChannelName
  contentFormat?: number
}

export function sampleSource({
  channel = emailChannelTraits.name,
  contentFormat = 1,
  ...sampleContent
}: SampleContent): ContentSource {
  const { subject = null, html = null, text = null, amp = null, textContent = null, ...content } = sampleContent
  const { parts, wantsUnsubscribeLink } = getChannelTraits(channel)
  return {
    parts: parts({ subject, html, text, amp, textContent }, contentFormat),
    wantsUnsubscribeLink,
    culture: 'fr-FR',
    environment: { season: 'spring' },
    fields: [
      { id: 42, name: 'Firstname' },
      { id: 43, name: 'First name' },
      { id: 44, name: 'Tags' },
    ],
    forms: ['0000GH'],
    honeypot: false,
    analyse: false,
    ...content,
  }
}

export function sampleScope(scope: Partial<RenderScopeInput>): RenderScopeInput {
  const fields = { 42: 'Ann', 43: 'Ann Marie', 44: ['red', 'green'] }
  return {
    contact: { id: '000R4M0T', unicity: 'ann@example.org', hash: '8b5a6a28fc840441be692d74a81ccd1a', fields },
    related: null,
    data: {},
    variables: [],
    blocks: [],
    event: null,
    campaign: null,
    action: { id: '000K7Q', name: 'Spring opening' },
    stamp: { id: sampleStamp, thread: sampleStamp, set: sampleStamp, time: 1_773_993_600_000 },
    account: { agency: 'ACME', customer: '001', name: 'ACME', culture: 'fr-FR' },
    now: Date.UTC(2026, 2, 20, 8),
    ...scope,
  }
}

export function sampleInput(scope: Partial<RenderScopeInput>, input: Partial<RenderInput> = {}): RenderInput {
  const links = {
    account: 1,
    sourceKind: 'action' as const,
    source: 5,
    version: 3,
    contact: 7,
    stamp: sampleStamp,
    trackingUrl: sampleTrackingUrl,
  }
  return {
    mode: 'live',
    scope: sampleScope(scope),
    links: { ...links, key: sampleTokenKeys.signing(1) },
    zone: 'Europe/Paris',
    pixel: false,
    strict: false,
    ...input,
  }
}

/** A message that was rendered, and its parts; those that it does not have are empty. */
export type SampleMessage = RenderedMessage & MailTexts
type MailTexts = Record<keyof MailVersionContent, string>

/** The parts of a rendered sample by the names of a mail; the text of an SMS is its `text`. */
export function sampleTexts({ parts }: Pick<RenderedMessage, 'parts'>): MailTexts {
  const { subject = '', html = '', textContent = '', text = textContent, amp = '' } = parts
  return { subject, html, text, amp }
}

export function renderSample(
  content: SampleContent,
  scope: Partial<RenderScopeInput> = {},
  input: Partial<RenderInput> = {},
): SampleMessage | CancelledMessage | FailedMessage {
  const rendered = renderMessage(compileContent(sampleSource(content)), sampleInput(scope, input))
  return rendered.outcome === 'rendered' ? { ...rendered, ...sampleTexts(rendered) } : rendered
}

/** The same, for what must be rendered. */
export function requireRenderedSample(...sample: Parameters<typeof renderSample>): SampleMessage {
  const rendered = renderSample(...sample)
  if (rendered.outcome !== 'rendered') throw new Error(`${rendered.outcome}: ${rendered.message}`)
  return rendered
}
