import type { ContentSource } from '../content.ts'
import type { ContentErrorType, ContentFindingType, ContentFlaw, ContentPartName, TemplatePosition } from '../flaws.ts'
import { addFlaw, computeTextPosition } from '../flaws.ts'
import { isFieldNamed, SCOPE_ROOTS } from '../scope.ts'
import type { TemplatePath, TemplateUses } from '../templates/paths.ts'
import { maskTemplateTags, type TemplateTag } from '../templates/template-tags.ts'
import { readHtmlElements } from './html-elements.ts'
import type { LinkDefinition } from './mark-address.ts'

const CLIPPING_LIMIT_BYTES = 100 * 1024

/** The members of what is the same for every content. */
const FIXED_MEMBERS: Record<string, readonly string[]> = {
  action: ['id', 'name'],
  campaign: ['id', 'name'],
  stamp: ['id', 'thread', 'set', 'time'],
  account: ['agency', 'customer', 'name', 'culture'],
  links: ['mirror', 'unsubscribe', 'form'],
}
const CONTACT_MEMBERS = ['id', 'unicity', 'hash', 'fields']

/** Context for checking the paths of a part. */
export interface PathCheckContext {
  part: ContentPartName
  isHtml: boolean
  source: Pick<ContentSource, 'fields' | 'forms'>
  at: (offset: number) => TemplatePosition
}

/** Paths that lead nowhere, whatever the contact, and values of contacts that are printed as HTML. */
export function checkTemplatePaths(
  { paths, filters, locals }: TemplateUses,
  { part, isHtml, source, at }: PathCheckContext,
): { errors: ContentFlaw<ContentErrorType>[]; findings: ContentFlaw<ContentFindingType>[] } {
  const errors: ContentFlaw<ContentErrorType>[] = []
  const findings: ContentFlaw<ContentFindingType>[] = []
  for (const { names, start } of paths) {
    const [root] = names
    if (root === undefined || locals.has(root)) continue
    const fault = findPathFault(names, source)
    if (fault !== undefined) addFlaw(errors, { ...fault, part }, () => at(start))
  }
  if (isHtml)
    for (const { name, input, start } of filters)
      if (name === 'raw' && input.some((path) => isContactValue(path, source)))
        addFlaw(findings, { type: 'raw-value', message: 'A contact value is output unescaped with raw.', part }, () =>
          at(start),
        )
  return { errors, findings }
}

function findPathFault(
  names: TemplatePath['names'],
  { fields, forms }: PathCheckContext['source'],
): { type: ContentErrorType; message: string } | undefined {
  const [root = '', member, name] = names
  if (member === undefined || member === 'size') return undefined
  const unknownField = {
    type: 'unknown-field' as const,
    message: `There is no ${names.slice(0, 3).filter(Boolean).join('.')}.`,
  }
  if (root === 'contact' || root === 'related') {
    if (member === 'fields')
      return name === undefined || name === 'size' || fields.some((field) => isFieldNamed(field, name, true))
        ? undefined
        : unknownField
    return CONTACT_MEMBERS.includes(member) || fields.some((field) => field.name === member) ? undefined : unknownField
  }
  const members = FIXED_MEMBERS[root]
  if (members !== undefined && !members.includes(member)) return unknownField
  if (root === 'links' && member === 'form' && name !== undefined && !forms.includes(name))
    return { type: 'unknown-reference', message: `There is no form ${name}.` }
  return undefined
}

function isContactValue({ names: [root] }: TemplatePath, { fields }: PathCheckContext['source']): boolean {
  if (root === undefined || root === 'contact' || root === 'related') return true
  return !SCOPE_ROOTS.has(root) && fields.some(({ name }) => name === root)
}

/** Findings about HTML: its size, and images without alternative text. */
export function analyseHtml(
  html: string,
  tags: readonly TemplateTag[],
  part: ContentPartName,
): ContentFlaw<ContentFindingType>[] {
  const findings: ContentFlaw<ContentFindingType>[] = []
  const bytes = Buffer.byteLength(html)
  if (bytes > CLIPPING_LIMIT_BYTES) {
    const message = `The HTML has ${Math.ceil(bytes / 1024)} KB; some mail clients clip messages over 100 KB.`
    findings.push({ type: 'size', message, part, position: null })
  }
  readHtmlElements(maskTemplateTags(html, tags), {
    startTag(name, attributes, start) {
      if (name !== 'img' || attributes.some((attribute) => attribute.name === 'alt')) return
      const message = 'An image has no alternative text. Use an empty one for a decorative image.'
      addFlaw(findings, { type: 'image-text', message, part }, () => computeTextPosition(html, start))
    },
  })
  return findings
}

/** A content without an unsubscribe link. */
export function findMissingUnsubscribe(
  links: readonly LinkDefinition[],
  paths: readonly TemplatePath[],
  part: ContentPartName,
): ContentFlaw<ContentFindingType>[] {
  const hasUnsubscribeLink =
    links.some(({ type }) => type === 'unsubscribe') ||
    paths.some(({ names: [root, member] }) => root === 'links' && member === 'unsubscribe')
  const message = 'There is no unsubscribe link.'
  return hasUnsubscribeLink ? [] : [{ type: 'no-unsubscribe-link', message, part, position: null }]
}
