import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../rendering/templates/liquid.ts'

/** A heading of a page, with the anchor that links lead to. */
export interface ManualHeading {
  id: string
  depth: number
  text: string
}

/** A document as HTML. */
export interface ManualArticle {
  title: string
  html: string
  headings: readonly ManualHeading[]
}

/** Finds the address of a link or picture; `undefined` when it leads to no page of the manual. */
export type ManualLinkResolver = (href: string) => string | undefined

/** The anchor of a heading, as the sites that show Markdown make it. */
function toHeadingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns anchors of headings. A repeated one gets a number, as on the sites that show Markdown. */
export function createHeadingAnchors(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const anchor = toHeadingAnchor(heading)
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
}

function readTokenText(token: Token): string {
  if (token.type === 'html') return ''
  if (token.type === 'br' || token.type === 'space') return ' '
  if (token.type === 'list') return (token as Tokens.List).items.map(readTokenText).join(' ')
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((cells) => cells.map(({ tokens }) => readMarkdownText(tokens)).join(' · ')).join(' ')
  }
  if ('tokens' in token && token.tokens) return readMarkdownText(token.tokens)
  return 'text' in token ? String(token.text) : ''
}

/** The words of tokens, without their marks. */
export function readMarkdownText(tokens: readonly Token[]): string {
  return tokens.map(readTokenText).join('')
}

/** Languages whose comments begin with `#`. */
const SHELL_LANGUAGES = new Set(['sh', 'console', 'python', 'ini'])

function renderCodeLine(line: string, hasComments: boolean): string {
  const commentStart = line.startsWith('# ') ? 0 : line.indexOf(' # ')
  if (!hasComments || commentStart < 0) return escapeHtml(line)
  const comment = escapeHtml(line.slice(commentStart))
  return `${escapeHtml(line.slice(0, commentStart))}<span class="comment">${comment}</span>`
}

function renderCodeBlock({ text, lang = '' }: Tokens.Code): string {
  const [language = ''] = lang.split(' ')
  const lines = text.split('\n').map((line) => renderCodeLine(line, SHELL_LANGUAGES.has(language)))
  return `<div class="code" data-language="${escapeHtml(language)}"><pre><code>${lines.join('\n')}</code></pre></div>\n`
}

/** Comments are left out; other HTML is shown as text. */
function renderRawHtml({ text }: Tokens.HTML | Tokens.Tag): string {
  return text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)
}

interface TableColumn {
  html: string
  label: string
  align: string | null
}

/** A table. Narrow windows show its rows as blocks, whose cells have labels; the roles are for browsers that drop them then. */
function renderTable(columns: readonly TableColumn[], rows: readonly string[][]): string {
  const renderAlign = (column: TableColumn | undefined): string => (column?.align ? ` align="${column.align}"` : '')
  const headCells = columns.map((column) =>
    column.html === ''
      ? '<td role="cell"></td>'
      : `<th role="columnheader" scope="col"${renderAlign(column)}>${column.html}</th>`,
  )
  const hasHead = columns.some(({ html }) => html !== '')
  const renderCell = (html: string, index: number): string => {
    const column = columns[index]
    const isLabelled = index > 0 && columns.length > 2 && column !== undefined && column.label !== ''
    const label = isLabelled ? ` data-label="${escapeHtml(column.label)}"` : ''
    return `<td role="cell"${label}${renderAlign(column)}>${html}</td>`
  }
  const bodyRows = rows.map((cells) => `<tr role="row">${cells.map(renderCell).join('')}</tr>`)
  const head = `<thead role="rowgroup"><tr role="row">${headCells.join('')}</tr></thead>\n`
  return `<div class="table"><table role="table">
${hasHead ? head : ''}<tbody role="rowgroup">
${bodyRows.join('\n')}
</tbody></table></div>
`
}

function createRenderer(resolveLink: ManualLinkResolver, headings: ManualHeading[]): RendererObject {
  const nextAnchor = createHeadingAnchors()
  return {
    html: renderRawHtml,
    code: renderCodeBlock,
    // Within raw HTML, marked would pass text through as it is.
    text: (token) => ('escaped' in token && token.escaped ? escapeHtml(token.text) : false),
    heading({ tokens, depth, text }) {
      const id = nextAnchor(text)
      headings.push({ id, depth, text: readMarkdownText(tokens) })
      const mark = depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${mark}</h${depth}>\n`
    },
    table({ header, rows }) {
      const renderInline = (tokens: Token[]): string => this.parser.parseInline(tokens)
      return renderTable(
        header.map(({ tokens, align }) => ({ html: renderInline(tokens), label: readMarkdownText(tokens), align })),
        rows.map((cells) => cells.map(({ tokens }) => renderInline(tokens))),
      )
    },
    link({ href, tokens }) {
      const address = resolveLink(href)
      const label = this.parser.parseInline(tokens)
      if (address === undefined) return `<span title="${escapeHtml(href)}">${label}</span>`
      return `<a href="${escapeHtml(address)}">${label}</a>`
    },
    image({ href, text }) {
      const address = resolveLink(href)
      if (address === undefined) return escapeHtml(text)
      return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" loading="lazy">`
    },
  }
}

/** Renders a document. */
export function renderManualArticle(text: string, resolveLink: ManualLinkResolver): ManualArticle {
  const headings: ManualHeading[] = []
  const html = new Marked({ renderer: createRenderer(resolveLink, headings) }).parse(text)
  const title = headings.find(({ depth }) => depth === 1)?.text ?? ''
  return { title, html: String(html), headings }
}
