import type { Template } from 'liquidjs'
import type { TemplatePart } from '../../channels/authored.ts'
import type { CompiledContent, CompiledPart, ContentSource } from './content.ts'
import {
  addFlaw,
  type ContentErrorType,
  type ContentFindingType,
  type ContentFlaw,
  type ContentPartName,
  computeTextPosition,
  describeSyntaxError,
  findErrorOffset,
  flattenLiquidErrors,
  MAX_REPORTED_FLAWS,
} from './flaws.ts'
import { detectLinkAddressKind, findNonAsciiHosts, normalizeLinkAddress } from './html/addresses.ts'
import { analyseHtml, checkTemplatePaths, findMissingUnsubscribe } from './html/checks.ts'
import { splitCollapsedPieces } from './html/close-up.ts'
import { applyEdits, type TextEdit, toOriginalOffset } from './html/edits.ts'
import { markHtmlLinks } from './html/html-links.ts'
import type { LinkDefinition } from './html/mark-address.ts'
import { createTemplateMarkers } from './html/markers.ts'
import { findHiddenPictures } from './html/pictures.ts'
import { deriveTextPart } from './html/text-part.ts'
import { findScopeNeeds } from './scope.ts'
import { createLiquidEngine, type LiquidEngine, MAX_TEMPLATE_LENGTH } from './templates/liquid.ts'
import { findMergeTags } from './templates/merge-tags.ts'
import { findTemplateUses, type TemplateUses } from './templates/paths.ts'
import { splitTextPieces } from './templates/pieces.ts'
import { scanTemplateTags, type TemplateTag } from './templates/template-tags.ts'

/** The number of a link has two bytes in a token. */
const MAX_LINKS = 0xffff

/** State collected while compiling a content. */
interface Compilation {
  source: ContentSource
  engines: { escaping: LiquidEngine; plain: LiquidEngine }
  links: LinkDefinition[]
  /** Links that only Outlook shows: their numbers come last. */
  outlookLinks: LinkDefinition[]
  errors: ContentFlaw<ContentErrorType>[]
  /** Errors that leave a part out. */
  broken: ContentFlaw<ContentErrorType>[]
  findings: ContentFlaw<ContentFindingType>[]
  read: ParsedPart[]
}

/** A part that was parsed; its `tracked` links are numbered when all parts are read. */
interface ParsedPart extends Omit<CompiledPart, 'tracked'> {
  uses: TemplateUses
  tracked: Map<number, LinkDefinition>
}

/**
 * Parses a content once and finds its errors without a contact. Never throws for a faulty template: its errors are in the result. The same
 * source always has the same links, in any thread.
 */
export function compileContent(source: ContentSource): CompiledContent {
  const engines = {
    escaping: createLiquidEngine(source.culture, true),
    plain: createLiquidEngine(source.culture, false),
  }
  const flaws = { errors: [], broken: [], findings: [] }
  const compilation: Compilation = { source, engines, links: [], outlookLinks: [], ...flaws, read: [] }
  for (const templatePart of source.parts) parseGivenPart(compilation, templatePart)
  numberTrackedLinks(compilation)
  numberFormLinks(compilation)
  if (source.analyse) analyseParts(compilation)
  numberOutlookLinks(compilation)
  const { links, broken, read: parsedParts } = compilation
  if (links.length > MAX_LINKS) {
    const message = `The content has ${links.length} links; at most ${MAX_LINKS} can be distinguished.`
    broken.push({ type: 'limit', message, part: parsedParts[0]?.part ?? '', position: null })
  }
  const paths = parsedParts.flatMap(({ uses }) => uses.paths)
  const errors = [...broken, ...compilation.errors].slice(0, MAX_REPORTED_FLAWS)
  const findings = compilation.findings.slice(0, MAX_REPORTED_FLAWS)
  return { source, links, errors, broken, findings, needs: findScopeNeeds(paths, source.fields), parts: parsedParts }
}

/** The text part of HTML; none of one whose template tags cannot be distinguished, which is an error there. */
function deriveText(html: string): string | undefined {
  const tags = scanTags(html)
  return tags && deriveTextPart(html, tags)
}

function scanTags(text: string): TemplateTag[] | undefined {
  try {
    return scanTemplateTags(text)
  } catch {
    return undefined
  }
}

function parseGivenPart(compilation: Compilation, templatePart: TemplatePart): void {
  const text = templatePart.isDerived ? deriveText(templatePart.template) : templatePart.template
  if (text !== undefined) parsePart(compilation, templatePart, text)
}

function parsePart(compilation: Compilation, templatePart: TemplatePart, text: string): void {
  const { source, engines, links, broken } = compilation
  const { name: part, mode, isDerived = false, isPage = false, isHeader = false } = templatePart
  if (text.length > MAX_TEMPLATE_LENGTH && !isDerived) {
    const message = `A part can have at most ${MAX_TEMPLATE_LENGTH} characters, not ${text.length}.`
    broken.push({ type: 'limit', message, part, position: null })
    return
  }
  const isHtml = mode === 'html'
  const tags = isHtml ? scanTags(text) : undefined
  const options = { part, forms: source.forms, firstId: links.length + 1, body: isPage }
  const markedHtml = tags && markHtmlLinks(text, tags, options)
  const edits = markedHtml?.edits ?? (isHtml || isHeader ? [] : findNonAsciiHosts(text))
  const parsedText = markedHtml?.text ?? applyEdits(text, edits)
  const engine = isHtml ? engines.escaping : engines.plain
  const splitPieces = markedHtml?.markers.split ?? (isDerived ? splitCollapsedPieces : splitTextPieces)
  const nodes = parseTemplate(compilation, { part, text, edits }, () => engine.parse(parsedText, splitPieces))
  if (nodes === undefined) return

  links.push(...(markedHtml?.links ?? []))
  compilation.outlookLinks.push(...(markedHtml?.outlookLinks ?? []))
  const link = templatePart.address && createAddressLink(compilation, templatePart, templatePart.address.name)
  compilation.errors.push(...(markedHtml?.errors ?? []))
  compilation.findings.push(...(markedHtml?.findings ?? []))
  const uses = findTemplateUses(nodes)
  if (!isDerived) {
    const positionAt = (offset: number) => computeTextPosition(text, toOriginalOffset(edits, offset))
    const { errors, findings } = checkTemplatePaths(uses, { part, isHtml, source, at: positionAt })
    compilation.errors.push(...errors)
    compilation.findings.push(...findings)
    if (tags) compilation.findings.push(...findHiddenPictures(text, tags, part))
    compilation.findings.push(...findMergeTags(text, tags ?? scanTags(text) ?? [], { part, isHtml }))
  }
  compilation.read.push({
    part,
    given: templatePart,
    text,
    edits,
    nodes,
    engine,
    uses,
    link,
    unescaped: () => ({ nodes: engines.plain.parse(parsedText, splitPieces), engine: engines.plain }),
    tracked: new Map(),
    marks: markedHtml ?? { places: [], markers: createTemplateMarkers(() => false) },
  })
}

/** The link of a part that is one address: its target, where no template tag is in it. */
function createAddressLink(
  { links, errors }: Compilation,
  { name: part, template }: TemplatePart,
  name: string | null,
) {
  const url = template.includes('{{') || template.includes('{%') ? null : normalizeLinkAddress(template)
  const link: LinkDefinition = { id: links.length + 1, name: '', type: 'redirection', url }
  link.name = name?.trim() || String(link.id)
  links.push(link)
  if (url !== null && detectLinkAddressKind(url) !== 'web') {
    const message = `A tracked link requires an http or https address, not "${url.slice(0, 80)}".`
    addFlaw(errors, { type: 'unsafe-link', message, part }, () => null)
  }
  return link
}

/** Parses, or adds every fault of syntax, at its place in the text as it was written. */
function parseTemplate(
  { broken }: Compilation,
  { part, text, edits }: { part: ContentPartName; text: string; edits: TextEdit[] },
  parseText: () => Template[],
): Template[] | undefined {
  try {
    return parseText()
  } catch (thrownError) {
    for (const error of flattenLiquidErrors(thrownError)) {
      const offset = findErrorOffset(error)
      addFlaw(broken, { ...describeSyntaxError(error), part }, () =>
        offset === undefined ? null : computeTextPosition(text, toOriginalOffset(edits, offset)),
      )
    }
    return undefined
  }
}

/** Links of `tracked` come after those of HTML, in the order of the parts. */
function numberTrackedLinks({ read: parsedParts, links, errors }: Compilation): void {
  for (const { part, given: templatePart, text, edits, uses, tracked } of parsedParts)
    for (const { name, start, literal, argument } of uses.filters) {
      if (name !== 'tracked') continue
      const id = links.length + 1
      const link: LinkDefinition = {
        id,
        name: argument?.trim() || String(id),
        type: 'redirection',
        url: literal?.trim() ?? null,
        ...(templatePart.isFallback && { isFallback: true }),
      }
      links.push(link)
      tracked.set(start, link)
      if (literal === undefined || /^https?:\/\//i.test(literal.trim())) continue
      const message = `"tracked" requires an http or https address, not "${literal.slice(0, 80)}".`
      addFlaw(errors, { type: 'unsafe-link', message, part }, () =>
        computeTextPosition(text, toOriginalOffset(edits, start)),
      )
    }
}

/** Forms that are only linked to by `links.form` also have a number, because a token contains only numbers. */
function numberFormLinks({ read: parsedParts, links, source }: Compilation): void {
  const formPaths = parsedParts
    .flatMap(({ uses }) => uses.paths)
    .filter(({ names: [root, member] }) => root === 'links' && member === 'form')
  const isAnyAsked = formPaths.some(({ names }) => names[2] === undefined)
  for (const form of source.forms) {
    const isUsed = isAnyAsked || formPaths.some(({ names }) => names[2] === form)
    if (isUsed && !links.some((link) => link.form === form))
      links.push({ id: links.length + 1, name: form, type: 'form', url: null, form })
  }
}

/** Numbers the Outlook links last, so that no other number depends on them. */
function numberOutlookLinks({ links, outlookLinks }: Compilation): void {
  for (const link of outlookLinks) {
    link.id = links.length + 1
    link.name ||= String(link.id)
    links.push(link)
  }
}

/** Adds findings. Runs before the Outlook links are numbered: a link to unsubscribe that only Outlook shows is not enough. */
function analyseParts({ source, read: parsedParts, links, findings }: Compilation): void {
  const page = parsedParts.find(({ given: templatePart }) => templatePart.isPage)
  if (page !== undefined) findings.push(...analyseHtml(page.text, scanTags(page.text) ?? [], page.part))
  if (!source.wantsUnsubscribeLink) return
  const visiblePart = page ?? parsedParts.find(({ given: templatePart }) => templatePart.isAlternative)
  findings.push(
    ...findMissingUnsubscribe(
      links,
      parsedParts.flatMap(({ uses }) => uses.paths),
      visiblePart?.part ?? '',
    ),
  )
}
