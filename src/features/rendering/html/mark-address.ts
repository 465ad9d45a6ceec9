import {
  addFlaw,
  type ContentErrorType,
  type ContentFindingType,
  type ContentFlaw,
  type ContentPartName,
  computeTextPosition,
  type TemplatePosition,
} from '../flaws.ts'
import { escapeHtml } from '../templates/liquid.ts'
import { hasMergeTag } from '../templates/merge-tags.ts'
import { LIQUID_MASKS_PATTERN, LIQUID_TAG_MASK } from '../templates/template-tags.ts'
import {
  detectLinkAddressKind,
  isRelativeAddress,
  type LinkAddressKind,
  normalizeLinkAddress,
  toAsciiHostAddress,
} from './addresses.ts'
import type { TextEdit } from './edits.ts'
import type { HtmlAttribute } from './html-elements.ts'
import type { TemplateMarkers } from './markers.ts'

/** A link of a content version, numbered from 1 in order of appearance. */
export interface LinkDefinition {
  id: number
  name: string
  type: 'redirection' | 'mirror' | 'unsubscribe' | 'form'
  /** The target; null when it is not the same for every message, and for links of the service. */
  url: string | null
  /** Wire id of the form. */
  form?: string
  /** It is in what is sent in place of the message. */
  isFallback?: true
}

/** The content that replaces a marker. */
export type MarkerReplacement =
  /**
   * A link whose target is known; `source` is the attribute's value as written, fit for quotes. `travels`: the link carries its
   * target, because contents frozen before such links were read do not have it in their tables.
   */
  | { type: 'link'; link: LinkDefinition; source: string; travels?: true }
  /** An address that a value makes; without a link when it is not to be tracked. Bare: it was written without quotes. */
  | { type: 'address'; link: LinkDefinition | undefined; bare: boolean }
  | { type: 'top' }
  | { type: 'pixel' }

/** Options for reading the links of a part. */
export interface LinkMarkOptions {
  part: ContentPartName
  /** Wire ids of the account's forms. */
  forms: readonly string[]
  /** Number of the first link found. */
  firstId: number
  /** Mark where the pixel goes and what stands at the top of the body. */
  body: boolean
}

/** The most characters in the name of a link. */
export const MAX_LINK_NAME_LENGTH = 80
const HELPER_ATTRIBUTES = ['tracking', 'dataminingname', 'linktype']

/** The state of one reading: what was found, and where. */
export interface LinkMarkingState {
  html: string
  masked: string
  options: LinkMarkOptions
  edits: TextEdit[]
  places: MarkerReplacement[]
  markers: TemplateMarkers
  links: LinkDefinition[]
  /** Links that only Outlook shows, with their texts. */
  outlook: { link: LinkDefinition; text: string }[]
  bodyStart: number | undefined
  bodyEnd: number | undefined
  errors: ContentFlaw<ContentErrorType>[]
  findings: ContentFlaw<ContentFindingType>[]
}

/** Values of helper attributes by their names. */
type HelperAttributes = Map<string, string>

/** Text for the name of a link: template tags left out, blanks collapsed. */
export function formatLinkName(text: string): string {
  return text.replace(LIQUID_MASKS_PATTERN, '').replace(/\s+/g, ' ').trim().slice(0, MAX_LINK_NAME_LENGTH).trim()
}

/** Marks the address of one element and takes its helper attributes away. */
export function markElementLink(
  marking: LinkMarkingState,
  attributes: HtmlAttribute[],
  start: number,
  end: number,
): LinkDefinition[] {
  for (const attribute of attributes)
    if (HELPER_ATTRIBUTES.includes(attribute.name)) removeHelperAttribute(marking, attribute)
  const hrefs = attributes.filter(({ name, valueStart }) => name === 'href' && valueStart !== undefined)
  // Browsers read the first of two equal attributes; only a condition between them makes the second one count.
  const conditional = marking.masked.slice(start, end).includes(LIQUID_TAG_MASK)
  const helpers = collectHelpers(attributes)
  return (conditional ? hrefs : hrefs.slice(0, 1)).flatMap((href) => markHref(marking, href, helpers) ?? [])
}

/** The helper attributes of an element, as browsers read them: of equal ones the first counts. */
function collectHelpers(attributes: readonly HtmlAttribute[]): HelperAttributes {
  const helpers: HelperAttributes = new Map()
  for (const { name, value } of attributes)
    if (HELPER_ATTRIBUTES.includes(name) && !helpers.has(name)) helpers.set(name, value)
  return helpers
}

/** Removes an attribute with the blanks before it, unless what follows would then touch what came before. */
function removeHelperAttribute({ html, edits }: LinkMarkingState, { start, end }: HtmlAttribute): void {
  const joinsNextAttribute = !/[\s/>]/.test(html.charAt(end))
  let removalStart = start
  while (!joinsNextAttribute && /\s/.test(html.charAt(removalStart - 1))) removalStart--
  edits.push({ start: removalStart, end, text: '' })
}

/** Marks one `href`. Returns the link that it makes, if any. */
function markHref(
  marking: LinkMarkingState,
  href: HtmlAttribute,
  helpers: HelperAttributes,
): LinkDefinition | undefined {
  const isDynamic = href.value.search(LIQUID_MASKS_PATTERN) !== -1
  const getHelper = (name: string): string | undefined => helpers.get(name)?.trim().toLowerCase()
  const isTracked = getHelper('tracking') !== 'disabled'
  const kind = detectLinkAddressKind(href.value)
  const linkTypeWord = getHelper('linktype')
  const form = resolveFormLink(marking, href, linkTypeWord, isDynamic ? 'other' : kind)
  const name = formatLinkName(helpers.get('dataminingname') ?? '')

  if (form !== undefined) return markStaticLink(marking, href, { name, type: 'form', url: null, form })
  const system = detectSystemLink(marking, href)
  if (system !== undefined) return markStaticLink(marking, href, { name, type: system, url: null })
  if (linkTypeWord !== 'form' && linkTypeWord !== 'system') reportRelativeAddress(marking, href, kind)
  if (isDynamic) return markDynamicLink(marking, href, isTracked ? name : undefined)
  if (kind === 'mirror' || kind === 'unsubscribe') return markStaticLink(marking, href, { name, type: kind, url: null })
  if (kind === 'web' && isTracked)
    return markStaticLink(marking, href, { name, type: 'redirection', url: normalizeLinkAddress(href.value) })
  if (kind === 'unsafe') refuseUnsafeLink(marking, href)
  if (kind === 'web') writeAsciiHost(marking, href)
  return undefined
}

/** True if an address of masked HTML is relative, unless a value makes more than its end, or it is a tag of another service. */
export function isRelativeTemplateLink(address: string): boolean {
  const [knownPrefix = '', ...otherPieces] = address.split(LIQUID_MASKS_PATTERN)
  return (
    (otherPieces.length === 0 || /[/?#.]/.test(knownPrefix)) && isRelativeAddress(knownPrefix) && !hasMergeTag(address)
  )
}

/** Reports an address without a scheme. */
function reportRelativeAddress(
  { html, findings, options: { part } }: LinkMarkingState,
  href: HtmlAttribute,
  kind: LinkAddressKind,
): void {
  if (kind !== 'other' || !isRelativeTemplateLink(href.value)) return
  const { start, end } = getInnerRange(href)
  const addressText = html.slice(start, end).trim().slice(0, MAX_LINK_NAME_LENGTH)
  const message = `The link "${addressText}" does not work in a message. Start it with https://.`
  addFlaw(findings, { type: 'link-relative', message, part }, () => computeTextPosition(html, href.start))
}

/** The form that a link leads to; undefined for other links. Says so when the word does not fit the address. */
function resolveFormLink(
  marking: LinkMarkingState,
  href: HtmlAttribute,
  word: string | undefined,
  kind: LinkAddressKind,
): string | undefined {
  const { part, forms } = marking.options
  const position = (): TemplatePosition => computeTextPosition(marking.html, href.start)
  const addFinding = (message: string): void =>
    addFlaw(marking.findings, { type: 'link-type', message, part }, position)
  if (word === 'form') {
    const id = href.value.trim().toUpperCase()
    if (forms.includes(id)) return id
    if (href.value.search(LIQUID_MASKS_PATTERN) !== -1)
      addFinding('The form of a link cannot be a value. The link is treated as External.')
    else addFlaw(marking.errors, { type: 'unknown-reference', message: `There is no form ${id}.`, part }, position)
  } else if (word === 'system') {
    if (kind === 'web' || kind === 'unsafe' || (kind === 'other' && href.value.search(LIQUID_MASKS_PATTERN) === -1))
      addFinding('A link of type System must lead to MirrorPage or Unsubscribe. It is treated as External.')
  } else if (word !== undefined && word !== 'external') {
    addFinding(
      `A link must be External, System or Form, not "${word.replace(LIQUID_MASKS_PATTERN, '...')}". It is treated as External.`,
    )
  }
  return undefined
}

/** An address that is nothing but `{{ links.mirror }}` or `{{ links.unsubscribe }}` is known before the values are. */
function detectSystemLink({ html }: LinkMarkingState, href: HtmlAttribute): 'mirror' | 'unsubscribe' | undefined {
  const { start, end } = getInnerRange(href)
  const name = /^\s*\{\{-?\s*links\.(mirror|unsubscribe)\s*-?\}\}\s*$/.exec(html.slice(start, end))?.[1]
  return name === 'mirror' || name === 'unsubscribe' ? name : undefined
}

/** A value that was written without quotes, for double ones. */
export function toQuotableValue(value: string): string {
  return value.replaceAll('"', '&#34;')
}

function markStaticLink(
  marking: LinkMarkingState,
  href: HtmlAttribute,
  link: Omit<LinkDefinition, 'id'>,
): LinkDefinition {
  const { start, end } = getInnerRange(href)
  const definedLink = registerLink(marking, link)
  const linkMark = marking.markers.at(marking.places.length)
  marking.places.push({ type: 'link', link: definedLink, source: toAttributeSource(marking, href) })
  marking.edits.push({ start, end, text: href.quoted ? linkMark : `"${linkMark}"` })
  return definedLink
}

/** The value stays between two markers: what it holds is read after Liquid made it. */
function markDynamicLink(
  marking: LinkMarkingState,
  href: HtmlAttribute,
  name: string | undefined,
): LinkDefinition | undefined {
  const { start, end } = getInnerRange(href)
  const quote = href.quoted ? '' : '"'
  const link = name === undefined ? undefined : registerLink(marking, { name, type: 'redirection', url: null })
  const openMark = marking.markers.at(marking.places.length)
  marking.places.push({ type: 'address', link, bare: !href.quoted })
  marking.edits.push(
    { start, end: start, text: quote + openMark },
    { start: end, end, text: marking.markers.end + quote },
  )
  return link
}

function refuseUnsafeLink(marking: LinkMarkingState, href: HtmlAttribute): void {
  const message = `A link must not lead to "${href.value.trim().slice(0, 20)}".`
  const flaw = { type: 'unsafe-link' as const, message, part: marking.options.part }
  addFlaw(marking.errors, flaw, () => computeTextPosition(marking.html, href.start))
  const { start, end } = getInnerRange(href)
  marking.edits.push({ start, end, text: '#' })
}

/** An address that is not tracked changes only where its host is not in A-labels. */
function writeAsciiHost(marking: LinkMarkingState, href: HtmlAttribute): void {
  if (toAsciiHostAddress(href.value) === href.value) return
  const text = toAttributeSource(marking, href)
  marking.edits.push({ ...getInnerRange(href), text: href.quoted ? text : `"${text}"` })
}

/** An address without values as it is sent untracked, fit for double quotes: as written, with its host in A-labels. */
function toAttributeSource({ html }: LinkMarkingState, href: HtmlAttribute): string {
  const address = toAsciiHostAddress(href.value)
  if (address !== href.value) return escapeHtml(address)
  const { start, end } = getInnerRange(href)
  return href.quoted ? html.slice(start, end) : toQuotableValue(html.slice(start, end))
}

/** The value of an attribute without its quotes. */
function getInnerRange({ valueStart = 0, end, quoted }: HtmlAttribute): { start: number; end: number } {
  return quoted ? { start: valueStart + 1, end: end - 1 } : { start: valueStart, end }
}

function registerLink({ links, options }: LinkMarkingState, link: Omit<LinkDefinition, 'id'>): LinkDefinition {
  const definedLink = { id: options.firstId + links.length, ...link }
  links.push(definedLink)
  return definedLink
}

/** Puts a marker where content of each message goes. */
export function insertMarker(marking: LinkMarkingState, at: number, place: MarkerReplacement): void {
  marking.edits.push({ start: at, end: at, text: marking.markers.at(marking.places.length) })
  marking.places.push(place)
}
