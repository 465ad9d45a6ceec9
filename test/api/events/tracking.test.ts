import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { computeHmac } from '../../../src/lib/crypto/hmac.ts'
import {
  createAccountTokenKeys,
  type LinkTokenKind,
  type MessageLinkToken,
  parseLinkToken,
  signLinkToken,
} from '../../../src/lib/crypto/tokens.ts'
import { createUuidV7, parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { app, call, clock, context, gateway, own, other } = stage

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PATHS = { redirection: 'r', open: 'o', mirror: 'm', unsubscribe: 'u', honeypot: 'h', form: 'f' } as const

const HTML = `<html><body><p>Dear {{ contact.Firstname }}, {{ data.offer }}</p>
<a href="https://shop.example/a?x=1&amp;y=2" dataminingname="hero">Come in</a>
<a href="{{ data["target"] }}">Made for you</a>
<a href="MirrorPage">Online</a> <a href="Unsubscribe">Leave</a></body></html>`

interface Visit {
  method?: 'GET' | 'HEAD' | 'POST'
  agent?: string
  from?: string
  headers?: Record<string, string>
  payload?: string
}

/** A request without a key. */
async function visit(url: string, { method = 'GET', agent = BROWSER, from = '203.0.113.77', ...more }: Visit = {}) {
  const { payload, headers } = more
  const path = url.replace('https://stentor.example', '')
  const answer = await app.inject({
    method,
    url: path,
    remoteAddress: from,
    headers: { 'user-agent': agent, ...headers },
    ...(payload !== undefined && { payload }),
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, text: answer.payload }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ONE_CLICK: Visit = { method: 'POST', headers: FORM, payload: 'List-Unsubscribe=One-Click' }
const BUTTON: Visit = { method: 'POST', headers: FORM, payload: 'confirm=1' }

let named = 0

interface Sent {
  action: string
  contact: string
  address: string
  stamp: string
  html: string
  /** The addresses of links by their kind, in order. */
  links: Record<keyof typeof PATHS, string[]>
  /** The List-Unsubscribe header. */
  header: string
}

/** What a mail holds, as its reader finds it. */
async function readMail(bytes: Buffer): Promise<Pick<Sent, 'html' | 'links' | 'header' | 'stamp'>> {
  const mail = await simpleParser(bytes)
  const html = String(mail.html)
  const all = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
  const links = Object.fromEntries(
    Object.entries(PATHS).map(([kind, letter]) => [kind, all.filter((url) => url.includes(`/t/${letter}/`))]),
  ) as Sent['links']
  const header = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? ''
  const url = /https:[^>]+/.exec(header)?.[0] ?? ''
  return { html, links, header: url, stamp: mail.messageId?.slice(1).split('@')[0] ?? '' }
}

interface Wanted {
  content?: object
  request?: object
  settings?: object
}

/** Sends one message to a new contact, and lets a minute pass. */
async function send({ content, request = {}, settings }: Wanted = {}): Promise<Sent> {
  const address = `reader${++named}@example.org`
  const contact = await stage.contact(address, { Firstname: 'Ann' })
  const action = await stage.validated(
    await stage.action({ content: { subject: 'Hello', html: HTML, ...content }, ...(settings && { settings }) }),
  )
  await execute(action, contact, request)
  await stage.settle()
  clock.advance(60_000)
  const mail = gateway.to(address).at(-1)
  assert.ok(mail, 'the message was sent')
  return { action, contact, address, ...(await readMail(mail.bytes)) }
}

async function execute(action: string, contact: string, request: object): Promise<void> {
  const data = { offer: 'hats', target: 'https://shop.example/p?q="1"&r=é' }
  const { status, text } = await call('POST', `/actions/${action}/execution`, {
    body: { recipient: { type: 'id', value: contact }, data, ...request },
  })
  assert.equal(status, 200, text)
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
type AnyEvent = any

async function events(action: string, path: string): Promise<AnyEvent[]> {
  const { status, body, text } = await call('GET', `/actions/${action}/events/${path}`)
  assert.equal(status, 200, text)
  return body
}

async function hits(action: string, query = '?classification=all'): Promise<AnyEvent[]> {
  return events(action, `hits${query}`)
}

async function redList(contact: string): Promise<AnyEvent[]> {
  const { body } = await call('GET', '/targets/redlist/mail')
  return body.filter(({ id }: { id: string }) => id === contact)
}

/** The token of an address with its members. */
function tokenIn(url: string, kind: LinkTokenKind): MessageLinkToken {
  const token = parseLinkToken(context.tokens, /\/t\/\w\/([\w-]{72})/.exec(url)?.[1] ?? '', kind)
  assert.ok(token)
  return token
}

/** An address whose token has other members. */
function resigned(url: string, kind: LinkTokenKind, members: Partial<MessageLinkToken>): string {
  const token = { ...tokenIn(url, kind), ...members }
  return `/t/${PATHS[token.kind]}/${signLinkToken(context.tokens, token)}`
}

/** Settles hits until the condition holds; it takes some 3 s. */
async function settledUntil(isSo: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    await finalizeHits(context.db)
    return isSo()
  })
}

await call('POST', '/fields', { body: { type: 'textField', name: 'Firstname' } })

suite('a tracked link', () => {
  test('redirects to its target and is recorded with the whole activation', async () => {
    const { action, contact, links, stamp, address } = await send()
    const answer = await visit(links.redirection[0]!)
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.location, 'https://shop.example/a?x=1&y=2')
    assert.equal(answer.headers['cache-control'], 'no-store, private')
    assert.equal(answer.headers['referrer-policy'], 'no-referrer')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.headers['x-robots-tag'], 'noindex')
    assert.equal(answer.headers['set-cookie'], undefined)
    const [hit] = await events(action, 'hits/redirection')
    const { activation, link, hit: seen } = hit.source.detail
    assert.equal(activation.receiver.id, contact)
    assert.equal(activation.recipient, address)
    assert.equal(activation.stamp.id, stamp)
    assert.deepEqual(link, { type: 'redirection', id: 1, name: 'hero', url: 'https://shop.example/a?x=1&y=2' })
    assert.deepEqual(seen, {
      time: clock.now(),
      ip: '203.0.113.0',
      userAgent: BROWSER,
      device: { type: 'desktop', os: 'Windows 10', client: 'Firefox' },
      classification: null,
    })
  })

  test('gets a short code if too long for an email, which redirects and is recorded', async () => {
    const target = `https://shop.example/p?${'long='.repeat(400)}`
    const { action, html } = await send({ request: { data: { offer: 'hats', target } } })
    const short = /https:\/\/stentor\.example\/s\/[0-9A-Za-z]{10}/.exec(html)?.[0] ?? ''
    const answer = await visit(short)
    assert.deepEqual([answer.status, answer.headers.location], [302, target])
    const [hit] = await events(action, 'hits/redirection')
    assert.equal(hit.source.detail.link.url, target)
    assert.equal((await visit('/s/0123456789')).status, 404)
  })

  test('redirects to a target made from a value, with quotes and accents', async () => {
    const { action, links } = await send()
    const answer = await visit(links.redirection[1]!)
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.location, 'https://shop.example/p?q="1"&r=%C3%A9')
    const [hit] = await events(action, 'hits/redirection')
    assert.equal(hit.source.detail.link.url, 'https://shop.example/p?q="1"&r=é')
  })

  test('redirects only to the signed target', async () => {
    const { action, links } = await send()
    const [fixed = '', made = ''] = links.redirection
    const elsewhere = Buffer.from('https://evil.example/').toString('base64url')
    for (const url of [`${fixed}/${elsewhere}`, made.replace(/[^/]+$/, elsewhere), made.replace(/\/[^/]+$/, '')]) {
      const answer = await visit(url)
      assert.equal(answer.status, 404, url)
      assert.equal(answer.headers.location, undefined)
    }
    assert.deepEqual(await hits(action), [])
  })

  test('adds the parameters of the analyser without overriding any', async () => {
    const parameters = { utm_source: 'news', x: '9' }
    const made = await call('PUT', '/settings/sending', { body: { webAnalysers: [{ name: 'any', parameters }] } })
    const { id } = made.body.webAnalysers[0]
    const { action, links } = await send({ settings: { webAnalyser: id } })
    const { headers } = await visit(links.redirection[0]!)
    assert.equal(headers.location, 'https://shop.example/a?x=1&y=2&utm_source=news')
    const [hit] = await events(action, 'hits/redirection')
    assert.equal(hit.source.detail.link.url, 'https://shop.example/a?x=1&y=2')
  })

  test('that only Outlook shows counts as the other link with its target, and works even if it is in no table of links', async () => {
    const html = `<!--[if mso]><v:roundrect href="https://shop.example/a">Come in</v:roundrect>
<v:rect href="https://shop.example/b" dataminingname="sale"></v:rect><a href="Unsubscribe">Leave</a><![endif]-->
<!--[if !mso]><!--><a href="https://shop.example/a">Come in</a><!--<![endif]-->`
    const { action, contact, html: sent, links } = await send({ content: { html } })
    // A content that was frozen before such links were read, and is still sent.
    const table = sql`jsonb_path_query_array(links, '$[*] ? (@.name != "sale")')`
    await sql`update content_versions set links = ${table} where links::text like '%"sale"%'`.execute(context.db)
    assert.ok(sent.trim().startsWith('<!--[if mso]><v:roundrect href="https://stentor.example/t/r/'), sent)
    assert.equal(links.redirection[0], links.redirection[2])
    assert.equal((await visit(links.redirection[0]!)).headers.location, 'https://shop.example/a')
    clock.advance(60_000)
    assert.equal((await visit(links.redirection[1]!)).headers.location, 'https://shop.example/b')
    await eventually(async () => (await events(action, 'hits/redirection')).length === 2)
    const hitLinks = (await events(action, 'hits/redirection')).map(({ source }) => source.detail.link)
    assert.deepEqual(
      hitLinks.toSorted((one, other) => one.id - other.id),
      [
        { type: 'redirection', id: 1, name: 'Come in', url: 'https://shop.example/a' },
        { type: 'redirection', id: 2, name: null, url: 'https://shop.example/b' },
      ],
    )
    assert.equal((await visit(links.unsubscribe[0]!, BUTTON)).status, 200)
    assert.equal((await redList(contact)).length, 1)
  })

  test('answers HEAD like GET as a robot, and a GET one minute later is human', async () => {
    const { action, links } = await send()
    const answer = await visit(links.redirection[0]!, { method: 'HEAD' })
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.location, 'https://shop.example/a?x=1&y=2')
    clock.advance(60_000)
    await visit(links.redirection[0]!)
    const classes = (await hits(action)).map(({ source }) => source.detail.hit.classification)
    assert.deepEqual(classes, ['genericrobot', null])
  })

  test('still redirects and records when its action and contact are deleted', async () => {
    const { action, contact, links } = await send()
    assert.equal((await call('DELETE', `/actions/${action}`)).status, 204)
    assert.equal((await call('DELETE', `/targets/${contact}`)).status, 204)
    assert.equal((await visit(links.redirection[0]!)).status, 302)
    const [hit] = await hits(action)
    assert.equal(hit.source.detail.activation.receiver.type, 'footprint')
    assert.equal(hit.source.detail.activation.receiver.id, contact)
  })

  test('still redirects for an erased contact, but its mirror is 410 and nothing is recorded', async () => {
    const { action, contact, links, header } = await send()
    assert.equal((await call('DELETE', `/targets/${contact}?erase=true`)).status, 204)
    assert.equal((await visit(links.redirection[0]!)).status, 302)
    assert.equal((await visit(links.open[0]!)).status, 200)
    assert.equal((await visit(header, BUTTON)).status, 200)
    assert.equal((await visit(links.mirror[0]!)).status, 410)
    assert.deepEqual(await hits(action), [])
  })

  test('redirects and records nothing once its message is older than 400 days', async () => {
    const { action, links } = await send()
    const now = clock.now()
    clock.advance(401 * 24 * 3600 * 1000)
    assert.equal((await visit(links.redirection[0]!)).status, 302)
    assert.equal((await visit(links.open[0]!)).status, 200)
    clock.set(now)
    assert.deepEqual(await hits(action), [])
  })

  test('records a hit for a stamp chosen by the caller', async () => {
    const stamp = '6f9619ff-8b86-4d11-b42d-00cf4fc964ff'
    const { action, links } = await send({ request: { stamp: { id: stamp } } })
    await visit(links.redirection[0]!)
    const [hit] = await hits(action)
    assert.equal(hit.source.detail.activation.stamp.id, stamp)
  })

  test('still redirects and is recorded if signed before sources other than actions existed', async () => {
    const { action, links } = await send()
    const text = /\/t\/r\/([\w-]{72})/.exec(links.redirection[0]!)?.[1] ?? ''
    const { key } = context.tokens.signing(own.account)
    const body = Buffer.from(text, 'base64url').subarray(0, 38)
    body[0] = body[0]! & 15
    const old = Buffer.concat([body, computeHmac(key, body).subarray(0, 16)]).toString('base64url')
    assert.equal((await visit(`/t/r/${old}`)).status, 302)
    assert.equal((await hits(action)).length, 1)
  })

  test('records its hit for the kind of source that sent it, not for an action with the same number', async () => {
    const { action, links } = await send()
    const stamp = createUuidV7(clock.now())
    const path = resigned(links.redirection[0]!, 'redirection', { sourceKind: 'rcs', source: 2_000_000_041, stamp })
    assert.equal((await visit(path)).status, 302)
    const { rows } = await context.pool.query('select subject, detail from events where stamp = $1', [stamp])
    assert.deepEqual(
      rows.map(({ subject, detail }) => [subject, detail.activation.id]),
      [[2_000_000_041, 2_000_000_041]],
    )
    assert.deepEqual(await hits(action), [])
  })

  test('becomes a reactivity if clicked before its activation is recorded', async () => {
    const address = 'quick@example.org'
    const contact = await stage.contact(address)
    const action = await stage.validated(await stage.action({ content: { subject: 'Hello', html: HTML } }))
    await execute(action, contact, {})
    const { rows } = await context.pool.query(
      `select m.account, g.source_kind as "sourceKind", g.source, m.version, m.contact, m.stamp from messages m join sendings g on g.id = m.sending
        where m.address is null and m.contact = $1`,
      [parseContactId(contact)],
    )
    const token: MessageLinkToken = { ...rows[0], kind: 'redirection', link: 1, test: false, silent: false }
    assert.equal((await visit(`/t/r/${signLinkToken(context.tokens, token)}`)).status, 302)
    assert.equal((await hits(action)).length, 1)
    await stage.settle()
    await settledUntil(async () => {
      const { body } = await call('GET', `/actions/${action}/reactivities/hits?classification=all`)
      return body.length === 1 && body[0].source.detail.activation.recipient === address
    })
  })
})

suite('a tracking pixel', () => {
  test('is a transparent image of 43 bytes, and records an open', async () => {
    const { action, links } = await send()
    const answer = await visit(links.open[0]!)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'image/gif')
    assert.equal(answer.headers['cache-control'], 'no-store, private')
    assert.equal(answer.bytes.length, 43)
    assert.equal(answer.bytes.subarray(0, 6).toString(), 'GIF89a')
    const [hit] = await events(action, 'hits/open')
    assert.deepEqual(hit.source.detail.link, { type: 'open' })
    assert.equal((await visit(links.open[0]!, { method: 'HEAD' })).bytes.length, 0)
  })

  test('is sent only to contacts with consent where the account names a field, and a filled date is consent', async () => {
    const fields: [string, unknown, unknown][] = [
      ['textField', 'Yes', 'no'],
      ['date', '2026-01-05', undefined],
    ]
    for (const [type, yes, no] of fields) {
      const name = `Agreed by ${type}`
      const { body: field } = await call('POST', '/fields', { body: { type, name } })
      assert.equal((await call('PUT', '/settings/sending', { body: { openConsentField: field.id } })).status, 200)
      const agreed = await stage.validated(await stage.action({ content: { subject: 'Hello', html: HTML } }))
      for (const [value, pixels] of [
        [yes, 1],
        [no, 0],
      ] as const) {
        const address = `${type}${pixels}@example.org`.toLowerCase()
        const contact = await stage.contact(address, value === undefined ? {} : { [name]: value })
        clock.advance(2000)
        await execute(agreed, contact, {})
        await stage.settle()
        const { links } = await readMail(gateway.to(address)[0]!.bytes)
        assert.equal(links.open.length, pixels, `${type} ${String(value)}`)
      }
    }
    await call('PUT', '/settings/sending', { body: { openConsentField: null } })
  })

  test('is not human when requested by a mail privacy relay', async () => {
    const { action, links } = await send()
    await visit(links.open[0]!, { agent: 'Mozilla/5.0' })
    assert.deepEqual(await hits(action, ''), [])
    const [hit] = await hits(action, '?classification=mpp')
    assert.equal(hit.source.detail.hit.classification, 'mpp')
  })
})

suite('each kind of hit', () => {
  test('is listed under its own name and in the list of all hits', async () => {
    const { action, links } = await send()
    await visit(links.open[0]!)
    clock.advance(10_000)
    await visit(links.redirection[0]!)
    clock.advance(10_000)
    assert.equal((await visit(links.mirror[0]!)).status, 200)
    await visit(links.unsubscribe[0]!, BUTTON)
    const kinds = (list: AnyEvent[]) => list.map(({ source }) => source.detail.link.type)
    assert.deepEqual(kinds(await hits(action, '')), ['open', 'redirection', 'mirror', 'unsubscribe'])
    for (const kind of ['open', 'redirection', 'mirror', 'unsubscribe'])
      assert.deepEqual(kinds(await events(action, `hits/${kind}`)), [kind])
    const [mirror] = await events(action, 'hits/mirror')
    assert.deepEqual(mirror.source.detail.link, { type: 'mirror', id: 3, name: 'Online' })
  })

  test('stores as much of the IP address as the account allows', async () => {
    const kept: (string | null)[] = []
    for (const ip of ['full', 'truncated', 'none'] as const) {
      const { status, text } = await call('PUT', '/settings/events', { body: { ip } })
      assert.equal(status, 200, text)
      const { action, links } = await send()
      await visit(links.redirection[0]!, { from: '2001:db8:5:6::7' })
      const [hit] = await hits(action)
      kept.push(hit.source.detail.hit.ip)
    }
    await call('PUT', '/settings/events', { body: { ip: 'truncated' } })
    assert.deepEqual(kept, ['2001:db8:5:6::7', '2001:db8:5::', null])
  })
})

suite('robots', () => {
  test('are detected 3 s after following three links within two seconds, and are in no reactivity', async () => {
    const links = [1, 2, 3, 4, 5].map((n) => `<a href="https://shop.example/${n}">${n}</a>`)
    const { action, links: sent } = await send({ content: { html: `<html><body>${links.join(' ')}</body></html>` } })
    for (const url of sent.redirection) await visit(url)
    assert.equal((await hits(action, '')).length, 5)
    await settledUntil(async () => (await hits(action, '?classification=genericrobot')).length === 5)
    assert.deepEqual(await hits(action, ''), [])
    assert.deepEqual((await call('GET', `/actions/${action}/reactivities/hits`)).body, [])
  })

  test('are detected for one message by its honeypot link, which redirects to the public address', async () => {
    await call('PUT', '/settings/sending', { body: { honeypotLink: true } })
    const { action, links } = await send()
    await call('PUT', '/settings/sending', { body: { honeypotLink: false } })
    clock.set(Date.now() + 5000)
    const answer = await visit(links.honeypot[0]!)
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.location, 'https://stentor.example/')
    await visit(links.redirection[0]!)
    await visit(links.redirection[0]!, { from: '198.51.100.1' })
    const classes = (await hits(action)).map(({ source }) => source.detail.hit.classification)
    assert.deepEqual(classes, ['genericrobot', null])
  })
})

suite('an invalid token', () => {
  test('gets the same page whatever is wrong with it, and leaves no trace', async () => {
    const { action, links, header } = await send()
    const good = tokenIn(header, 'unsubscribe')
    const foreign = createAccountTokenKeys([{ number: 0, key: Buffer.alloc(32, 7) }])
    const text = /\/t\/u\/(.*)/.exec(header)?.[1] ?? ''
    const bad = [
      ...[0, 1, 5, 20, 40, 71].map(
        (at) => `/t/u/${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`,
      ),
      `/t/u/${text.slice(1)}`,
      `/t/u/${text}A`,
      '/t/u/-',
      `/t/u/${encodeURIComponent('<script>')}`,
      `/t/u/${signLinkToken(foreign, good)}`,
      `/t/o/${text}`,
      `/t/m/${text}`,
      `/t/h/${text}`,
      `/t/r/${text}/aHR0cHM6Ly9ldmlsLmV4YW1wbGUv`,
      resigned(header, 'unsubscribe', { kind: 'redirection' }).replace('/t/r/', '/t/u/'),
      resigned(links.redirection[0]!, 'redirection', { link: 99 }),
      resigned(links.redirection[0]!, 'redirection', { account: other.account }),
      resigned(links.redirection[0]!, 'redirection', { version: 999_999 }),
    ]
    const pages = await Promise.all(bad.map((url) => visit(url)))
    for (const [n, { status }] of pages.entries()) assert.equal(status, 404, `${bad[n]}`)
    assert.equal(new Set(pages.map(({ text: page }) => page)).size, 1)
    assert.equal((await visit(`/t/u/${text.slice(1)}`, BUTTON)).status, 404)
    assert.deepEqual(await hits(action), [])
    assert.match(pages[0]!.text, /<html lang="en">/)
    const french = await visit('/t/u/-', { headers: { 'accept-language': 'fr-FR,en;q=0.5' } })
    assert.match(french.text, /<html lang="fr">/)
  })

  test('is refused with 429 beyond 100 a minute from one address, whose valid links still work', async () => {
    const { links } = await send()
    const from = '192.0.2.1'
    const statuses: number[] = []
    for (let n = 0; n < 101; n++) statuses.push((await visit('/t/o/bad', { from })).status)
    assert.deepEqual([statuses.slice(0, 100).every((status) => status === 404), statuses[100]], [true, 429])
    const seconds = Number((await visit('/t/o/bad', { from })).headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds} s`)
    assert.equal((await visit(links.open[0]!, { from })).status, 200)
    assert.equal((await visit('/t/o/bad', { from: '192.0.2.2' })).status, 404)
  })
})

suite('unsubscribing', () => {
  test('a GET or HEAD shows the question and changes nothing', async () => {
    const { action, contact, links } = await send()
    for (const method of ['GET', 'HEAD'] as const)
      assert.equal((await visit(links.unsubscribe[0]!, { method })).status, 200)
    const { text, headers } = await visit(links.unsubscribe[0]!)
    assert.match(text, /<strong>r\*\*\*@example\.org<\/strong>/)
    assert.doesNotMatch(text, /reader\d/)
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/)
    assert.deepEqual(await hits(action), [])
    assert.deepEqual(await redList(contact), [])
  })

  test('the button creates one entry of origin 4 and one hit, however often it is pressed', async () => {
    const { action, contact, links } = await send()
    for (let n = 0; n < 3; n++) {
      const { status, text } = await visit(links.unsubscribe[0]!, BUTTON)
      assert.equal(status, 200)
      assert.match(text, /<strong>r\*\*\*@example\.org<\/strong>/)
    }
    const [entry] = await redList(contact)
    assert.equal(entry.origin, 4)
    assert.deepEqual(entry.detail, { action })
    const all = await hits(action)
    assert.equal(all.length, 1)
    assert.deepEqual(all[0].source.detail.link, { type: 'unsubscribe', via: 'page' })
    assert.equal(all[0].source.detail.hit.classification, null)
  })

  test('one-click from a mail reader is answered empty, and cancels queued messages', async () => {
    const { action, contact, header } = await send()
    await execute(action, contact, {})
    const answer = await visit(header, { ...ONE_CLICK, agent: '' })
    assert.equal(answer.status, 200)
    assert.equal(answer.bytes.length, 0)
    assert.equal(answer.headers.location, undefined)
    await stage.settle()
    const [cancellation] = await events(action, 'cancellations')
    assert.deepEqual(cancellation.source.detail.cancellation, { type: 'redlist', value: { channel: 'mail' } })
    const [hit] = await hits(action, '')
    assert.deepEqual(hit.source.detail.link, { type: 'unsubscribe', via: 'one-click' })
  })

  test('a one-click body counts with any case, blanks, line ends, charset, other fields and without a type', async () => {
    const forms: [payload: string, type?: string][] = [
      ['List-Unsubscribe=One-Click\r\n'],
      ['List-Unsubscribe=One-Click\n'],
      ['list-unsubscribe=ONE-CLICK'],
      ['List-Unsubscribe=+One-Click+'],
      ['List-Unsubscribe=One-Click&List-Unsubscribe=One-Click'],
      ['a=b&List-Unsubscribe=One-Click'],
      ['List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded; charset=iso-8859-1'],
      ['List-Unsubscribe=One-Click', ''],
    ]
    for (const [payload, type = FORM['content-type']] of forms) {
      const { contact, header } = await send()
      const headers = { ...(type !== '' && { 'content-type': type }) } as Record<string, string>
      const { status } = await visit(header, { method: 'POST', headers, payload })
      assert.equal(status, 200, JSON.stringify([payload, type]))
      assert.equal((await redList(contact)).length, 1, JSON.stringify([payload, type]))
    }
  })

  test('a one-click of an old message lists a contact again whose entry was removed, and records no second hit', async () => {
    const { action, contact, header } = await send()
    assert.equal((await visit(header, ONE_CLICK)).status, 200)
    const removal = await call('DELETE', `/targets/${contact}/redlist/mail`, { body: { reason: 'asked by phone' } })
    assert.equal(removal.status, 204)
    assert.deepEqual(await redList(contact), [])
    assert.equal((await visit(header, ONE_CLICK)).status, 200)
    assert.equal((await redList(contact)).length, 1)
    assert.equal((await hits(action)).length, 1)
  })

  test('the stop of a contact that was deleted meanwhile counts for the next one of its address, but not after an erasure', async () => {
    for (const [query, entries] of [
      ['', 1],
      ['?erase=true', 0],
    ] as const) {
      const { contact, address, header } = await send()
      assert.equal((await call('DELETE', `/targets/${contact}${query}`)).status, 204)
      assert.equal((await visit(header, ONE_CLICK)).status, 200)
      const again = await call('POST', '/targets', { body: { Email: address } })
      assert.equal((await redList(again.body.id)).length, entries, query)
    }
  })

  test('a multipart body is accepted as well', async () => {
    const { contact, header } = await send()
    const payload = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    assert.equal((await visit(header, { method: 'POST', headers, payload })).status, 200)
    assert.equal((await redList(contact)).length, 1)
  })

  test('a POST without confirmation or one-click changes nothing', async () => {
    const { action, contact, header } = await send()
    const bodies: Visit[] = [
      { headers: FORM, payload: 'confirm=0' },
      { headers: FORM, payload: 'List-Unsubscribe=Yes' },
      { headers: { 'content-type': 'application/json' }, payload: '{"confirm":"1"}' },
      { headers: { 'content-type': 'multipart/form-data; boundary=x' }, payload: 'confirm=1' },
      {},
    ]
    for (const body of bodies) {
      const { status, text } = await visit(header, { method: 'POST', ...body })
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(text, /<h1>/)
    }
    const large = await visit(header, { ...BUTTON, payload: `confirm=1&more=${'x'.repeat(70_000)}` })
    assert.equal(large.status, 413)
    assert.deepEqual(await hits(action), [])
    assert.deepEqual(await redList(contact), [])
  })

  test('a proof shows everything and changes nothing except a hit of kind test', async () => {
    const { action, contact, header } = await send()
    const url = resigned(header, 'unsubscribe', { test: true, stamp: '019b78c9-0a80-70fa-807f-3375bd03d3e7' })
    const now = clock.now()
    clock.set(Date.parse('2026-01-02T00:00:00Z'))
    assert.match((await visit(url, BUTTON)).text, /<h1>/)
    clock.set(now)
    const [hit] = await hits(action)
    assert.equal(hit.source.detail.activation.kind, 'test')
    assert.deepEqual(await redList(contact), [])
  })

  test('a copy cannot unsubscribe the original recipient', async () => {
    const { action, contact, header } = await send()
    const url = resigned(header, 'unsubscribe', { silent: true })
    for (const how of [{}, BUTTON, ONE_CLICK]) assert.match((await visit(url, how)).text, /This copy|Cette copie/)
    assert.deepEqual(await hits(action), [])
    assert.deepEqual(await redList(contact), [])
  })

  test('works after 400 days, without a hit', async () => {
    const { action, contact, header } = await send()
    const now = clock.now()
    clock.advance(401 * 24 * 3600 * 1000)
    assert.equal((await visit(header, ONE_CLICK)).status, 200)
    clock.set(now)
    assert.equal((await redList(contact))[0].origin, 4)
    assert.deepEqual(await hits(action), [])
  })

  test('a deleted contact gets the confirmation', async () => {
    const { contact, header } = await send()
    assert.equal((await call('DELETE', `/targets/${contact}`)).status, 204)
    assert.equal((await visit(header, BUTTON)).status, 200)
  })

  test('the page is French for French cultures and English for others', async () => {
    for (const [culture, language] of [
      ['fr-CA', 'fr'],
      ['de-DE', 'en'],
    ] as const) {
      const { header } = await send({ settings: { culture } })
      for (const how of [{}, BUTTON])
        assert.match((await visit(header, how)).text, new RegExp(`<html lang="${language}">`))
    }
  })
})

suite('a mirror page', () => {
  test('shows the message as sent, whatever happens to the action and the contact', async () => {
    const { action, contact, links, html } = await send()
    await call('PUT', `/targets/${contact}`, { body: { Firstname: 'Zoe' } })
    await call('POST', `/actions/${action}/validation`, { body: { unvalidate: true } })
    await call('PUT', `/actions/${action}`, { body: { content: { html: '<p>Quite different</p>' } } })
    const { status, text, headers } = await visit(links.mirror[0]!)
    assert.equal(status, 200)
    assert.match(text, /Dear Ann, hats/)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline' https:; font-src https: data:; sandbox allow-popups allow-popups-to-escape-sandbox",
    )
    const withoutPixel = html.replace(/<img[^>]*\/t\/o\/[^>]*>/, '').trim()
    assert.equal(text.trim(), withoutPixel)
  })

  test('is available before the outcome of the message is recorded', async () => {
    const contact = await stage.contact('early@example.org', { Firstname: 'Eve' })
    const action = await stage.validated(await stage.action({ content: { subject: 'Hello', html: HTML } }))
    await execute(action, contact, {})
    const { rows } = await context.pool.query(
      `select m.account, g.source_kind as "sourceKind", g.source, m.version, m.contact, m.stamp from messages m join sendings g on g.id = m.sending
        where g.source = $1`,
      [parseActionId(action)],
    )
    const token: MessageLinkToken = { ...rows[0], kind: 'mirror', link: 3, test: false, silent: false }
    const { status, text } = await visit(`/t/m/${signLinkToken(context.tokens, token)}`)
    assert.equal(status, 200)
    assert.match(text, /Dear Eve, hats/)
    await stage.settle()
  })

  test('is a generated page for a text-only message', async () => {
    const { header } = await send({
      content: { html: null, text: 'Dear {{ contact.Firstname }}, <b>see</b> https://shop.example/a' },
      settings: { contentFormat: 3 },
    })
    const { status, text } = await visit(resigned(header, 'unsubscribe', { kind: 'mirror' }))
    assert.equal(status, 200)
    assert.match(text, /<h1>Hello<\/h1>/)
    assert.match(text, /Dear Ann, &lt;b&gt;see&lt;\/b&gt; <a href="https:\/\/shop\.example\/a">/)
  })

  test('has links of a proof in a proof, and of a copy in a copy', async () => {
    const { links } = await send()
    const proof = await visit(resigned(links.mirror[0]!, 'mirror', { test: true }))
    const [inProof = ''] = /https:\/\/stentor\.example\/t\/u\/[\w-]{72}/.exec(proof.text) ?? []
    assert.equal(tokenIn(inProof, 'unsubscribe').test, true)
    assert.doesNotMatch(proof.text, /\/t\/o\//)
    const copy = await visit(resigned(links.mirror[0]!, 'mirror', { silent: true }))
    assert.match(copy.text, /href="https:\/\/shop\.example\/a\?x=1&amp;y=2"/)
    const [inCopy = ''] = /https:\/\/stentor\.example\/t\/u\/[\w-]{72}/.exec(copy.text) ?? []
    assert.equal(tokenIn(inCopy, 'unsubscribe').silent, true)
  })

  test('is 410 once the stored message is deleted', async () => {
    const { action, links, stamp } = await send()
    await context.pool.query('delete from sent_messages where account = $1 and stamp = $2', [own.account, stamp])
    const { status, text } = await visit(links.mirror[0]!)
    assert.equal(status, 410)
    assert.match(text, /<h1>/)
    assert.deepEqual(await hits(action), [])
  })
})

test('the links of a preview lead to a page that says so', async () => {
  const { status, text } = await visit('/t/preview')
  assert.equal(status, 200)
  assert.match(text, /This is a preview/)
})
