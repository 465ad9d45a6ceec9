import { createHash } from 'node:crypto'
import { escapeHtml } from '../../rendering/templates/liquid.ts'
import type { PageLanguage } from './languages.ts'
import { statusPageTexts } from './status-pages.ts'

/** A page with its status and policy. */
export interface RecipientPage {
  status: number
  html: string
  /** Content-Security-Policy. */
  policy: string
}

const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#f4f2ee;--card:#fff;--ink:#23262b;--soft:#5c626b;--line:#dedad2;--edge:#84888e;--fault:#a3261b;--accent:#1f5a4c;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#15181b;--card:#1e2226;--ink:#e9e7e2;--soft:#a8aeb6;--line:#353b41;--edge:#7c848d;--fault:#ffb3a7;--accent:#8fd3bf;--on-accent:#0d201b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;grid-template-columns:minmax(0,1fr);grid-template-rows:1fr auto;background:var(--ground);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main{align-self:center;justify-self:center;width:min(34rem,100% - 2rem);margin:2rem 0;padding:clamp(1.75rem,6vw,3rem);background:var(--card);border:1px solid var(--line);border-radius:1rem}
main.wide{width:min(46rem,100% - 2rem);align-self:start}
h1{margin:0 0 .75rem;font-size:clamp(1.375rem,4.5vw,1.75rem);line-height:1.25;font-weight:650;letter-spacing:-.01em;text-wrap:balance}
p{margin:0;color:var(--soft);text-wrap:pretty}
p+p{margin-top:.75rem}
strong{color:var(--ink);font-weight:600}
form{margin-top:2rem}
.field,fieldset{margin:0 0 1.5rem;padding:0;border:0;min-width:0}
.field>label,legend{display:block;padding:0;margin-bottom:.375rem;font-weight:600}
.note{color:var(--soft);font-weight:400}
input,select,textarea{width:100%;min-height:3rem;padding:.625rem .875rem;border:1px solid var(--edge);border-radius:.625rem;background:var(--ground);color:var(--ink);font:inherit}
textarea{resize:vertical}
.box{display:flex;gap:.75rem;align-items:center;min-height:2.5rem}
.box input{flex:none;width:1.25rem;min-height:0;height:1.25rem;accent-color:var(--accent)}
.fault{margin-top:.375rem;color:var(--fault)}
[aria-invalid=true]:not(fieldset){border-color:var(--fault)}
.trap{position:absolute;left:-999rem}
button{appearance:none;width:100%;min-height:3rem;padding:.75rem 1.5rem;border:0;border-radius:.625rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
a{color:var(--accent)}
.text{margin:0;white-space:pre-wrap;color:var(--ink)}
footer{padding:0 1rem 1.5rem;text-align:center;color:var(--soft);font-size:.875rem}
@media (min-width:40rem){button{width:auto}}
`
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The parts of a page of the service. */
export interface RecipientPageParts {
  status: number
  language: PageLanguage
  heading: string
  /** HTML that follows the heading. */
  body: string
  /** Name of the account; absent on pages for no known message. */
  account?: string
  wide?: boolean
}

/** The template of all pages: heading, body, name of the account. */
export function renderRecipientPage({
  status,
  language,
  heading,
  body,
  account,
  wide = false,
}: RecipientPageParts): RecipientPage {
  const pageTitle = escapeHtml(account === undefined ? heading : `${heading} – ${account}`)
  const pageHtml = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pageTitle}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main${wide ? ' class="wide"' : ''}>
<h1>${escapeHtml(heading)}</h1>
${body}
</main>
${account === undefined ? '' : `<footer>${escapeHtml(account)}</footer>\n`}</body>
</html>
`
  return { status, html: pageHtml, policy: PAGE_POLICY }
}

/** A page with one fixed text; with the name of the account when the message is known. */
export function renderStatusPage(
  name: keyof typeof statusPageTexts,
  language: PageLanguage,
  account?: string,
): RecipientPage {
  const { status, heading, text } = statusPageTexts[name]
  return renderRecipientPage({
    status,
    language,
    account,
    heading: heading[language],
    body: `<p>${text[language]}</p>`,
  })
}

/** The account unsubscribed from, and the masked address when it is known. */
export interface UnsubscribePageSubject {
  language: PageLanguage
  account: string
  maskedAddress: string | null
}

function renderStrong(text: string): string {
  return `<strong>${escapeHtml(text)}</strong>`
}

function renderToAddress(maskedAddress: string | null, language: PageLanguage): string {
  if (maskedAddress === null) return ''
  return ` ${{ en: 'at', fr: 'à l’adresse' }[language]} ${renderStrong(maskedAddress)}`
}

/** The page that asks for confirmation; works without scripts. */
export function renderUnsubscribeForm({ language, account, maskedAddress }: UnsubscribePageSubject): RecipientPage {
  const address = renderToAddress(maskedAddress, language)
  const localizedTexts = {
    en: {
      heading: 'Unsubscribe',
      question: `Stop receiving messages from ${renderStrong(account)}${address}?`,
      button: 'Stop these messages',
    },
    fr: {
      heading: 'Se désinscrire',
      question: `Ne plus recevoir de messages de ${renderStrong(account)}${address}\u00a0?`,
      button: 'Ne plus recevoir ces messages',
    },
  }[language]
  const body = `<p>${localizedTexts.question}</p>
<form method="post">
<button name="confirm" value="1">${localizedTexts.button}</button>
</form>`
  return renderRecipientPage({ status: 200, language, account, heading: localizedTexts.heading, body })
}

/** The page that confirms an unsubscription. */
export function renderUnsubscribedPage({ language, account, maskedAddress }: UnsubscribePageSubject): RecipientPage {
  const address = renderToAddress(maskedAddress, language)
  const localizedTexts = {
    en: {
      heading: 'You are unsubscribed',
      text: `You will no longer receive messages from ${renderStrong(account)}${address}.`,
    },
    fr: {
      heading: 'Désinscription enregistrée',
      text: `Vous ne recevrez plus de messages de ${renderStrong(account)}${address}.`,
    },
  }[language]
  return renderRecipientPage({
    status: 200,
    language,
    account,
    heading: localizedTexts.heading,
    body: `<p>${localizedTexts.text}</p>`,
  })
}

const WEB_ADDRESS = /https?:\/\/[^\s<>"\]]+[^\s<>"\].,;:!?)'’»]/g

/** The page of a message without HTML: its text, with its web addresses as links. */
export function renderTextMirrorPage({
  language,
  account,
  subject,
  text,
}: {
  language: PageLanguage
  account: string
  subject: string
  text: string
}): RecipientPage {
  let body = ''
  let textEnd = 0
  for (const { 0: address, index } of text.matchAll(WEB_ADDRESS)) {
    body += `${escapeHtml(text.slice(textEnd, index))}<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`
    textEnd = index + address.length
  }
  body += escapeHtml(text.slice(textEnd))
  const heading = subject === '' ? account : subject
  return renderRecipientPage({
    status: 200,
    language,
    account,
    heading,
    body: `<p class="text">${body}</p>`,
    wide: true,
  })
}

const MIRROR_POLICY =
  "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline' https:; font-src https: data:; sandbox allow-popups allow-popups-to-escape-sandbox"

/** The page of a message as it was sent, restricted to what mail readers let HTML do. */
export function renderMirrorPage(html: string): RecipientPage {
  return { status: 200, html, policy: MIRROR_POLICY }
}

/** A masked address: `a***@example.org`, or the last two digits of a phone. */
export function maskRecipientAddress(address: string): string {
  const atIndex = address.lastIndexOf('@')
  if (atIndex < 0) return `***${address.slice(-2)}`
  const [firstCharacter = ''] = address
  return `${firstCharacter}***${address.slice(atIndex)}`
}
