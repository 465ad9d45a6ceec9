import { Parser } from 'htmlparser2'
import { Liquid } from 'liquidjs'
import { emailChannelTraits } from '../src/channels/email/traits.ts'
import { compileContent } from '../src/features/rendering/compile.ts'
import type { ContentSource } from '../src/features/rendering/content.ts'
import { type RenderInput, renderMessage } from '../src/features/rendering/render.ts'
import { escapeHtml } from '../src/features/rendering/templates/liquid.ts'
import { createAccountTokenKeys, signLinkToken } from '../src/lib/crypto/tokens.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'

const MESSAGES = 400
const ROUNDS = 7
const LINKS = 20
const TRACKING = 'https://t.orchard.example'
const STAMP = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'
const VALUES = Array.from({ length: 14 }, (_, n) => ({ id: n + 1, name: `Value${n + 1}` }))

const keys = createAccountTokenKeys([{ number: 0, key: Buffer.alloc(32, 7) }])

/** A newsletter of 30 KB: twenty links, fifteen personalised values (fourteen of the contact, one in a loop), one loop. */
function newsletter(): string {
  const filler = 'The late varieties came down from the hill on Tuesday, and the press has been at it since. '
  const cell = `<p style="margin:0 0 12px;font:16px/24px Arial,sans-serif;color:#333333">${filler.repeat(9)}</p>`
  const sections = Array.from({ length: LINKS }, (_, n) => {
    const value = VALUES[n] ? `{{ contact.${VALUES[n].name} }}` : 'friend'
    return `<table width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><h2>${value}, part ${n + 1}</h2>${cell}${cell.slice(0, 400)}</p><a href="https://orchard.example/part/${n + 1}?from=letter&amp;n=${n}" style="color:#1155cc">Read part ${n + 1}</a></td></tr></table>`
  })
  const loop = '<ul>{% for item in data.items %}<li>{{ item.name }}</li>{% endfor %}</ul>'
  return `<!doctype html><html><head><title>Letter</title></head><body>${sections.join('\n')}${loop}</body></html>`
}

const html = newsletter()
const source: ContentSource = {
  parts: emailChannelTraits.parts({ subject: null, html, text: null, amp: null }, 1),
  wantsUnsubscribeLink: true,
  culture: 'en-GB',
  environment: {},
  fields: VALUES,
  forms: [],
  honeypot: false,
  analyse: false,
}

function inputOf(n: number): RenderInput {
  const fields = Object.fromEntries(VALUES.map(({ id, name }) => [id, `${name} of ${n} & co`]))
  const items = Array.from({ length: 5 }, (_, item) => ({ name: `Pear ${item} <${n}>` }))
  return {
    mode: 'live',
    scope: {
      contact: { id: '000R4M0T', unicity: 'ann@mail.example', hash: '0'.repeat(32), fields },
      related: null,
      data: { items },
      variables: [],
      blocks: [],
      event: null,
      campaign: null,
      action: { id: '00000C', name: 'The pears are in' },
      stamp: { id: STAMP, thread: STAMP, set: STAMP, time: 0 },
      account: { agency: 'ACME', customer: '001', name: 'The Orchard', culture: 'en-GB' },
      now: 0,
    },
    links: {
      account: 1,
      sourceKind: 'action',
      source: 12,
      version: 1,
      contact: n,
      stamp: STAMP,
      trackingUrl: TRACKING,
      key: keys.signing(1),
    },
    zone: 'UTC',
    pixel: true,
    strict: false,
  }
}

const compiled = compileContent(source)

/** The compiled path: parsed once, its links known. */
function renderCompiled(n: number): string {
  const rendered = renderMessage(compiled, inputOf(n))
  if (rendered.outcome !== 'rendered') throw new Error(rendered.message)
  return rendered.parts['html'] ?? ''
}

const liquid = new Liquid({ outputEscape: 'escape' })
const VOID = new Set(['br', 'hr', 'img', 'input', 'link', 'meta'])

/** A message as most programs make it: parsed and rendered, its HTML read, its links exchanged, and written again. */
function renderEach(n: number): string {
  const { scope } = inputOf(n)
  const contact = Object.fromEntries(VALUES.map(({ id, name }) => [name, scope.contact?.fields[id]]))
  const rendered: string = liquid.parseAndRenderSync(html, { contact, data: scope.data })
  let written = ''
  let link = 0
  const token = {
    account: 1,
    sourceKind: 'action' as const,
    source: 12,
    version: 1,
    contact: n,
    stamp: STAMP,
    test: false,
    silent: false,
  } as const
  const parser = new Parser(
    {
      onprocessinginstruction: (_name, data) => (written += `<${data}>`),
      onopentag(name, attributes) {
        const isLink = name === 'a' && /^https?:/.test(attributes['href'] ?? '')
        if (isLink)
          attributes['href'] = `${TRACKING}/t/r/${signLinkToken(keys, { ...token, kind: 'redirection', link: ++link })}`
        const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
        written += `<${name}${pairs.join('')}>`
      },
      ontext: (text) => (written += escapeHtml(text)),
      onclosetag(name) {
        if (name === 'body')
          written += `<img src="${TRACKING}/t/o/${signLinkToken(keys, { ...token, kind: 'open', link: 0 })}" width="1" height="1" alt="">`
        if (!VOID.has(name)) written += `</${name}>`
      },
    },
    { decodeEntities: true },
  )
  parser.end(rendered)
  return written
}

/** Renders a second. */
function rate(render: (n: number) => string, messages: number): number {
  const started = performance.now()
  for (let n = 1; n <= messages; n++) render(n)
  return (messages * 1000) / (performance.now() - started)
}

const words = (rendered: string) => rendered.replace(/<[^>]*>/g, '').replaceAll('&#39;', "'")
const count = (rendered: string) => rendered.match(/\/t\/[ro]\/[\w-]{72}/g)?.length

/** One newsletter for many contacts: compiled once, against liquidjs and a parser of HTML for each message; both sign. */
export const benchmark: Benchmark = async (report, size = MESSAGES) => {
  if (words(renderCompiled(1)) !== words(renderEach(1)) || count(renderCompiled(1)) !== count(renderEach(1)))
    throw new Error('the two ways do not render the same message')
  report(`${Buffer.byteLength(html)} bytes, ${count(renderCompiled(1))} tracked addresses, ${size} messages per round`)
  const rates = { compiled: [] as number[], each: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const compiledRate = rate(renderCompiled, size)
    const eachRate = rate(renderEach, Math.ceil(size / 10))
    // The first round warms both up.
    if (round === 0) continue
    rates.compiled.push(compiledRate)
    rates.each.push(eachRate)
  }
  const [ours, theirs] = [median(rates.compiled), median(rates.each)]
  return { compiledPerSecond: rounded(ours), parsedEachPerSecond: rounded(theirs), ratio: rounded(ours / theirs) }
}
