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

/** Kinds of rendering. */
export type RenderMode = 'live' | 'proof' | 'preview' | 'copy' | 'mirror'

/** Bits of `display` in a preview. */
export const PREVIEW_DISPLAY_BITS = { tracking: 1, pixel: 2, mirror: 4, proof: 8, unescaped: 16 }

/** Input for rendering one message, in addition to its content. Plain data: it may come from another thread. */
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
  /** Selects one of the parts that show the same content; the others are omitted. */
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

/** Values of parts whose links have the same style. */
interface LinkedValues {
  filling: MarkerFilling
  /** The `links` object of their templates, if they use it. */
  scope: ScopeLinks | undefined
}

/** State shared by the parts of one message. */
interface MessageState {
  compiled: CompiledContent
  input: RenderInput
  scope: RenderScope
  linked: Partial<Record<TemplatePart['links'], LinkedValues>>
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
  const message = prepareMessage(compiled, input)
  const parts = selectParts(compiled, input)
  const { findings } = message
  const errors = listKnownErrors(compiled, input)
  if (input.strict && errors.length === 0) errors.push(...parts.flatMap((part) => listStrictErrors(part, message)))
  const texts: PartTexts = {}
  for (const part of errors.length > 0 ? [] : parts) {
    const rendered = attemptRender(() => renderPart(part, message))
    if ('cancelled' in rendered) return { outcome: 'cancelled', message: rendered.cancelled }
    if ('errors' in rendered) errors.push(...rendered.errors.map((error) => toContentFlaw(part, error)))
    else texts[part.part] = rendered.value
    if (errors.length > 0) break
  }
  const [first] = errors
  return first === undefined ? finishMessage(texts, message) : { outcome: 'failed', ...first, errors, findings }
}

/** Errors that were found without the contact: those that leave a part out, under strict rendering all of them. */
function listKnownErrors(
  { broken, errors }: CompiledContent,
  { inline, strict }: RenderInput,
): ContentFlaw<ContentErrorType>[] {
  return inline === undefined ? [...(strict ? errors : broken)] : []
}

function prepareMessage(compiled: CompiledContent, input: RenderInput): MessageState {
  return {
    compiled,
    input,
    scope: buildRenderScope(input.scope, compiled.needs, compiled.source.environment),
    linked: {},
    short: [],
    unescaped: hasDisplayBit(input, PREVIEW_DISPLAY_BITS.unescaped),
    missing: new Set(),
    findings: [],
  }
}

/** Values of a part, created with the first part whose links have the same style. */
function getLinkedValues(message: MessageState, { links: way }: TemplatePart): LinkedValues {
  const cachedValues = message.linked[way]
  if (cachedValues) return cachedValues
  const { compiled, input, short } = message
  const isSent = input.mode === 'live' || input.mode === 'proof'
  const links = createMessageLinks(input.links, resolveLinkStyle(input, way), short)
  const linkedValues = {
    filling: {
      links,
      pixel: input.pixel && (isSent || hasDisplayBit(input, PREVIEW_DISPLAY_BITS.pixel)),
      honeypot: compiled.source.honeypot && isSent,
      banner: input.banner,
    },
    scope: compiled.needs.links ? createScopeLinks(links, compiled.links) : undefined,
  }
  message.linked[way] = linkedValues
  return linkedValues
}

function hasDisplayBit({ mode, display = 0 }: RenderInput, bit: number): boolean {
  return mode === 'preview' && (display & bit) !== 0
}

function resolveLinkStyle(input: RenderInput, way: TemplatePart['links']): LinkStyle {
  const isPreview = input.mode === 'preview'
  const isSilent = hasDisplayBit(input, PREVIEW_DISPLAY_BITS.tracking)
  const isPlain = input.mode === 'copy' || (isPreview && !isSilent)
  return {
    tracking: isPlain ? 'plain' : isSilent ? 'silent' : 'tracked',
    preview: isPreview && !isSilent,
    test: input.mode === 'proof',
    short: way === 'shortened' && !isPreview,
  }
}

/** The mirror page shows the page, or the text if there is no page; a content override leaves the headers unchanged. */
function selectParts({ parts }: CompiledContent, input: RenderInput): CompiledPart[] {
  const isMirror = input.mode === 'mirror' || hasDisplayBit(input, PREVIEW_DISPLAY_BITS.mirror)
  const visibleName = isMirror ? findMirrorPart(parts) : input.part
  return parts.filter(({ part, given: templatePart }) => {
    if (input.isFallback) return templatePart.isFallback === true
    if (templatePart.isHeader) return input.headers?.[part] === undefined
    if (input.inline !== undefined) return false
    return !templatePart.isAlternative || visibleName === undefined || part === visibleName
  })
}

function findMirrorPart(parts: readonly CompiledPart[]): string | undefined {
  const visiblePart =
    parts.find(({ given: templatePart }) => templatePart.isPage) ??
    parts.find(({ given: templatePart }) => templatePart.isAlternative && templatePart.mode === 'text')
  return visiblePart?.part
}

/** Outcome of rendering: a value, the reason of a cancellation, or the errors of the template. */
type RenderAttempt<T> = { value: T } | { cancelled: string } | { errors: unknown[] }

function attemptRender<T>(render: () => T): RenderAttempt<T> {
  try {
    return { value: render() }
  } catch (thrownError) {
    if (thrownError instanceof MessageCancelledError) return { cancelled: thrownError.message }
    const errors = flattenLiquidErrors(thrownError)
    if (!errors.every(isTemplateError)) throw thrownError
    return { errors }
  }
}

function executePart(part: CompiledPart, message: MessageState, strict: boolean): TemplateRunOutcome {
  const { input, scope, unescaped } = message
  const { engine, nodes } = unescaped ? part.unescaped() : part
  const { filling, scope: links } = getLinkedValues(message, part.given)
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

function renderPart(part: CompiledPart, message: MessageState): TextPiece[] {
  const { fragments, missing } = executePart(part, message, false)
  for (const path of missing) message.missing.add(path)
  const { filling } = getLinkedValues(message, part.given)
  const pieces = fillMarkers(fragments, part.marks, filling)
  if (part.given.isDerived) return collapseBlankLines(pieces)
  const { link, given: templatePart } = part
  if (link === undefined || templatePart.address === undefined) return pieces
  return [
    toTrackedAddress(joinTextPieces(pieces), { link, links: filling.links, longest: templatePart.address.longest }),
  ]
}

/** Below these, every name is known before the send. */
const FIXED_SCOPE_ROOTS = new Set(['contact', 'related', 'action', 'campaign', 'stamp', 'account', 'links'])

/** Every error of a part under strict rendering; unknown names that may still be given at the send are findings. */
function listStrictErrors(part: CompiledPart, message: MessageState): ContentFlaw<ContentErrorType>[] {
  if (part.given.isDerived) return []
  const rendered = attemptRender(() => executePart(part, message, true))
  if (!('errors' in rendered)) return []
  return rendered.errors.flatMap((error) => {
    const flaw = toContentFlaw(part, error)
    const name = findUndefinedPath(error)
    if (name === undefined) return flaw
    const text = `There is no ${name}.`
    if (FIXED_SCOPE_ROOTS.has(name.split('.', 1)[0] ?? '')) return { ...flaw, type: 'unknown-field', message: text }
    message.findings.push({ ...flaw, type: 'unknown-variable', message: text })
    return []
  })
}

function toContentFlaw(
  { part, text, edits, given: { isDerived } }: CompiledPart,
  error: unknown,
): ContentFlaw<ContentErrorType> {
  const offset = findErrorOffset(error)
  const position = offset === undefined || isDerived ? null : computeTextPosition(text, toOriginalOffset(edits, offset))
  return { ...describeRenderError(error), part, position }
}

function finishMessage(
  texts: PartTexts,
  { compiled, input, short, missing, findings }: MessageState,
): RenderedMessage<readonly TextPiece[]> {
  const { inline, prefix = '', headers = {} } = input
  const parts: PartTexts = inline === undefined ? texts : { ...texts, ...toInlinePieces(inline) }
  for (const { name, isHeader, isPrefixed } of compiled.source.parts) {
    const textPrefix = isPrefixed ? prefix : ''
    if (isHeader) {
      const line = sanitizeHeaderText(
        textPrefix + sanitizeHeaderText(headers[name] ?? joinTextPieces(texts[name] ?? [])),
      )
      parts[name] = line === '' ? [] : [line]
    } else if (textPrefix !== '' && texts[name] !== undefined) parts[name] = [textPrefix, ...texts[name]]
  }
  return { outcome: 'rendered', parts, shortLinks: short, missing: [...missing], findings }
}

function toInlinePieces(inline: NonNullable<RenderInput['inline']>): PartTexts {
  return Object.fromEntries(Object.entries(inline).map(([part, text]) => [part, text === '' ? [] : [text]]))
}

/** Control characters, line ends first of all, become one blank: nothing of a value can begin another header. */
export function sanitizeHeaderText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}
