import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { chromium } from 'playwright-core'
import type * as client from '../../../clients/typescript/src/index.ts'
import { installClient } from '../../clients/packed.ts'
import { browserIsMissing, findBrowser } from '../../fakes/web/browser.ts'
import { KEY, prepareService } from '../../support/processes/process.ts'

const executablePath = findBrowser()

/** What a page does with the client; runs there. */
async function useClient({ key, url, place }: Record<'key' | 'url' | 'place', string>) {
  const { createStentor, StentorError, verifyWebhook, WebhookError } = (await import(place)) as typeof client
  const stentor = createStentor({ url, key })
  for (const name of ['One', 'Two', 'Three']) await stentor.createCategory({ body: { name } })
  const names: string[] = []
  for await (const { name } of stentor.items(stentor.listCategories, { query: { limit: 2 } })) names.push(name)
  const { id: campaign } = await stentor.createDisplayCampaign({ body: { name: 'Banners' } })
  const content = { name: 'Banner', campaign, url: 'https://shop.example/' }
  const { id } = await stentor.createDisplayContent({ body: content })
  const placement = await stentor.createDisplayPlacement({ body: { name: 'Home' } })
  const tags = await stentor.getDisplayContentTags({ path: { id }, query: { placement: placement.id } })
  for (let n = 0; n < 2; n++) await fetch(new URL(tags.impression).pathname)
  const lines: string[] = []
  for await (const event of stentor.lines(stentor.listAllDisplayActivationEvents)) lines.push(event.type)
  const refusal = await stentor.getCategory({ path: { id: '999999' } }).catch((error) => error)
  const unsigned = await verifyWebhook({ headers: new Headers(), body: '', secret: 'whsec_YWJj' }).catch(
    (error) => error,
  )
  return {
    names: names.filter((name) => ['One', 'Two', 'Three'].includes(name)),
    lines,
    refusal: refusal instanceof StentorError && refusal.kind,
    isUnsigned: unsigned instanceof WebhookError,
  }
}

suite('the client in a browser', () => {
  const skip = browserIsMissing() ?? false
  test('loads as modules and works without anything from Node.js', { skip }, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'stentor-client-'))
    t.after(() => rm(directory, { recursive: true, force: true }))
    const { installed } = await installClient(directory)
    const service = await prepareService(t)
    await service.start()
    const browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
    t.after(() => browser.close())
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Page</title>' }))
    await page.route('**/client/**', async (route) => {
      const path = new URL(route.request().url()).pathname.slice('/client/'.length)
      await route.fulfill({ contentType: 'text/javascript', body: await readFile(join(installed, 'dist', path)) })
    })
    await page.goto(`${service.url}/page`)
    const found = await page.evaluate(useClient, { key: KEY, url: service.url, place: '/client/index.js' })
    assert.deepEqual(complaints, [])
    assert.deepEqual(found, {
      names: ['One', 'Two', 'Three'],
      lines: ['activation', 'activation'],
      refusal: 'not-found',
      isUnsigned: true,
    })
  })
})
