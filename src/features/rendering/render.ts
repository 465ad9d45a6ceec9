import { addressKind } from './addresses.ts'
import type { CompiledContent, CompiledPart } from './content.ts'
import { originalOffset } from './edits.ts'
import {
  Cancelled,
  causeOf,
  describeRender,
  type ErrorType,
  type FindingType,
  type Flaw,
  flatten,
  offsetOf,
  type Part,
  positionAt,
} from './flaws.ts'
import { decodeAttribute } from './html-elements.ts'
import type { Place } from './html-links.ts'
import { escapeHtml, run } from './liquid.ts'
import {
  type LinkInput,
  type LinkStyle,
  type MessageLinks,
  messageLinks,
  type ShortLink,
  scopeLinks,
} from './message-links.ts'
import { buildScope, type Scope, type ScopeInput } from './scope.ts'

/** Kinds of rendering (rendering.md section 3). */
export type Mode = 'live' | 'proof' | 'preview' | 'copy' | 'mirror'

/** Bits of `display` in a preview (actions.md 7.4). */
export const DISPLAY = { tracking: 1, pixel: 2, mirror: 4, proof: 8, unescaped: 16 }

/** Everything one message is rendered from, beside its content. Plain data: it may come from another thread. */
export interface RenderInput {
  mode: Mode
  /** Sum of DISPLAY; previews only. */
  display?: number
  scope: ScopeInput
  links: LinkInput
  /** Zone of the contact: IANA name or offset. */
  zone: string
  /** The contact has agreed to be seen opening, or the account does not ask. */
  pixel: boolean
  /** Look for unknown paths first; errors among them fail the rendering. */
  strict: boolean
  /** Only this part; the others come back empty. */
  part?: 'html' | 'text' | 'amp'
  /** Before the subject, or the text of an SMS: proofs. */
  prefix?: string
  /** At the top of the HTML, plain text: previews of proofs. */
  banner?: string
  /** Replaces the subject, as it is. */
  subject?: string
  /** Replaces the whole content, as it is: no template, no tracking, no pixel. */
  inline?: { html?: string; text?: string; amp?: string }
}

/** A rendered message; parts that it does not have are empty. */
export interface RenderedMessage {
  outcome: 'rendered'
  subject: string
  html: string
  /** Of an SMS: its text. */
  text: string
  amp: string
  /** To be stored before the message goes out. */
  shortLinks: ShortLink[]
  findings: Flaw<FindingType>[]
}

export type Rendered =
  | RenderedMessage
  | { outcome: 'cancelled'; message: string }
  | (Flaw<ErrorType> & { outcome: 'failed'; errors: Flaw<ErrorType>[]; findings: Flaw<FindingType>[] })

/** What the parts of one message share. */
interface Message {
  input: RenderInput
  scope: Scope
  links: MessageLinks
  honeypot: boolean
  unescaped: boolean
}

/** Renders a compiled content for one contact. Never throws for what a template or a value does. */
export function renderMessage(compiled: CompiledContent, input: RenderInput): Rendered {
  const message = prepare(compiled, input)
  const parts =
    input.inline === undefined ? wantedParts(compiled, input) : compiled.parts.filter(({ part }) => part === 'subject')
  const findings: Flaw<FindingType>[] = []
  if (input.strict) {
    const written = parts.filter(({ isDerived }) => !isDerived)
    const errors = written.flatMap((part) => strictFlaws(part, message, findings))
    const [first] = errors
    if (first !== undefined) return { outcome: 'failed', ...first, errors, findings }
  }
  const texts: Partial<Record<Part, string>> = {}
  for (const part of parts) {
    try {
      texts[part.part] = renderPart(part, message)
    } catch (error) {
      if (error instanceof Cancelled) return { outcome: 'cancelled', message: error.message }
      const flaw = renderFlaw(part, firstOf(error))
      return { outcome: 'failed', ...flaw, errors: [flaw], findings }
    }
  }
  return finish(texts, message, findings)
}

function prepare(compiled: CompiledContent, input: RenderInput): Message {
  const links = messageLinks(input.links, linkStyle(compiled, input))
  return {
    input,
    links,
    scope: buildScope(input.scope, compiled.needs, compiled.source.environment, scopeLinks(links, compiled.links)),
    honeypot: compiled.source.honeypot && (input.mode === 'live' || input.mode === 'proof'),
    unescaped: asks(input, DISPLAY.unescaped),
  }
}

function asks({ mode, display = 0 }: RenderInput, bit: number): boolean {
  return mode === 'preview' && (display & bit) !== 0
}

function linkStyle({ source }: CompiledContent, input: RenderInput): LinkStyle {
  const { mode } = input
  const isPreview = mode === 'preview'
  const isSilent = asks(input, DISPLAY.tracking)
  const isPlain = mode === 'copy' || (isPreview && !isSilent)
  return {
    tracking: isPlain ? 'plain' : isSilent ? 'silent' : 'tracked',
    preview: isPreview && !isSilent,
    test: mode === 'proof',
    short: source.channel === 'sms' && !isPreview,
  }
}

/** The mirror page shows the HTML, or the text when there is none. */
function wantedParts({ parts, source }: CompiledContent, input: RenderInput): readonly CompiledPart[] {
  const isMirror = input.mode === 'mirror' || asks(input, DISPLAY.mirror)
  if (source.channel === 'sms') return parts
  if (isMirror) {
    const shown = parts.find(({ part }) => part === 'html') ?? parts.find(({ part }) => part === 'text')
    return shown === undefined ? [] : parts.filter((part) => part === shown || part.part === 'subject')
  }
  return parts.filter(({ part }) => {
    if (part === 'subject') return input.subject === undefined
    return input.part === undefined || part === input.part
  })
}

function runPart(part: CompiledPart, { input, scope, links, unescaped }: Message, strict: boolean): string {
  const { engine, nodes } = unescaped ? part.unescaped() : part
  return run(engine, nodes, {
    environment: { __proto__: null, ...scope.environment },
    bare: scope.bare,
    strict,
    zone: input.zone,
    now: input.scope.now,
    track(start, target) {
      const link = part.tracked.get(start)
      return link === undefined ? target : links.redirection(link.id, target, link.url === null)
    },
  })
}

function renderPart(part: CompiledPart, message: Message): string {
  const text = runPart(part, message, false)
  if (part.isDerived) return text.replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n')
  const { marks } = part
  if (marks === undefined) return text
  return marks.markers.fill(text, (index, inner) => {
    const place = marks.places[index]
    return place === undefined ? '' : fillPlace(place, inner ?? '', message)
  })
}

/** What goes where a marker stands: always fit for an attribute value, or for the body. */
function fillPlace(place: Place, inner: string, message: Message): string {
  const { links } = message
  switch (place.type) {
    case 'link': {
      const { link, source } = place
      if (link.type !== 'redirection') return escapeHtml(links.system(link.type, link.id))
      return links.style.tracking === 'plain' ? source : escapeHtml(links.redirection(link.id, link.url ?? '', false))
    }
    case 'address':
      return fillAddress(place.link?.id, inner, links)
    case 'top':
      return banner(message.input.banner) + (message.honeypot ? honeypot(links.honeypot()) : '')
    case 'pixel':
      return hasPixel(message.input) ? pixel(links.pixel()) : ''
  }
}

/** An address that a value made: read as a browser reads it, so that nothing unsafe hides in it. */
function fillAddress(link: number | undefined, inner: string, links: MessageLinks): string {
  const target = decodeAttribute(inner)
    .replace(/[\t\n\r]/g, '')
    .trim()
  const kind = addressKind(target)
  if (kind === 'unsafe') return '#'
  if (kind === 'mirror' || kind === 'unsubscribe') return escapeHtml(links.system(kind, link ?? 0))
  const isOwn = links.ownPrefixes.some((prefix) => target.startsWith(prefix))
  if (kind !== 'web' || link === undefined || isOwn || links.style.tracking === 'plain') return inner
  return escapeHtml(links.redirection(link, target, true))
}

function hasPixel(input: RenderInput): boolean {
  const { mode, pixel: allowed } = input
  return allowed && (mode === 'live' || mode === 'proof' || asks(input, DISPLAY.pixel))
}

function pixel(address: string): string {
  return `<img src="${escapeHtml(address)}" width="1" height="1" alt="" style="display:block;border:0">`
}

function honeypot(address: string): string {
  return `<a href="${escapeHtml(address)}" style="display:none" aria-hidden="true" tabindex="-1"></a>`
}

function banner(text: string | undefined): string {
  if (text === undefined) return ''
  return `<div style="padding:8px;background:#fff3cd;color:#664d03;font:14px sans-serif;text-align:center">${escapeHtml(text)}</div>`
}

/** Every error and finding of a part under strict rendering. */
function strictFlaws(part: CompiledPart, message: Message, findings: Flaw<FindingType>[]): Flaw<ErrorType>[] {
  try {
    runPart(part, message, true)
    return []
  } catch (thrown) {
    if (thrown instanceof Cancelled) return []
    return flatten(thrown).flatMap((error) => {
      const name = undefinedName(error)
      if (name === undefined) return renderFlaw(part, error)
      const position = renderFlaw(part, error).position
      const about = { message: `There is no ${name}.`, part: part.part, position }
      if (FIXED_ROOTS.has(name.split('.', 1)[0] ?? '')) return { type: 'unknown-field', ...about }
      findings.push({ type: 'unknown-variable', ...about })
      return []
    })
  }
}

/** Below these, every name is known before the send. */
const FIXED_ROOTS = new Set(['contact', 'related', 'action', 'campaign', 'stamp', 'account', 'links'])

/** The path that is not there, when that is the error. */
function undefinedName(error: unknown): string | undefined {
  const cause = causeOf(error)
  const isUndefined =
    cause instanceof Error && cause.name === 'InternalUndefinedVariableError' && 'variableName' in cause
  return isUndefined ? String(cause.variableName) : undefined
}

/** The first error that is not the limit which only ended what an earlier one began. */
function firstOf(error: unknown): unknown {
  return flatten(error)[0]
}

function renderFlaw({ part, text, edits, isDerived }: CompiledPart, error: unknown): Flaw<ErrorType> {
  const offset = offsetOf(error)
  const position = offset === undefined || isDerived ? null : positionAt(text, originalOffset(edits, offset))
  return { ...describeRender(error), part, position }
}

function finish(
  texts: Partial<Record<Part, string>>,
  { input, links }: Message,
  findings: Flaw<FindingType>[],
): RenderedMessage {
  const { inline, prefix = '', subject } = input
  return {
    outcome: 'rendered',
    subject: headerText(prefix + headerText(subject ?? texts.subject ?? '')),
    html: inline === undefined ? (texts.html ?? '') : (inline.html ?? ''),
    text:
      inline === undefined
        ? (texts.text ?? (texts.textContent === undefined ? '' : prefix + texts.textContent))
        : (inline.text ?? ''),
    amp: inline === undefined ? (texts.amp ?? '') : (inline.amp ?? ''),
    shortLinks: links.short,
    findings,
  }
}

/** Control characters, line ends first of all, become one blank: nothing of a value can begin another header. */
export function headerText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}
