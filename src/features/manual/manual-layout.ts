import { posix } from 'node:path'
import { INTERFACE_VERSION, PROGRAM_VERSION } from '../../version.ts'
import { escapeHtml } from '../rendering/templates/liquid.ts'
import { isDecisionRecordPage, type ManualLibrary, type ManualPage } from './manual-library.ts'
import type { ManualArticle, ManualHeading } from './manual-markdown.ts'

/** A page of the service that the header links to; its path begins at the root of the service. */
export interface ManualServiceLink {
  label: string
  path: string
}

/** Everything that is the same on all pages. */
export interface ManualFrame {
  library: ManualLibrary
  serviceLinks: readonly ManualServiceLink[]
}

const MENU_ICON =
  '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M3 5.5h14M3 10h14M3 14.5h14"/></svg>'

/** The address of one page of the manual as a link on another. */
export function toRelativePageUrl(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to)
}

/** The address of a page of the service as a link on a page of the manual. */
function toServiceUrl(from: string, path: string): string {
  return '../'.repeat(from.split('/').length) + path
}

function renderNavigation({ library }: ManualFrame, url: string, current?: ManualPage): string {
  const isCurrentFolder = (page: ManualPage): boolean =>
    current !== undefined &&
    current.section === undefined &&
    isDecisionRecordPage(current) &&
    isDecisionRecordPage(page)
  const renderLink = (page: ManualPage): string => {
    const mark = page === current ? ' aria-current="page"' : isCurrentFolder(page) ? ' aria-current="true"' : ''
    return `<li><a href="${toRelativePageUrl(url, page.url)}"${mark}>${escapeHtml(page.label)}</a></li>`
  }
  return library.sections
    .map(({ title, pages }) => `<h2>${escapeHtml(title)}</h2>\n<ul>\n${pages.map(renderLink).join('\n')}\n</ul>`)
    .join('\n')
}

function renderContents(headings: readonly ManualHeading[]): string {
  const listed = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (listed.length < 2) return ''
  const links = listed.map(
    ({ id, depth, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="contents" aria-labelledby="manual-contents-title">
<details>
<summary id="manual-contents-title">On this page</summary>
<ul>
${links.join('\n')}
</ul>
</details>
</nav>`
}

function renderTurn(sequence: readonly ManualPage[], current: ManualPage): string {
  const position = sequence.indexOf(current)
  if (position < 0) return ''
  const renderLink = (page: ManualPage | undefined, rel: 'prev' | 'next', word: string): string =>
    page
      ? `<a rel="${rel}" href="${toRelativePageUrl(current.url, page.url)}"><small>${word}</small> ${escapeHtml(page.label)}</a>`
      : ''
  const links = [
    renderLink(sequence[position - 1], 'prev', 'Previous'),
    renderLink(sequence[position + 1], 'next', 'Next'),
  ]
  return `<nav class="turn" aria-label="Previous and next page">\n${links.join('\n')}\n</nav>`
}

function renderHeader({ serviceLinks }: ManualFrame, url: string): string {
  const links = serviceLinks.map(({ label, path }) => `<a href="${toServiceUrl(url, path)}">${escapeHtml(label)}</a>`)
  return `<header class="top">
<button class="menu" type="button" aria-expanded="false" aria-controls="manual-navigation" hidden>${MENU_ICON}<span class="unseen">Menu</span></button>
<div class="brand">
<a href="${toRelativePageUrl(url, 'index.html')}"><img src="${toRelativePageUrl(url, 'assets/icon.svg')}" alt="" width="28" height="28">Stentor manual</a>
<p class="version"><span>Version ${PROGRAM_VERSION}</span> <span>interface ${INTERFACE_VERSION}</span></p>
</div>
<form class="search" role="search" hidden>
<label class="unseen" for="manual-search">Search the manual</label>
<input id="manual-search" type="search" placeholder="Search" autocomplete="off" autocapitalize="off" spellcheck="false" aria-controls="manual-results">
<kbd aria-hidden="true">/</kbd>
<p class="unseen" role="status"></p>
<ul id="manual-results" class="results" aria-label="Search results" hidden></ul>
</form>
${links.length > 0 ? `<nav class="service" aria-label="Service">\n${links.join('\n')}\n</nav>` : ''}
</header>`
}

interface ManualDocument {
  url: string
  title: string
  contents: string
  body: string
  page?: ManualPage
}

function renderDocument(frame: ManualFrame, { url, title, contents, body, page }: ManualDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Stentor manual</title>
<link rel="icon" href="${toRelativePageUrl(url, 'assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${toRelativePageUrl(url, 'assets/manual.css')}">
</head>
<body>
<a class="skip" href="#manual-content">Skip to content</a>
${renderHeader(frame, url)}
<div class="frame">
<nav id="manual-navigation" class="navigation" aria-label="Manual">
${renderNavigation(frame, url, page)}
</nav>
${contents}
<main id="manual-content" tabindex="-1">
${body}
</main>
</div>
<script src="${toRelativePageUrl(url, 'assets/manual.js')}"></script>
</body>
</html>
`
}

/** A page of the manual as HTML. */
export function renderManualPage(frame: ManualFrame, page: ManualPage, article: ManualArticle): string {
  const trail = page.section ?? (isDecisionRecordPage(page) ? 'Decision record' : undefined)
  return renderDocument(frame, {
    url: page.url,
    title: article.title || page.label,
    contents: renderContents(article.headings),
    body: `${trail === undefined ? '' : `<p class="trail">${escapeHtml(trail)}</p>\n`}<article>
${article.html}</article>
${renderTurn(frame.library.sequence, page)}`,
    page,
  })
}

/** The page for an address that the manual does not have. `url`: any path of the same depth as the address. */
export function renderManualNotFoundPage(frame: ManualFrame, url: string): string {
  return renderDocument(frame, {
    url,
    title: 'Page not found',
    contents: '',
    body: `<article>
<h1>Page not found</h1>
<p>This version of the manual does not have this page. Search for its subject, or choose a page from the <a href="${toRelativePageUrl(url, 'index.html')}">list of all documents</a>.</p>
</article>`,
  })
}
