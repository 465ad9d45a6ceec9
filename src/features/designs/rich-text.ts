import { liquidToAttribute, liquidToHtml } from './liquid-html.ts'
import type { RichTextBlockNode, RichTextDocument, RichTextInline, RichTextInlineMark } from './rich-text-schemas.ts'

const MARK_TAGS = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const
const PARAGRAPH_MARGIN = 'margin:0 0 12px'
const NO_MARGIN = 'margin:0'

/** Words that are addresses of the message itself. */
const SYSTEM_LINKS = new Set(['unsubscribe', 'mirrorpage'])

/** The attributes of a link to an address; `name` is what results call it. */
export function formatLinkAttributes(href: string, name?: string): string {
  const system = SYSTEM_LINKS.has(href.trim().toLowerCase()) ? ' linktype="System"' : ''
  return `href="${liquidToAttribute(href)}"${system}${name ? ` dataminingname="${liquidToAttribute(name)}"` : ''}`
}

function applyMark(html: string, mark: RichTextInlineMark): string {
  if (mark.type === 'link') {
    return `<a ${formatLinkAttributes(mark.attrs.href, mark.attrs.name)} class="link" style="text-decoration:underline">${html}</a>`
  }
  if (mark.type === 'colour') return `<span style="color:${mark.attrs.colour}">${html}</span>`
  const tag = MARK_TAGS[mark.type]
  return `<${tag}>${html}</${tag}>`
}

function renderInline(node: RichTextInline): string {
  if (node.type === 'hardBreak') return '<br>'
  const html = liquidToHtml(node.type === 'value' ? node.attrs.code : node.text)
  // The first mark is the outermost one.
  return (node.marks ?? []).reduceRight(applyMark, html)
}

const renderInlines = (nodes: readonly RichTextInline[] = []): string => nodes.map(renderInline).join('')

function renderNode(node: RichTextBlockNode, isLast: boolean): string {
  const blockMargin = isLast ? NO_MARGIN : PARAGRAPH_MARGIN
  if (node.type === 'paragraph') {
    const align = node.attrs?.align ? `;text-align:${node.attrs.align}` : ''
    return `<p style="${blockMargin}${align}">${renderInlines(node.content) || '&nbsp;'}</p>`
  }
  const tag = node.type === 'bulletList' ? 'ul' : 'ol'
  const items = node.content.map(
    ({ content }) =>
      `<li style="margin:0 0 6px">${content.map((line) => renderInlines(line.content)).join('<br>')}</li>`,
  )
  return `<${tag} style="${blockMargin};padding-left:22px">${items.join('')}</${tag}>`
}

/** Formatted text as HTML. Liquid stands as it is, all else is escaped. */
export function richTextToHtml({ content }: RichTextDocument): string {
  return content.map((node, index) => renderNode(node, index === content.length - 1)).join('')
}
