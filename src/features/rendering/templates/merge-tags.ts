import {
  addFlaw,
  type ContentFindingType,
  type ContentFlaw,
  type ContentPartName,
  computeTextPosition,
  MAX_REPORTED_FLAWS,
} from '../flaws.ts'
import type { HtmlAttribute } from '../html/html-elements.ts'
import { readHtmlWithComments } from '../html/outlook-comments.ts'
import { maskTemplateTags, type TemplateTag } from './template-tags.ts'

/** The ways in which other services write values and links. */
const MERGE_TAG_STYLES = [
  /\*\|[a-z!][^|*\n]{0,100}\|\*/, // *|FNAME|*
  /%%[=[]?[a-z_][^%\n]{0,200}%%/, // %%FirstName%%, %%=v(@name)=%%
  /\[\[[a-z][\w .:|-]{0,100}\]\]/, // [[firstname]]
  /<%[^<>%]{1,200}%>/, // <% unsubscribe %>
  /\$\{[a-z][\w.]{0,100}\}/, // ${name}
  /\{\$[a-z][\w.|]{0,100}\}/, // {$name}
  /\{unsub[\w .:-]{0,50}\}/, // {unsubscribe_url}
  /%unsub[\w .:-]{0,50}%/, // %UNSUBSCRIBELINK%
  /##unsub[\w .:-]{0,50}##/, // ##unsubscribe##
]
const MERGE_TAG_PATTERN = new RegExp(MERGE_TAG_STYLES.map(({ source }) => source).join('|'), 'gi')
/** Not searched within a link, where `[Unsubscribe]` is its text. */
const BRACKETS_PATTERN = /\[(?:unsubscribe|UNSUBSCRIBE)[\w:-]{0,50}\]/g
/** Elements that other services turn into links. */
const LINK_ELEMENTS = ['unsubscribe', 'webversion', 'preferences', 'forwardtoafriend']
const SILENT_ELEMENTS = ['script', 'style']

/** True if a text holds a value or link in the syntax of another service. */
export function hasMergeTag(text: string): boolean {
  return text.search(MERGE_TAG_PATTERN) !== -1 || text.search(BRACKETS_PATTERN) !== -1
}

/** Findings for tags of other services, which would be sent as they are; in HTML, in shown text and attributes. */
export function findMergeTags(
  text: string,
  tags: readonly TemplateTag[],
  { part, isHtml }: { part: ContentPartName; isHtml: boolean },
): ContentFlaw<ContentFindingType>[] {
  const findings: ContentFlaw<ContentFindingType>[] = []
  const masked = maskTemplateTags(text, tags)
  const addFinding = (tagText: string, at: number): void => {
    const message = `"${tagText}" is a merge tag of another service and is sent unchanged. Use {{ contact.Firstname }}, or link to Unsubscribe or MirrorPage.`
    addFlaw(findings, { type: 'merge-tag', message, part }, () => computeTextPosition(text, at))
  }
  const findMatches = (pattern: RegExp, within: string, start: number): void => {
    if (findings.length < MAX_REPORTED_FLAWS)
      for (const { 0: tag, index } of within.matchAll(pattern)) addFinding(tag, start + index)
  }
  if (isHtml) searchShownText(masked, { find: findMatches, add: addFinding })
  else for (const pattern of [MERGE_TAG_PATTERN, BRACKETS_PATTERN]) findMatches(pattern, masked, 0)
  return findings
}

interface MergeTagFinder {
  find(pattern: RegExp, within: string, start: number): void
  add(tagText: string, at: number): void
}

function searchShownText(masked: string, { find, add }: MergeTagFinder): void {
  let silentElement = ''
  let isInLink = false
  const searchText = (within: string, start: number): void => {
    find(MERGE_TAG_PATTERN, within, start)
    find(BRACKETS_PATTERN, within, start)
  }
  readHtmlWithComments(masked, {
    startTag(name, attributes: HtmlAttribute[], start) {
      if (SILENT_ELEMENTS.includes(name)) silentElement = name
      if (name === 'a') isInLink = attributes.some((attribute) => attribute.name === 'href')
      if (LINK_ELEMENTS.includes(name)) add(`<${name}>`, start)
      for (const attribute of attributes) searchText(masked.slice(attribute.start, attribute.end), attribute.start)
    },
    endTag(name) {
      if (name === silentElement) silentElement = ''
      if (name === 'a') isInLink = false
    },
    text(text, start) {
      if (silentElement !== '') return
      if (isInLink) find(MERGE_TAG_PATTERN, text, start)
      else searchText(text, start)
    },
  })
}
