import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { writeCaptured } from '../../src/gateways/capture/files.ts'
import { startBrowserStage } from './browser-stage.ts'

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

suite('case 5', () => {
  test('a contact with hostile values is text on every screen that shows it', async () => {
    await call('POST', '/fields', { body: { type: 'textArea', name: 'Notes' } })
    const {
      body: { id },
    } = await call('POST', '/targets', { body: { Email: 'hostile@orchard.example', Notes: hostile } })
    const list = await stage.segment([id], { name: hostile.slice(0, 90) })
    const { page, open, context, complaints } = await window()
    await context.addInitScript(LISTEN)
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
    await context.close()
  })

  test('a message can touch nothing outside of its frame, and what it tries is blocked there', async () => {
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
    const id = await writeCaptured(dataDir, mail as Parameters<typeof writeCaptured>[1], Date.now())
    const { page, open, context, complaints } = await window()
    await context.addInitScript(LISTEN)
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
    const foreign = complaints.filter((one) => !one.includes(away) && !/sandbox|blocked|Blocked|srcdoc/i.test(one))
    assert.deepEqual(foreign, [])
    assert.ok(complaints.some((one) => one.includes('/picture')))
    await context.close()
  })

  test('pictures of the internet are loaded when they are asked for, and nothing else is', async () => {
    const [row] = (await call('GET', '/captured', { headers: { accept: 'application/json' } })).body
    const { page, open, context } = await window()
    await open(`/captured?id=${row.id}`)
    await page.getByLabel('Pictures').check({ force: true })
    const asked = page.waitForRequest(`${away}/picture`)
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Hello').waitFor()
    await asked
    await page.frameLocator('iframe').frameLocator('iframe').getByText('Hello').waitFor()
    assert.deepEqual([...new Set(reached)].sort(), ['/background', '/picture'])
    await context.close()
  })
})
