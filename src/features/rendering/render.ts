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

export type Rendered = RenderedMessage | CancelledMessage | FailedMessage

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
  const message = prepare(compiled, input)
  const parts = wantedParts(compiled, input)
  const { findings } = message
  const errors = knownErrors(compiled, input)
  if (input.strict && errors.length === 0) errors.push(...parts.flatMap((part) => strictErrors(part, message)))
  const texts: Partial<Record<Part, string>> = {}
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
    scope: buildScope(input.scope, compiled.needs, compiled.source.environment, scopeLinks(links, compiled.links)),
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
    short: source.channel === 'sms' && !isPreview,
  }
}

/** The mirror page shows the HTML, or the text when there is none; an override of the content leaves the subject. */
function wantedParts({ parts, source }: CompiledContent, input: RenderInput): CompiledPart[] {
  const isMirror = input.mode === 'mirror' || asks(input, DISPLAY.mirror)
  const shown = isMirror ? (parts.some(({ part }) => part === 'html') ? 'html' : 'text') : input.part
  return parts.filter(({ part }) => {
    if (part === 'subject') return input.subject === undefined
    if (input.inline !== undefined) return false
    return source.channel === 'sms' || shown === undefined || part === shown
  })
}

/** What rendering came to: a value, the reason of a cancellation, or the errors of the template. */
type Attempt<T> = { value: T } | { cancelled: string } | { errors: unknown[] }

function attempt<T>(render: () => T): Attempt<T> {
  try {
    return { value: render() }
  } catch (thrown) {
    if (thrown instanceof Cancelled) return { cancelled: thrown.message }
    if (!isOfTemplate(thrown)) throw thrown
    return { errors: flatten(thrown) }
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

function renderPart(part: CompiledPart, message: Message): string {
  const { text, missing } = runPart(part, message, false)
  for (const path of missing) message.missing.add(path)
  if (part.isDerived) return closeUp(text)
  return part.marks === undefined ? text : fillMarkers(text, part.marks, message.filling)
}

/** Derived text without the blanks and blank lines that conditions leave; most messages have none, and are only searched. */
function closeUp(text: string): string {
  const lines = withoutStrayBlanks(text)
  return `${(lines.includes('\n\n\n') ? lines.replace(/\n{3,}/g, '\n\n') : lines).trim()}\n`
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

/** Without blanks before line ends. Line ends are looked for, and not every blank of the text looked behind. */
function withoutStrayBlanks(text: string): string {
  let kept = ''
  let from = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    const stop = text.charCodeAt(end - 1) === 13 ? end - 1 : end
    let last = stop
    while (last > from && isBlank(text.charCodeAt(last - 1))) last--
    if (last === stop) continue
    kept += text.slice(from, last)
    from = stop
  }
  return from === 0 ? text : kept + text.slice(from)
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

function finish(texts: Partial<Record<Part, string>>, { input, filling, missing, findings }: Message): RenderedMessage {
  const { inline, prefix = '', subject } = input
  const sms = texts.textContent === undefined ? '' : prefix + texts.textContent
  const { html = '', text = sms, amp = '' } = inline ?? texts
  return {
    outcome: 'rendered',
    subject: headerText(prefix + headerText(subject ?? texts.subject ?? '')),
    ...{ html, text, amp, missing: [...missing], findings },
    shortLinks: filling.links.short,
  }
}

/** Control characters, line ends first of all, become one blank: nothing of a value can begin another header. */
export function headerText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}
