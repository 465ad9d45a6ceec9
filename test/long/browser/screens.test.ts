import assert from 'node:assert/strict'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { type Scheme, startBrowserStage } from '../../support/browser/browser-stage.ts'
import type { Scene } from '../../support/browser/scene.ts'

/** Set to a folder, the tests leave pictures there; `npm run pictures`. */
const PICTURES = process.env['STENTOR_TEST_PICTURES']
/** Only scenes whose names match this pattern. */
const WANTED = new RegExp(process.env['STENTOR_TEST_SCENES'] ?? '')
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** The answer of an operation that is broken. */
const BROKEN = {
  status: 500,
  contentType: 'application/problem+json',
  headers: { 'x-request-id': 'd41d8cd9-8f00-4b20-9980-0998ecf8427e' },
  body: JSON.stringify({
    type: 'urn:stentor:problem:internal',
    status: 500,
    detail: 'This is broken for the picture.',
  }),
}
const WIDTHS = [1280, 390]
const SCHEMES: Scheme[] = ['light', 'dark']

interface Violation {
  id: string
  nodes: { target: unknown[]; failureSummary?: string }[]
}

/** The rules that a scheme of colours may break; the others look at structure, which is the same in both. */
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What axe finds on a page: each rule with the elements that break it. In the dark only rules of colours are judged. */
async function violations(page: Page, scheme: Scheme): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(scheme === 'dark' && { runOnly: OF_COLOURS }) }
  const found = (await page.evaluate(
    `(async () => (await axe.run(document, ${JSON.stringify(options)})).violations)()`,
  )) as Violation[]
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  )
}

const SCENES = join(import.meta.dirname, '../../support/browser/scenes')
const files = globSync('*.ts', { cwd: SCENES })
const modules = await Promise.all(files.sort().map((file) => import(pathToFileURL(join(SCENES, file)).href)))
// What is empty is looked at before others make something.
const order = ({ name }: Scene): number => (name.endsWith('-empty') ? 0 : 1)
const scenes = modules
  .flatMap((module: { scenes: Scene[] }) => module.scenes)
  .filter(({ name }) => WANTED.test(name))
  .sort((one, other) => order(one) - order(other))
if (PICTURES) mkdirSync(PICTURES, { recursive: true })

const { stage, url, window } = await startBrowserStage()
// All scenes are tabs of two windows, so that the console is loaded once.
const inside = await window()
const outside = await window({ role: null })

interface Look {
  page: Page
  name: string
  width: number
  scheme: Scheme
}

/** What is wrong with a screen at a width in a scheme; leaves its picture. */
async function look({ page, name, width, scheme }: Look): Promise<string[]> {
  await page.setViewportSize({ width, height: width < 640 ? 844 : 900 })
  await page.emulateMedia({ colorScheme: scheme })
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${width}-${scheme}.png`) })
  const found = await violations(page, scheme)
  const wide = await page.evaluate('document.documentElement.scrollWidth')
  if (wide !== width) found.push(`it is ${wide} px wide`)
  return found.map((fault) => `${width} px, ${scheme}: ${fault}`)
}

/** Pictures of the README, in WebP; each at most 150 KB. */
const README_PICTURES = join(import.meta.dirname, '../../../docs/pictures')
const MAX_PICTURE_BYTES = 150_000

/** Leaves the picture of a screen that the README shows. */
async function picture(page: Page, { name, frame }: Scene): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor({ state: 'attached' })
  await frame?.(page)
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 88 })
  const bytes = Buffer.from(data, 'base64')
  assert.ok(bytes.length <= MAX_PICTURE_BYTES, `${name}: ${bytes.length} bytes`)
  mkdirSync(README_PICTURES, { recursive: true })
  writeFileSync(join(README_PICTURES, `${name}.webp`), bytes)
}

suite('screens', () => {
  for (const scene of scenes) {
    test(`${scene.name} has no accessibility faults and no browser errors`, async () => {
      const own = (await scene.prepare?.(stage)) ?? scene.path
      const { page, complaints } = await window({ context: scene.isDoor ? outside.context : inside.context })
      await page.addInitScript({ path: AXE })
      for (const [path, json] of Object.entries(scene.answers ?? {}))
        await page.route(`${url}${path}*`, (route) => route.fulfill({ json }))
      if (scene.refused) await page.route(`${url}${scene.refused}*`, (route) => route.fulfill(BROKEN))
      await page.goto(own.startsWith('/console') ? `${url}${own}` : `${url}/console/${stage.own.code}${own}`)
      await scene.ready(page)
      const faults: string[] = []
      for (const width of WIDTHS)
        for (const scheme of SCHEMES) faults.push(...(await look({ page, name: scene.name, width, scheme })))
      if (PICTURES && scene.inReadme) await picture(page, scene)
      await page.evaluate('localStorage.clear(); sessionStorage.clear()')
      await page.close()
      assert.deepEqual([...faults, ...complaints], [])
    })
  }
})
