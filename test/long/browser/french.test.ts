import assert from 'node:assert/strict'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'

const { window } = await startBrowserStage()

test('on a slow machine, pages in French are rendered without an error of the browser', async () => {
  const { page, context, open, complaints, close } = await window({ locale: 'fr' })
  const browser = await context.newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  // From the second load on, the texts come from the cache, between two attempts of React to render what waits for them.
  for (const path of ['/segments', '/segments', '/imports', '/imports/new', '/imports', '/segments/new', '/contacts']) {
    await open(path)
    await page.locator('main h1, main h2').first().waitFor()
    await page.waitForLoadState('networkidle')
  }
  assert.deepEqual(complaints, [])
  await close()
})
