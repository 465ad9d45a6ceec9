import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite } from 'node:test'
import type { Page } from 'playwright-core'
import { createHitEvent, type HitMessage } from '../../../src/features/events/hits/hit.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { writeCapturedMessage } from '../../../src/gateways/capture/files.ts'
import { parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'

/** What a message would reach if it could: every request is noted. */
const reached: string[] = []
const elsewhere = createServer((request, response) => {
  reached.push(request.url ?? '')
  response.end()
}).listen(0, '127.0.0.1')
await once(elsewhere, 'listening')
after(() => elsewhere.close())
const away = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`

const { stage, window } = await startBrowserStage()
const { call, dataDir, own } = stage

const hostile = `<img src=x onerror="document.title='taken'"> "quoted" 'single' ‮اسم عربي‬ ${'long '.repeat(2000)}`
const shown = '<img src=x onerror='

/** Violations of the policy of the page itself, as it would report them. */
const LISTEN = `self.violations = []
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => violations.push(violatedDirective + ' ' + blockedURI))`

async function assertUntouched(page: Page, title: RegExp): Promise<void> {
  assert.match(await page.title(), title)
  assert.equal(await page.locator('img[src=x]').count(), 0)
  assert.deepEqual(await page.evaluate('self.violations ?? []'), [])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
}

/** What the browser reports of a message names what it tried, or its frame; a nonce stands in the policy of the console alone. */
const isOfConsole = (one: string): boolean =>
  one.includes("'nonce-") || (!one.includes(away) && !/sandbox|blocked|Blocked|srcdoc/i.test(one))

/** The one reader of a campaign follows its first link. */
async function follow(action: string, contact: string): Promise<void> {
  const { db, pool } = stage.context
  const source = parseActionId(action)!
  const { rows } = await pool.query<{ stamp: string }>(
    "select stamp from sent_messages where source = $1 and kind <> 'test'",
    [source],
  )
  const message: HitMessage = {
    account: own.account,
    channel: 'email',
    sourceKind: 'action',
    source,
    kind: 'campaign',
    contact: parseContactId(contact) ?? null,
    stamp: rows[0]!.stamp,
  }
  const request = { time: Date.now(), address: '203.0.113.7', userAgent: 'Mozilla/5.0 (X11; Linux)', visitor: null }
  const link = { type: 'redirection', id: 1, name: null, url: 'https://shop.example/a' } as const
  const verdict = { classification: null, early: null }
  await appendEvents(db, [createHitEvent(message, link, request, { verdict, addressDetail: 'full' })])
  await finalizeHits(db)
}

suite('hostile content in the console', () => {
  test("a contact's hostile values are shown as text on every screen", async () => {
    await call('POST', '/fields', { body: { type: 'textArea', name: 'Notes' } })
    const {
      body: { id },
    } = await call('POST', '/targets', { body: { Email: 'hostile@orchard.example', Notes: hostile } })
    const list = await stage.segment([id], { name: hostile.slice(0, 90) })
    const { page, open, complaints } = await window()
    await page.addInitScript(LISTEN)
    for (const [path, title] of [
      ['/contacts', /^Contacts/],
      ['/contacts?sort=id&q=hostile', /^Contacts/],
      [`/contacts/${id}`, /^hostile@orchard\.example/],
      [`/contacts/${id}?tab=fields`, /^hostile@orchard\.example/],
      [`/segments/${list}`, /^<img src=x/],
      ['/segments', /^Segments/],
    ] as const) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const fields = await page
        .locator('textarea')
        .evaluateAll((all: { value: string }[]) => all.map(({ value }) => value))
      // biome-ignore lint/performance/useDomNodeTextContent: what people see.
      const words = [await page.locator('body').innerText(), ...fields].join('\n')
      assert.ok(words.includes(shown) || path.includes('q='), path)
      await assertUntouched(page, title)
    }
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a message cannot touch anything outside its frame, and its attempts are blocked', async () => {
    const html = `<html><head><meta http-equiv="refresh" content="0;url=${away}/refresh"><base target="_top">
      <link rel="stylesheet" href="${away}/style"></head><body onload="top.location='${away}/onload'">
      <script>top.document.title = 'taken'; fetch('${away}/script')</script>
      <img src="${away}/picture" onerror="parent.parent.document.title='taken'">
      <form action="${away}/form" target="_top"><button>Submit</button></form><iframe src="${away}/frame"></iframe>
      <object data="${away}/object"></object><video src="${away}/video" autoplay></video>
      <svg><script href="${away}/svg"></script></svg>
      <a href="${away}/link" target="_top">Follow me</a><p style="background:url(${away}/background)">Hello</p></body></html>`
    const head = [
      'Subject: <script>top.document.title="taken"</script>',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
    ]
    const envelope = { from: 'bounce@orchard.example', to: '"><img src=x>@orchard.example' }
    const origin = {
      account: own.account,
      sourceKind: 'action',
      source: 1,
      stamp: '019512a0-7c11-7d2e-9a42-0c1de0a5b001',
    }
    const mail = { id: 1, envelope, bytes: Buffer.from(head.join('\r\n')), origin }
    const id = await writeCapturedMessage(dataDir, mail as Parameters<typeof writeCapturedMessage>[1], Date.now())
    const { page, open, complaints } = await window()
    await page.addInitScript(LISTEN)
    await open(`/captured?id=${id}`)
    const message = page.frameLocator('iframe').frameLocator('iframe')
    await message.getByText('Hello').waitFor()
    const address = page.url()
    await message.getByRole('link', { name: 'Follow me' }).click()
    await message.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Headers', { exact: true }).click()
    await page.getByRole('rowheader', { name: 'subject' }).waitFor()
    await page.getByText('Source', { exact: true }).click()
    await page.getByText('http-equiv').waitFor()
    await assertUntouched(page, /^Captured messages/)
    assert.equal(new URL(page.url()).pathname, new URL(address).pathname)
    assert.deepEqual(reached, [])
    // What the browser reports is of the message, and names what it tried.
    assert.deepEqual(complaints.filter(isOfConsole), [])
    assert.ok(complaints.some((one) => one.includes('/picture')))
    await page.context().close()
  })

  test('hostile names, values and HTML do nothing in the list, the page and the report of a message', async () => {
    const hostileHtml = `<html><head><style>p { color: green; background: url(${away}/style) }</style><base target="_top"></head>
      <body onload="top.document.title='taken'"><script>top.document.title = 'taken'</script>
      <p>Dear reader</p><a href="https://shop.example/a" target="_top">Come in</a><img src=x onerror="top.document.title='taken'"></body></html>`
    const name = hostile.slice(0, 90)
    const reader = await stage.contact('reader@orchard.example')
    const scheduler = {
      type: 'asap',
      segments: { selected: [await stage.segment([reader], { name: `${name} listed` })] },
    }
    const content = { subject: name, html: hostileHtml }
    const draft = await stage.action({ type: 'mailCampaign', name, content, scheduler })
    const sent = await stage.validated(
      await stage.action({ type: 'mailCampaign', name: `${name} sent`, content, scheduler }),
    )
    await stage.settle()
    await stage.settle()
    await follow(sent, reader)
    const { page, open, complaints } = await window()
    await page.addInitScript(LISTEN)
    for (const [path, title] of [
      ['/messages/email', /^Messages/],
      [`/messages/email/${draft}`, /^<img src=x/],
      [`/messages/email/${draft}?step=audience`, /^<img src=x/],
      [`/messages/email/${draft}?step=send`, /^<img src=x/],
      [`/messages/email/${sent}/report`, /^<img src=x/],
      [`/messages/email/${sent}/report/contacts?of=sent`, /^Sent/],
    ] as const) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await page.getByText(shown).filter({ visible: true }).first().waitFor()
      await assertUntouched(page, title)
    }
    await open(`/messages/email/${sent}/report`)
    await page.getByText('Where people clicked').waitFor()
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Dear reader').waitFor()
    await assertUntouched(page, /^<img src=x/)
    await open(`/messages/email/${draft}`)
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Dear reader').waitFor()
    await assertUntouched(page, /^<img src=x/)
    assert.deepEqual(reached, [])
    assert.deepEqual(complaints.filter(isOfConsole), [])
    await page.context().close()
  })

  test('only pictures are loaded from the internet, and only when requested', async () => {
    const [row] = (await call('GET', '/captured', { headers: { accept: 'application/json' } })).body
    const { page, open, close } = await window()
    await open(`/captured?id=${row.id}`)
    const asked = page.waitForRequest(`${away}/picture`)
    await page.getByLabel('Pictures').check({ force: true })
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Hello').waitFor()
    await asked
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Hello').waitFor()
    assert.deepEqual([...new Set(reached)].sort(), ['/background', '/picture'])
    await close()
  })
})
