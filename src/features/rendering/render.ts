import type { TemplatePart } from '../../channels/authored.ts'
import type { CompiledContent, CompiledPart } from './content.ts'
import { fillMarkers, type MarkerFilling } from './fill.ts'
import {
  type ContentErrorType,
  type ContentFindingType,
  type ContentFlaw,
  computeTextPosition,
  describeRenderError,
  findErrorOffset,
  findUndefinedPath,
  flattenLiquidErrors,
  isTemplateError,
  MessageCancelledError,
} from './flaws.ts'
import { collapseBlankLines } from './html/close-up.ts'
import { toOriginalOffset } from './html/edits.ts'
import { toTrackedAddress } from './html/tracked-address.ts'
import {
  createMessageLinks,
  createScopeLinks,
  type LinkStyle,
  type MessageLinkInput,
  type ShortLink,
} from './message-links.ts'
import { buildRenderScope, type RenderScope, type RenderScopeInput, type ScopeLinks } from './scope.ts'
import { runTemplate, type TemplateRunOutcome } from './templates/liquid.ts'
import { joinTextPieces, type TextPiece } from './templates/pieces.ts'

/** Kinds of rendering (rendering.md section 3). */
export type RenderMode = 'live' | 'proof' | 'preview' | 'copy' | 'mirror'

/** Bits of `display` in a preview (actions.md 7.4). */
export const PREVIEW_DISPLAY_BITS = { tracking: 1, pixel: 2, mirror: 4, proof: 8, unescaped: 16 }

/** Everything one message is rendered from, beside its content. Plain data: it may come from another thread. */
export interface RenderInput {
  mode: RenderMode
  /** Sum of DISPLAY; previews only. What `proof` shows is in `prefix` and `banner`. */
  display?: number
  scope: RenderScopeInput
  links: MessageLinkInput
  /** Zone of the contact: IANA name or offset. */
  zone: string
  /** The contact has agreed to be seen opening, or the account does not ask. */
  pixel: boolean
  /** Look for unknown paths first; errors among them fail the rendering. */
  strict: boolean
  /** Of the parts that show the same only this one; the others are left out. */
  part?: string
  /** Only what is sent in place of the message. */
  isFallback?: true
  /** Before the parts that say so: the subject of a mail, the text of an SMS. */
  prefix?: string
  /** At the top of the HTML, plain text. */
  banner?: string
  /** Lines of the header in place of the rendered ones, as they are. */
  headers?: Record<string, string>
  /** Replaces all parts but the lines of the header, as it is: no template, no tracking, no pixel. */
  inline?: Record<string, string>
}

/** A rendered message. A `T` is one part: its text, or its pieces. */
export interface RenderedMessage<T = string> {
  outcome: 'rendered'
  /** By their names; empty ones may be absent. */
  parts: Readonly<Record<string, T>>
  /** To be stored before the message goes out. */
  shortLinks: ShortLink[]
  /** Paths that were printed and are not there, each once: they came out empty. */
  missing: string[]
  findings: ContentFlaw<ContentFindingType>[]
}

export interface CancelledMessage {
  outcome: 'cancelled'
  message: string
}

/** The first error, and all of them. */
export interface FailedMessage extends ContentFlaw<ContentErrorType> {
  outcome: 'failed'
  errors: ContentFlaw<ContentErrorType>[]
  findings: ContentFlaw<ContentFindingType>[]
}

export type RenderOutcome<T = string> = RenderedMessage<T> | CancelledMessage | FailedMessage

type PartTexts = Record<string, readonly TextPiece[]>

/** What goes into parts whose links are written in one way. */
interface Linked {
  filling: MarkerFilling
  /** What `links` gives to their templates, where they ask for it. */
  scope: ScopeLinks | undefined
}

/** What the parts of one message share. */
interface Message {
  compiled: CompiledContent
  input: RenderInput
  scope: RenderScope
  linked: Partial<Record<TemplatePart['links'], Linked>>
  short: ShortLink[]
  unescaped: boolean
  missing: Set<string>
  findings: ContentFlaw<ContentFindingType>[]
}

/** Renders a compiled content for one contact. Never throws for what a template or a value does. */
export function renderMessage(compiled: CompiledContent, input: RenderInput): RenderOutcome {
  const rendered = renderMessagePieces(compiled, input)
  if (rendered.outcome !== 'rendered') return rendered
  const parts: Record<string, string> = {}
  for (const [name, pieces] of Object.entries(rendered.parts)) parts[name] = joinTextPieces(pieces)
  return { ...rendered, parts }
}

/** The same for a sender: in pieces, so that what the template wrote need not be looked at again. */
export function renderMessagePieces(
  compiled: CompiledContent,
  input: RenderInput,
): RenderOutcome<readonly TextPiece[]> {
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
function knownErrors(
  { broken, errors }: CompiledContent,
  { inline, strict }: RenderInput,
): ContentFlaw<ContentErrorType>[] {
  return inline === undefined ? [...(strict ? errors : broken)] : []
}

function prepare(compiled: CompiledContent, input: RenderInput): Message {
  return {
    compiled,
    input,
    scope: buildRenderScope(input.scope, compiled.needs, compiled.source.environment),
    linked: {},
    short: [],
    unescaped: asks(input, PREVIEW_DISPLAY_BITS.unescaped),
    missing: new Set(),
    findings: [],
  }
}

/** What goes into a part, made with the first of those whose links are written as its own are. */
function linkedOf(message: Message, { links: way }: TemplatePart): Linked {
  const known = message.linked[way]
  if (known) return known
  const { compiled, input, short } = message
  const isSent = input.mode === 'live' || input.mode === 'proof'
  const links = createMessageLinks(input.links, linkStyle(input, way), short)
  const linked = {
    filling: {
      links,
      pixel: input.pixel && (isSent || asks(input, PREVIEW_DISPLAY_BITS.pixel)),
      honeypot: compiled.source.honeypot && isSent,
      banner: input.banner,
    },
    scope: compiled.needs.links ? createScopeLinks(links, compiled.links) : undefined,
  }
  message.linked[way] = linked
  return linked
}

function asks({ mode, display = 0 }: RenderInput, bit: number): boolean {
  return mode === 'preview' && (display & bit) !== 0
}

function linkStyle(input: RenderInput, way: TemplatePart['links']): LinkStyle {
  const isPreview = input.mode === 'preview'
  const isSilent = asks(input, PREVIEW_DISPLAY_BITS.tracking)
  const isPlain = input.mode === 'copy' || (isPreview && !isSilent)
  return {
    tracking: isPlain ? 'plain' : isSilent ? 'silent' : 'tracked',
    preview: isPreview && !isSilent,
    test: input.mode === 'proof',
    short: way === 'shortened' && !isPreview,
  }
}

/** The mirror page shows the page, or the text when there is none; an override of the content leaves its headers. */
function wantedParts({ parts }: CompiledContent, input: RenderInput): CompiledPart[] {
  const isMirror = input.mode === 'mirror' || asks(input, PREVIEW_DISPLAY_BITS.mirror)
  const shown = isMirror ? mirrored(parts) : input.part
  return parts.filter(({ part, given }) => {
    if (input.isFallback) return given.isFallback === true
    if (given.isHeader) return input.headers?.[part] === undefined
    if (input.inline !== undefined) return false
    return !given.isAlternative || shown === undefined || part === shown
  })
}

function mirrored(parts: readonly CompiledPart[]): string | undefined {
  const shown =
    parts.find(({ given }) => given.isPage) ?? parts.find(({ given }) => given.isAlternative && given.mode === 'text')
  return shown?.part
}

/** What rendering came to: a value, the reason of a cancellation, or the errors of the template. */
type Attempt<T> = { value: T } | { cancelled: string } | { errors: unknown[] }

function attempt<T>(render: () => T): Attempt<T> {
  try {
    return { value: render() }
  } catch (thrown) {
    if (thrown instanceof MessageCancelledError) return { cancelled: thrown.message }
    const errors = flattenLiquidErrors(thrown)
    if (!errors.every(isTemplateError)) throw thrown
    return { errors }
  }
}

function runPart(part: CompiledPart, message: Message, strict: boolean): TemplateRunOutcome {
  const { input, scope, unescaped } = message
  const { engine, nodes } = unescaped ? part.unescaped() : part
  const { filling, scope: links } = linkedOf(message, part.given)
  return runTemplate(engine, nodes, {
    environment: { ...scope.environment, links },
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

function renderPart(part: CompiledPart, message: Message): TextPiece[] {
  const { fragments, missing } = runPart(part, message, false)
  for (const path of missing) message.missing.add(path)
  const { filling } = linkedOf(message, part.given)
  const pieces = fillMarkers(fragments, part.marks, filling)
  if (part.given.isDerived) return collapseBlankLines(pieces)
  const { link, given } = part
  if (link === undefined || given.address === undefined) return pieces
  return [toTrackedAddress(joinTextPieces(pieces), { link, links: filling.links, longest: given.address.longest })]
}

/** Below these, every name is known before the send. */
const FIXED_ROOTS = new Set(['contact', 'related', 'action', 'campaign', 'stamp', 'account', 'links'])

/** Every error of a part under strict rendering; unknown names that may still be given at the send are findings. */
function strictErrors(part: CompiledPart, message: Message): ContentFlaw<ContentErrorType>[] {
  if (part.given.isDerived) return []
  const rendered = attempt(() => runPart(part, message, true))
  if (!('errors' in rendered)) return []
  return rendered.errors.flatMap((error) => {
    const flaw = flawOf(part, error)
    const name = findUndefinedPath(error)
    if (name === undefined) return flaw
    const text = `There is no ${name}.`
    if (FIXED_ROOTS.has(name.split('.', 1)[0] ?? '')) return { ...flaw, type: 'unknown-field', message: text }
    message.findings.push({ ...flaw, type: 'unknown-variable', message: text })
    return []
  })
}

function flawOf(
  { part, text, edits, given: { isDerived } }: CompiledPart,
  error: unknown,
): ContentFlaw<ContentErrorType> {
  const offset = findErrorOffset(error)
  const position = offset === undefined || isDerived ? null : computeTextPosition(text, toOriginalOffset(edits, offset))
  return { ...describeRenderError(error), part, position }
}

function finish(
  texts: PartTexts,
  { compiled, input, short, missing, findings }: Message,
): RenderedMessage<readonly TextPiece[]> {
  const { inline, prefix = '', headers = {} } = input
  const parts: PartTexts = inline === undefined ? texts : { ...texts, ...inlinePieces(inline) }
  for (const { name, isHeader, isPrefixed } of compiled.source.parts) {
    const before = isPrefixed ? prefix : ''
    if (isHeader) {
      const line = sanitizeHeaderText(before + sanitizeHeaderText(headers[name] ?? joinTextPieces(texts[name] ?? [])))
      parts[name] = line === '' ? [] : [line]
    } else if (before !== '' && texts[name] !== undefined) parts[name] = [before, ...texts[name]]
  }
  return { outcome: 'rendered', parts, shortLinks: short, missing: [...missing], findings }
}

function inlinePieces(inline: NonNullable<RenderInput['inline']>): PartTexts {
  return Object.fromEntries(Object.entries(inline).map(([part, text]) => [part, text === '' ? [] : [text]]))
}

/** Control characters, line ends first of all, become one blank: nothing of a value can begin another header. */
export function sanitizeHeaderText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}
