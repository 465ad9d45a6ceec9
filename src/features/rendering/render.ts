import { factsOf } from '../../channels/facts.ts'
import { closeUp } from './close-up.ts'
import type { CompiledContent, CompiledPart } from './content.ts'
import { originalOffset } from './edits.ts'
import { type Filling, fillMarkers } from './fill.ts'
import {
  Cancelled,
  describeRender,
  type ErrorType,
  type FindingType,
  type Flaw,
  flatten,
  isOfTemplate,
  offsetOf,
  type Part,
  positionAt,
  undefinedName,
} from './flaws.ts'
import { type Outcome, run } from './liquid.ts'
import { type LinkInput, type LinkStyle, messageLinks, type ShortLink, scopeLinks } from './message-links.ts'
import { type Piece, textOf } from './pieces.ts'
import { buildScope, type Scope, type ScopeInput } from './scope.ts'

/** Kinds of rendering (rendering.md section 3). */
export type Mode = 'live' | 'proof' | 'preview' | 'copy' | 'mirror'

/** Bits of `display` in a preview (actions.md 7.4). */
export const DISPLAY = { tracking: 1, pixel: 2, mirror: 4, proof: 8, unescaped: 16 }

/** Everything one message is rendered from, beside its content. Plain data: it may come from another thread. */
export interface RenderInput {
  mode: Mode
  /** Sum of DISPLAY; previews only. What `proof` shows is in `prefix` and `banner`. */
  display?: number
  scope: ScopeInput
  links: LinkInput
  /** Zone of the contact: IANA name or offset. */
  zone: string
  /** The contact has agreed to be seen opening, or the account does not ask. */
  pixel: boolean
  /** Look for unknown paths first; errors among them fail the rendering. */
  strict: boolean
  /** Only this part, and the subject; the others come back empty. */
  part?: 'html' | 'text' | 'amp'
  /** Before the subject, or the text of an SMS. */
  prefix?: string
  /** At the top of the HTML, plain text. */
  banner?: string
  /** Replaces the subject, as it is. */
  subject?: string
  /** Replaces the whole content, as it is: no template, no tracking, no pixel. */
  inline?: { html?: string; text?: string; amp?: string }
}

/** A rendered message; parts that it does not have are empty. A `T` is one part: its text, or its pieces. */
export interface RenderedMessage<T = string> {
  outcome: 'rendered'
  subject: string
  html: T
  /** Of an SMS: its text. */
  text: T
  amp: T
  /** To be stored before the message goes out. */
  shortLinks: ShortLink[]
  /** Paths that were printed and are not there, each once: they came out empty. */
  missing: string[]
  findings: Flaw<FindingType>[]
}

export interface CancelledMessage {
  outcome: 'cancelled'
  message: string
}

/** The first error, and all of them. */
export interface FailedMessage extends Flaw<ErrorType> {
  outcome: 'failed'
  errors: Flaw<ErrorType>[]
  findings: Flaw<FindingType>[]
}

export type Rendered<T = string> = RenderedMessage<T> | CancelledMessage | FailedMessage

type PartTexts = Partial<Record<Part, Piece[]>>

/** What the parts of one message share. */
interface Message {
  input: RenderInput
  scope: Scope
  filling: Filling
  unescaped: boolean
  missing: Set<string>
  findings: Flaw<FindingType>[]
}

/** Renders a compiled content for one contact. Never throws for what a template or a value does. */
export function renderMessage(compiled: CompiledContent, input: RenderInput): Rendered {
  const rendered = renderPieces(compiled, input)
  if (rendered.outcome !== 'rendered') return rendered
  const { html, text, amp } = rendered
  return { ...rendered, html: textOf(html), text: textOf(text), amp: textOf(amp) }
}

/** The same for a sender: in pieces, so that what the template wrote need not be looked at again. */
export function renderPieces(compiled: CompiledContent, input: RenderInput): Rendered<readonly Piece[]> {
  const message = prepare(compiled, input)
  const parts = wantedParts(compiled, input)
  const { findings } = message
  const errors = knownErrors(compiled, input)
  if (input.strict && errors.length === 0) errors.push(...parts.flatMap((part) => strictErrors(part, message)))
  const texts: PartTexts = {}
  for (const part of errors.length > 0 ? [] : parts) {
    const rendered = attempt(() => renderPart(part, message))
    if ('cancelled' in rendered) return { outcome: 'cancelled', message: rendered.cancelled }
    if ('errors' in rendered) errors.push(...rendered.errors.map((error) => flawOf(part, error)))
    else texts[part.part] = rendered.value
    if (errors.length > 0) break
  }
  const [first] = errors
  return first === undefined ? finish(texts, message) : { outcome: 'failed', ...first, errors, findings }
}

/** Errors that were found without the contact: those that leave a part out, under strict rendering all of them. */
function knownErrors({ broken, errors }: CompiledContent, { inline, strict }: RenderInput): Flaw<ErrorType>[] {
  return inline === undefined ? [...(strict ? errors : broken)] : []
}

function prepare(compiled: CompiledContent, input: RenderInput): Message {
  const { mode, pixel, banner } = input
  const isSent = mode === 'live' || mode === 'proof'
  const links = messageLinks(input.links, linkStyle(compiled, input))
  return {
    input,
    scope: buildScope(
      input.scope,
      compiled.needs,
      compiled.source.environment,
      compiled.needs.links ? scopeLinks(links, compiled.links) : undefined,
    ),
    filling: {
      links,
      pixel: pixel && (isSent || asks(input, DISPLAY.pixel)),
      honeypot: compiled.source.honeypot && isSent,
      banner,
    },
    unescaped: asks(input, DISPLAY.unescaped),
    missing: new Set(),
    findings: [],
  }
}

function asks({ mode, display = 0 }: RenderInput, bit: number): boolean {
  return mode === 'preview' && (display & bit) !== 0
}

function linkStyle({ source }: CompiledContent, input: RenderInput): LinkStyle {
  const isPreview = input.mode === 'preview'
  const isSilent = asks(input, DISPLAY.tracking)
  const isPlain = input.mode === 'copy' || (isPreview && !isSilent)
  return {
    tracking: isPlain ? 'plain' : isSilent ? 'silent' : 'tracked',
    preview: isPreview && !isSilent,
    test: input.mode === 'proof',
    short: factsOf(source.channel).isTextOnly && !isPreview,
  }
}

/** The mirror page shows the HTML, or the text when there is none; an override of the content leaves the subject. */
function wantedParts({ parts, source }: CompiledContent, input: RenderInput): CompiledPart[] {
  const isMirror = input.mode === 'mirror' || asks(input, DISPLAY.mirror)
  const shown = isMirror ? (parts.some(({ part }) => part === 'html') ? 'html' : 'text') : input.part
  return parts.filter(({ part }) => {
    if (part === 'subject') return input.subject === undefined
    if (input.inline !== undefined) return false
    return factsOf(source.channel).isTextOnly || shown === undefined || part === shown
  })
}

/** What rendering came to: a value, the reason of a cancellation, or the errors of the template. */
type Attempt<T> = { value: T } | { cancelled: string } | { errors: unknown[] }

function attempt<T>(render: () => T): Attempt<T> {
  try {
    return { value: render() }
  } catch (thrown) {
    if (thrown instanceof Cancelled) return { cancelled: thrown.message }
    const errors = flatten(thrown)
    if (!errors.every(isOfTemplate)) throw thrown
    return { errors }
  }
}

function runPart(part: CompiledPart, { input, scope, filling, unescaped }: Message, strict: boolean): Outcome {
  const { engine, nodes } = unescaped ? part.unescaped() : part
  return run(engine, nodes, {
    environment: { ...scope.environment },
    bare: scope.bare,
    strict,
    state: {
      zone: input.zone,
      now: input.scope.now,
      track(start, target) {
        const link = part.tracked.get(start)
        return link === undefined ? target : filling.links.redirection(link.id, target, link.url === null)
      },
    },
  })
}

function renderPart(part: CompiledPart, message: Message): Piece[] {
  const { fragments, missing } = runPart(part, message, false)
  for (const path of missing) message.missing.add(path)
  const pieces = fillMarkers(fragments, part.marks, message.filling)
  return part.isDerived ? closeUp(pieces) : pieces
}

/** Below these, every name is known before the send. */
const FIXED_ROOTS = new Set(['contact', 'related', 'action', 'campaign', 'stamp', 'account', 'links'])

/** Every error of a part under strict rendering; unknown names that may still be given at the send are findings. */
function strictErrors(part: CompiledPart, message: Message): Flaw<ErrorType>[] {
  if (part.isDerived) return []
  const rendered = attempt(() => runPart(part, message, true))
  if (!('errors' in rendered)) return []
  return rendered.errors.flatMap((error) => {
    const flaw = flawOf(part, error)
    const name = undefinedName(error)
    if (name === undefined) return flaw
    const text = `There is no ${name}.`
    if (FIXED_ROOTS.has(name.split('.', 1)[0] ?? '')) return { ...flaw, type: 'unknown-field', message: text }
    message.findings.push({ ...flaw, type: 'unknown-variable', message: text })
    return []
  })
}

function flawOf({ part, text, edits, isDerived }: CompiledPart, error: unknown): Flaw<ErrorType> {
  const offset = offsetOf(error)
  const position = offset === undefined || isDerived ? null : positionAt(text, originalOffset(edits, offset))
  return { ...describeRender(error), part, position }
}

function finish(texts: PartTexts, { input, filling, missing, findings }: Message): RenderedMessage<readonly Piece[]> {
  const { inline, prefix = '', subject } = input
  const sms = texts.textContent === undefined ? [] : [prefix, ...texts.textContent]
  const { html = [], text = sms, amp = [] } = inline === undefined ? texts : inlinePieces(inline)
  return {
    outcome: 'rendered',
    subject: headerText(prefix + headerText(subject ?? textOf(texts.subject ?? []))),
    html,
    text,
    amp,
    shortLinks: filling.links.short,
    missing: [...missing],
    findings,
  }
}

function inlinePieces({ html = '', text = '', amp = '' }: NonNullable<RenderInput['inline']>): PartTexts {
  const pieces = (part: string): Piece[] => (part === '' ? [] : [part])
  return { html: pieces(html), text: pieces(text), amp: pieces(amp) }
}

/** Control characters, line ends first of all, become one blank: nothing of a value can begin another header. */
export function headerText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}
