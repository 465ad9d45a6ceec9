import {
  addFlaw,
  type ContentErrorType,
  type ContentFindingType,
  type ContentFlaw,
  computeTextPosition,
} from '../flaws.ts'
import { maskTemplateTags, type TemplateTag } from '../templates/template-tags.ts'
import { applyEdits, sortEdits, type TextEdit } from './edits.ts'
import { readHtmlElements } from './html-elements.ts'
import {
  formatLinkName,
  insertMarker,
  type LinkDefinition,
  type LinkMarkingState,
  type LinkMarkOptions,
  MAX_LINK_NAME_LENGTH,
  type MarkerReplacement,
  markElementLink,
} from './mark-address.ts'
import { createTemplateMarkers, type TemplateMarkers } from './markers.ts'
import { findConditionalComment, isLinkElement, isVmlElement } from './outlook-comments.ts'

/** HTML ready for Liquid: links marked, helper attributes gone, everything else byte for byte. */
export interface MarkedHtml {
  text: string
  edits: TextEdit[]
  places: MarkerReplacement[]
  markers: TemplateMarkers
  links: LinkDefinition[]
  /** Links that only Outlook shows and that share no target with others; numbered after all other links of the content. */
  outlookLinks: LinkDefinition[]
  errors: ContentFlaw<ContentErrorType>[]
  findings: ContentFlaw<ContentFindingType>[]
}

/** A link element that is open: its text becomes the name of those of its links that have none. */
interface OpenLink {
  name: string
  links: LinkDefinition[]
  text: string
}

/** Finds the links of an HTML template and marks them. */
export function markHtmlLinks(html: string, tags: readonly TemplateTag[], options: LinkMarkOptions): MarkedHtml {
  const places: MarkerReplacement[] = []
  const marking: LinkMarkingState = {
    html,
    masked: maskTemplateTags(html, tags),
    options,
    edits: [],
    places,
    markers: createTemplateMarkers((place) => places[place]?.type === 'address'),
    links: [],
    outlook: [],
    bodyStart: undefined,
    bodyEnd: undefined,
    errors: [],
    findings: [],
  }
  readLinks(marking)
  const outlookLinks = joinOutlookLinks(marking)
  if (options.body) {
    const { bodyStart, bodyEnd: documentEnd = html.length } = marking
    insertMarker(marking, bodyStart ?? documentEnd, { type: 'top' })
    insertMarker(marking, documentEnd, { type: 'pixel' })
  }
  const { markers, links, errors, findings } = marking
  const edits = sortEdits(marking.edits)
  return { text: applyEdits(html, edits), edits, places, markers, links, outlookLinks, errors, findings }
}

/** Reads the links of a document, or of one of its conditional comments. */
function readLinks(marking: LinkMarkingState, comment?: { start: number; end: number }): void {
  let openLink: OpenLink | undefined

  function closeLink(): void {
    const { name = '', links = [], text = '' } = openLink ?? {}
    for (const link of links)
      if (isOutlooks(name)) marking.outlook.push({ link, text: formatLinkName(text) })
      else link.name ||= formatLinkName(text) || String(link.id)
    openLink = undefined
  }

  const isOutlooks = (name: string): boolean => comment !== undefined || isVmlElement(name)

  readHtmlElements(
    marking.masked,
    {
      startTag(name, attributes, start, end) {
        if (name === 'body' && !comment) marking.bodyStart ??= end
        if (!isLinkElement(name)) return
        // Outlook links are numbered only after all other links are known.
        const links = markElementLink(isOutlooks(name) ? { ...marking, links: [] } : marking, attributes, start, end)
        if (isVmlElement(name) && links.length === 0) return
        closeLink()
        openLink = { name, links, text: '' }
        if (name === 'area') closeLink()
      },
      endTag(name, start) {
        if (name === openLink?.name) closeLink()
        if (name === 'body' && !comment) marking.bodyEnd = start
      },
      text(text) {
        if (openLink !== undefined && openLink.text.length < 4 * MAX_LINK_NAME_LENGTH) openLink.text += text
      },
      comment(start, end) {
        const conditionalComment = comment ? undefined : findConditionalComment(marking.masked, start, end)
        if (conditionalComment === 'unclosed') reportUnclosedComment(marking, start)
        else if (conditionalComment) readLinks(marking, conditionalComment)
      },
    },
    comment,
  )
  closeLink()
}

function reportUnclosedComment({ html, findings, options: { part } }: LinkMarkingState, start: number): void {
  const message = 'A conditional comment does not end with <![endif]-->. Its links are left unchanged.'
  addFlaw(findings, { type: 'conditional-comment', message, part }, () =>
    computeTextPosition(html, start - '<!--'.length),
  )
}

/**
 * Joins each link that only Outlook shows with the first other link of the same target, and of the same name if it has one:
 * a button drawn twice is one link. Returns the remaining links, named but not numbered.
 */
function joinOutlookLinks({ links, outlook, places }: LinkMarkingState): LinkDefinition[] {
  const getTargetKey = ({ type, url, form }: LinkDefinition) => [type, form ?? url]
  const isFixed = ({ type, url }: LinkDefinition): boolean => type !== 'redirection' || url !== null
  const byTarget = new Map<string, LinkDefinition>()
  for (const link of links.filter(isFixed))
    for (const key of [JSON.stringify(getTargetKey(link)), JSON.stringify([...getTargetKey(link), link.name])])
      if (!byTarget.has(key)) byTarget.set(key, link)

  const remaining = new Set<LinkDefinition>()
  for (const { link, text } of outlook) {
    const name = link.name === '' ? [] : [link.name]
    const existingLink = isFixed(link) ? byTarget.get(JSON.stringify([...getTargetKey(link), ...name])) : undefined
    if (existingLink) Object.assign(link, existingLink)
    else remaining.add(link)
    link.name ||= text
  }
  for (const place of places) if (place.type === 'link' && remaining.has(place.link)) place.travels = true
  return [...remaining]
}
