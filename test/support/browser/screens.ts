import assert from 'node:assert/strict'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from './launch.ts'
import { type Sight, startLooking } from './look.ts'
import type { Scene } from './scene.ts'

/** Files of scenes by their subject, each of which has a file of tests. Those that are not named here are about contacts. */
const SUBJECTS = {
  sending: [
    'applications',
    'campaigns',
    'captured',
    'deliverability',
    'designs',
    'experiments',
    'media',
    'messages',
    'phones',
    'review',
    'rooms',
  ],
  scripts: ['developers', 'scripts', 'workflows'],
}
type Subject = keyof typeof SUBJECTS | 'contacts'

/** Set to a folder, the tests leave pictures there; `npm run pictures`. */
const PICTURES = process.env['STENTOR_TEST_PICTURES']
/** Only scenes whose names match this pattern. */
const WANTED = new RegExp(process.env['STENTOR_TEST_SCENES'] ?? '')
const SIGHTS: Sight[] = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'dark' },
  { width: 390, scheme: 'light' },
]

const SCENES = join(import.meta.dirname, 'scenes')

const subjectOf = (file: string): Subject =>
  (Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[]).find((subject) =>
    SUBJECTS[subject].includes(basename(file, '.ts')),
  ) ?? 'contacts'

/** The scenes about a subject: what is empty is looked at before others make something. */
async function scenesOf(subject: Subject): Promise<Scene[]> {
  const files = globSync('*.ts', { cwd: SCENES }).filter((file) => subjectOf(file) === subject)
  const modules = await Promise.all(files.sort().map((file) => import(pathToFileURL(join(SCENES, file)).href)))
  const order = ({ name }: Scene): number => (name.endsWith('-empty') ? 0 : 1)
  return modules
    .flatMap((module: { scenes: Scene[] }) => module.scenes)
    .filter(({ name }) => WANTED.test(name))
    .sort((one, other) => order(one) - order(other))
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

/** Registers a test for each screen about a subject: at all sights it has no accessibility faults and no browser errors. */
export async function testScreens(subject: Subject): Promise<void> {
  if (PICTURES) mkdirSync(PICTURES, { recursive: true })
  const scenes = await scenesOf(subject)
  const look = await startLooking()
  suite(`screens about ${subject}`, () => {
    for (const scene of scenes)
      test(`${scene.name} has no accessibility faults and no browser errors`, async () => {
        const leavePicture = async (page: Page): Promise<void> => {
          if (PICTURES && scene.inReadme) await picture(page, scene)
        }
        assert.deepEqual(await look(scene, SIGHTS, { pictures: PICTURES, finally: leavePicture }), [])
      })
  })
}
