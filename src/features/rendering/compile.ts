import type { Template } from 'liquidjs'
import { factsOf } from '../../channels/facts.ts'
import { analyseHtml, checkPaths, findUnsubscribe } from './checks.ts'
import { closedPieces } from './close-up.ts'
import type { CompiledContent, CompiledPart, ContentSource } from './content.ts'
import { type Edit, originalOffset } from './edits.ts'
import {
  addFlaw,
  describeSyntax,
  type ErrorType,
  type FindingType,
  FLAW_LIMIT,
  type Flaw,
  flatten,
  offsetOf,
  type Part,
  positionAt,
} from './flaws.ts'
import { type LinkDefinition, markLinks } from './html-links.ts'
import { createEngine, type Engine, PARSE_LIMIT } from './liquid.ts'
import { createMarkers } from './markers.ts'
import { type Uses, usesOf } from './paths.ts'
import { piecesOf } from './pieces.ts'
import { needsOf } from './scope.ts'
import { type TemplateTag, templateTags } from './template-tags.ts'
import { deriveText } from './text-part.ts'

/** The number of a link has two bytes in a token. */
const LINK_LIMIT = 0xffff

/** What compiling a content gathers. */
interface Compilation {
  source: ContentSource
  engines: { escaping: Engine; plain: Engine }
  links: LinkDefinition[]
  errors: Flaw<ErrorType>[]
  /** Errors that leave a part out. */
  broken: Flaw<ErrorType>[]
  findings: Flaw<FindingType>[]
  read: ReadPart[]
}

/** A part that was parsed; its `tracked` links are numbered when all parts are read. */
interface ReadPart extends Omit<CompiledPart, 'tracked'> {
  uses: Uses
  tracked: Map<number, LinkDefinition>
}

/**
 * Parses a content once and finds what is wrong with it without a contact (rendering.md sections 3 and 4).
 * Never throws for a faulty template: its errors are in the result. The same source gives the same links, in any thread.
 */
export function compileContent(source: ContentSource): CompiledContent {
  const engines = { escaping: createEngine(source.culture, true), plain: createEngine(source.culture, false) }
  const compilation: Compilation = { source, engines, links: [], errors: [], broken: [], findings: [], read: [] }
  for (const { part, text, isDerived } of partsOf(source)) readPart(compilation, part, text, isDerived)
  numberTracked(compilation)
  numberForms(compilation)
  if (source.analyse) analyse(compilation)
  const { links, broken, read } = compilation
  if (links.length > LINK_LIMIT) {
    const message = `The content has ${links.length} links; at most ${LINK_LIMIT} can be distinguished.`
    broken.push({ type: 'limit', message, part: read[0]?.part ?? 'html', position: null })
  }
  const paths = read.flatMap(({ uses }) => uses.paths)
  const errors = [...broken, ...compilation.errors].slice(0, FLAW_LIMIT)
  const findings = compilation.findings.slice(0, FLAW_LIMIT)
  return { source, links, errors, broken, findings, needs: needsOf(paths, source.fields), parts: read }
}

/** The parts that are rendered: links of the HTML are numbered first, then those of the AMP part. */
function partsOf(source: ContentSource): { part: Part; text: string; isDerived: boolean }[] {
  const { contentFormat: format } = source
  const wanted: [Part, string | null][] = factsOf(source.channel).isTextOnly
    ? [['textContent', source.textContent]]
    : [
        ['html', format === 3 ? null : source.html],
        ['amp', format === 3 ? null : source.amp],
        ['subject', source.subject],
        ['text', format === 1 ? null : source.text],
      ]
  const parts = wanted.flatMap(([part, text]) =>
    text === null || text.trim() === '' ? [] : { part, text, isDerived: false },
  )
  const isTextMissing =
    !factsOf(source.channel).isTextOnly && format === 2 && !parts.some(({ part }) => part === 'text')
  const derived = isTextMissing && source.html !== null ? derive(source.html) : undefined
  return derived === undefined ? parts : [...parts, { part: 'text', text: derived, isDerived: true }]
}

/** The text part of HTML; none of one whose template tags cannot be distinguished, which is an error there. */
function derive(html: string): string | undefined {
  const tags = readTags(html)
  return tags && deriveText(html, tags)
}

function readTags(text: string): TemplateTag[] | undefined {
  try {
    return templateTags(text)
  } catch {
    return undefined
  }
}

function readPart(compilation: Compilation, part: Part, text: string, isDerived: boolean): void {
  const { source, engines, links, broken } = compilation
  if (text.length > PARSE_LIMIT && !isDerived) {
    const message = `A part has at most ${PARSE_LIMIT} characters, not ${text.length}.`
    broken.push({ type: 'limit', message, part, position: null })
    return
  }
  const isHtml = part === 'html' || part === 'amp'
  const tags = isHtml ? readTags(text) : undefined
  const options = { part, forms: source.forms, firstId: links.length + 1, body: part === 'html' }
  const marked = tags && markLinks(text, tags, options)
  const edits = marked?.edits ?? []
  const parsedText = marked?.text ?? text
  const engine = isHtml ? engines.escaping : engines.plain
  const split = marked?.markers.split ?? (isDerived ? closedPieces : piecesOf)
  const nodes = parse(compilation, { part, text, edits }, () => engine.parse(parsedText, split))
  if (nodes === undefined) return

  links.push(...(marked?.links ?? []))
  compilation.errors.push(...(marked?.errors ?? []))
  compilation.findings.push(...(marked?.findings ?? []))
  const uses = usesOf(nodes)
  if (!isDerived) {
    const at = (offset: number) => positionAt(text, originalOffset(edits, offset))
    const { errors, findings } = checkPaths(uses, { part, source, at })
    compilation.errors.push(...errors)
    compilation.findings.push(...findings)
  }
  compilation.read.push({
    ...{ part, text, edits, nodes, engine, uses, isDerived },
    unescaped: () => ({ nodes: engines.plain.parse(parsedText, split), engine: engines.plain }),
    tracked: new Map(),
    marks: marked ?? { places: [], markers: createMarkers(() => false) },
  })
}

/** Parses, or adds every fault of syntax, at its place in the text as it was written. */
function parse(
  { broken }: Compilation,
  { part, text, edits }: { part: Part; text: string; edits: Edit[] },
  parseText: () => Template[],
): Template[] | undefined {
  try {
    return parseText()
  } catch (thrown) {
    for (const error of flatten(thrown)) {
      const offset = offsetOf(error)
      addFlaw(broken, { ...describeSyntax(error), part }, () =>
        offset === undefined ? null : positionAt(text, originalOffset(edits, offset)),
      )
    }
    return undefined
  }
}

/** Links of `tracked` come after those of HTML, in the order of the parts. */
function numberTracked({ read, links, errors }: Compilation): void {
  for (const { part, text, edits, uses, tracked } of read)
    for (const { name, start, literal, argument } of uses.filters) {
      if (name !== 'tracked') continue
      const id = links.length + 1
      const link: LinkDefinition = {
        id,
        name: argument?.trim() || String(id),
        type: 'redirection',
        url: literal?.trim() ?? null,
      }
      links.push(link)
      tracked.set(start, link)
      if (literal === undefined || /^https?:\/\//i.test(literal.trim())) continue
      const message = `"tracked" needs an http or https address, not "${literal.slice(0, 80)}".`
      addFlaw(errors, { type: 'unsafe-link', message, part }, () => positionAt(text, originalOffset(edits, start)))
    }
}

/** Forms that are only linked to by `links.form` get a number, too: a token holds numbers only. */
function numberForms({ read, links, source }: Compilation): void {
  const asked = read
    .flatMap(({ uses }) => uses.paths)
    .filter(({ names: [root, member] }) => root === 'links' && member === 'form')
  const isAnyAsked = asked.some(({ names }) => names[2] === undefined)
  for (const form of source.forms) {
    const isUsed = isAnyAsked || asked.some(({ names }) => names[2] === form)
    if (isUsed && !links.some((link) => link.form === form))
      links.push({ id: links.length + 1, name: form, type: 'form', url: null, form })
  }
}

function analyse({ source, read, links, findings }: Compilation): void {
  if (factsOf(source.channel).isTextOnly) return
  const html = read.find(({ part }) => part === 'html')
  if (html !== undefined) findings.push(...analyseHtml(html.text, readTags(html.text) ?? []))
  findings.push(
    ...findUnsubscribe(
      links,
      read.flatMap(({ uses }) => uses.paths),
      html === undefined ? 'text' : 'html',
    ),
  )
}
