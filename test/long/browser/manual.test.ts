import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { suite } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { browserForFile, test } from '../../support/browser/launch.ts'
import { collectComplaints, setView } from '../../support/browser/windows.ts'
import { startHarness } from '../../support/harness.ts'

const { app } = await startHarness()
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/manual/`
const browser = browserForFile()
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface ManualWindow {
  page: Page
  complaints: string[]
  /** Addresses of other hosts that were requested. */
  strangers: string[]
  close(): Promise<void>
}

async function openWindow(path: string, options: BrowserContextOptions = {}): Promise<ManualWindow> {
  const context = await (await browser()).newContext(options)
  const page = await context.newPage()
  const complaints = collectComplaints(page)
  const strangers: string[] = []
  page.on('request', (request) => void (request.url().startsWith(url) || strangers.push(request.url())))
  await page.goto(url + path)
  return { page, complaints, strangers, close: () => context.close() }
}

/** The rules of axe that a page breaks, and whether it is wider than the window. */
async function listFaults(page: Page, width: number): Promise<string[]> {
  if (await page.evaluate('self.axe === undefined')) await page.evaluate(AXE)
  const { violations, shownWidth } = await page.evaluate<{
    violations: { id: string; nodes: { target: unknown[] }[] }[]
    shownWidth: number
  }>(`axe.run(document).then(({ violations }) => ({ violations, shownWidth: document.documentElement.scrollWidth }))`)
  const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  return shownWidth === width ? faults : [...faults, `${shownWidth} px wide`]
}

const PAGES = ['', 'how-to/send-sms.html', 'reference/settings.html', 'operations/sizing.html', 'readme.html', 'none']

suite('the manual in a browser', () => {
  test('is accessible, and fits windows of 390 to 1,280 pixels in light and dark', async () => {
    for (const path of PAGES) {
      const { page, complaints, strangers, close } = await openWindow(path)
      for (const width of [390, 820, 1280])
        for (const scheme of ['light', 'dark'] as const) {
          await setView(page, { width, scheme })
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
          assert.deepEqual([path, width, scheme, await listFaults(page, width)], [path, width, scheme, []])
        }
      assert.deepEqual([complaints, strangers], [[], []])
      await close()
    }
  })

  test('finds pages with the keyboard alone', async () => {
    const { page, complaints, strangers, close } = await openWindow('reference/limits.html')
    await page.keyboard.press('/')
    await page.keyboard.type('quiet hours')
    const first = page.locator('.results a').first()
    await first.waitFor()
    assert.deepEqual(await listFaults(page, 1280), [])
    assert.match(String(await page.getByRole('status').textContent()), /^\d+ results?$/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/reference\/pressure\.html/)
    await page.keyboard.press('/')
    await page.keyboard.type('zzyzx')
    await page.getByText('No results for “zzyzx”.').last().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.results').waitFor({ state: 'hidden' })
    assert.deepEqual([complaints, strangers], [[], []])
    await close()
  })

  test('copies the commands of a block', async () => {
    const { page, close } = await openWindow('', { permissions: ['clipboard-read', 'clipboard-write'] })
    const block = page.locator('.code[data-language=console]').first()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'npm start')
    await close()
  })

  test('opens its navigation from the menu of a narrow window', async () => {
    const { page, close } = await openWindow('reference/users.html', { viewport: { width: 390, height: 844 } })
    const link = page.getByRole('navigation', { name: 'Manual' }).getByRole('link', { name: 'Audit' })
    await link.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    assert.deepEqual(await listFaults(page, 390), [])
    await page.keyboard.press('Escape')
    await link.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await link.click()
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    await close()
  })

  test('can be read without scripts', async () => {
    const { page, close } = await openWindow('reference/users.html', {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    const link = page.getByRole('navigation', { name: 'Manual' }).getByRole('link', { name: 'Audit' })
    await link.click()
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    assert.equal(await page.getByRole('searchbox').count(), 0)
    await close()
  })
})
