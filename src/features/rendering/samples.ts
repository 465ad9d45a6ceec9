import { email } from '../../channels/email/facts.ts'
import { tokenKeys } from '../../lib/tokens.ts'
import { compileContent } from './compile.ts'
import type { ContentSource } from './content.ts'
import { type Rendered, type RenderedMessage, type RenderInput, renderMessage } from './render.ts'
import type { ScopeInput } from './scope.ts'

/** Inputs of the unit tests beside this file: an account with three fields and a form, a contact, a message. */
export const tracking = 'https://t.shop.example'
export const stamp = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'
export const sampleKeys = tokenKeys([{ number: 1, key: Buffer.alloc(32, 7) }])

export function sampleSource(content: Partial<ContentSource>): ContentSource {
  return {
    channel: email.name,
    contentFormat: 1,
    ...{ subject: null, html: null, text: null, amp: null, textContent: null },
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

export function sampleScope(scope: Partial<ScopeInput>): ScopeInput {
  const fields = { 42: 'Ann', 43: 'Ann Marie', 44: ['red', 'green'] }
  return {
    contact: { id: '000R4M0T', unicity: 'ann@example.org', hash: '8b5a6a28fc840441be692d74a81ccd1a', fields },
    related: null,
    ...{ data: {}, variables: [], blocks: [], event: null, campaign: null },
    action: { id: '000K7Q', name: 'Spring opening' },
    stamp: { id: stamp, thread: stamp, set: stamp, time: 1_773_993_600_000 },
    account: { agency: 'ACME', customer: '001', name: 'ACME', culture: 'fr-FR' },
    now: Date.UTC(2026, 2, 20, 8),
    ...scope,
  }
}

export function sampleInput(scope: Partial<ScopeInput>, input: Partial<RenderInput> = {}): RenderInput {
  const links = { account: 1, action: 5, version: 3, contact: 7, stamp, trackingUrl: tracking }
  return {
    mode: 'live',
    scope: sampleScope(scope),
    links: { ...links, key: sampleKeys.signing(1) },
    zone: 'Europe/Paris',
    pixel: false,
    strict: false,
    ...input,
  }
}

export function renderSample(
  content: Partial<ContentSource>,
  scope: Partial<ScopeInput> = {},
  input: Partial<RenderInput> = {},
): Rendered {
  return renderMessage(compileContent(sampleSource(content)), sampleInput(scope, input))
}

/** The same, for what must be rendered. */
export function renderedSample(...sample: Parameters<typeof renderSample>): RenderedMessage {
  const rendered = renderSample(...sample)
  if (rendered.outcome !== 'rendered') throw new Error(`${rendered.outcome}: ${rendered.message}`)
  return rendered
}
