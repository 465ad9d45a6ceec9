import assert from 'node:assert/strict'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser/launch.ts'
import { type Sight, startLooking } from '../../support/browser/look.ts'
import type { Scene } from '../../support/browser/scene.ts'

/** Set to a folder, the tests leave pictures there; `npm run pictures`. */
const PICTURES = process.env['STENTOR_TEST_PICTURES']
/** Only scenes whose names match this pattern. */
const WANTED = new RegExp(process.env['STENTOR_TEST_SCENES'] ?? '')
const SIGHTS: Sight[] = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]

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

const look = await startLooking()

suite('screens', () => {
  for (const scene of scenes)
    test(`${scene.name} has no accessibility faults and no browser errors`, async () => {
      const leavePicture = async (page: Page): Promise<void> => {
        if (PICTURES && scene.inReadme) await picture(page, scene)
      }
      assert.deepEqual(await look(scene, SIGHTS, { pictures: PICTURES, finally: leavePicture }), [])
    })
})
