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
const STYLES = [
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
const MERGE_TAG = new RegExp(STYLES.map(({ source }) => source).join('|'), 'gi')
/** Not searched within a link, where `[Unsubscribe]` is its text. */
const IN_BRACKETS = /\[(?:unsubscribe|UNSUBSCRIBE)[\w:-]{0,50}\]/g
/** Elements that other services turn into links. */
const ELEMENTS = ['unsubscribe', 'webversion', 'preferences', 'forwardtoafriend']
const SILENT = ['script', 'style']

/** True if a text holds a value or link in the syntax of another service. */
export function hasMergeTag(text: string): boolean {
  return text.search(MERGE_TAG) !== -1 || text.search(IN_BRACKETS) !== -1
}

/** Findings for tags of other services, which would be sent as they are; in HTML, in shown text and attributes. */
export function findMergeTags(
  text: string,
  tags: readonly TemplateTag[],
  { part, isHtml }: { part: ContentPartName; isHtml: boolean },
): ContentFlaw<ContentFindingType>[] {
  const findings: ContentFlaw<ContentFindingType>[] = []
  const masked = maskTemplateTags(text, tags)
  const add = (written: string, at: number): void => {
    const message = `"${written}" is a tag of another service, and is sent as it is. Write {{ contact.Firstname }}, or link to Unsubscribe or MirrorPage.`
    addFlaw(findings, { type: 'merge-tag', message, part }, () => computeTextPosition(text, at))
  }
  const find = (pattern: RegExp, within: string, start: number): void => {
    if (findings.length < MAX_REPORTED_FLAWS)
      for (const { 0: tag, index } of within.matchAll(pattern)) add(tag, start + index)
  }
  if (isHtml) readShown(masked, { find, add })
  else for (const pattern of [MERGE_TAG, IN_BRACKETS]) find(pattern, masked, 0)
  return findings
}

interface Finder {
  find(pattern: RegExp, within: string, start: number): void
  add(written: string, at: number): void
}

function readShown(masked: string, { find, add }: Finder): void {
  let silent = ''
  let isInLink = false
  const both = (within: string, start: number): void => {
    find(MERGE_TAG, within, start)
    find(IN_BRACKETS, within, start)
  }
  readHtmlWithComments(masked, {
    startTag(name, attributes: HtmlAttribute[], start) {
      if (SILENT.includes(name)) silent = name
      if (name === 'a') isInLink = attributes.some((attribute) => attribute.name === 'href')
      if (ELEMENTS.includes(name)) add(`<${name}>`, start)
      for (const attribute of attributes) both(masked.slice(attribute.start, attribute.end), attribute.start)
    },
    endTag(name) {
      if (name === silent) silent = ''
      if (name === 'a') isInLink = false
    },
    text(text, start) {
      if (silent !== '') return
      if (isInLink) find(MERGE_TAG, text, start)
      else both(text, start)
    },
  })
}
