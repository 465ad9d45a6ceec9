import type { Page } from 'playwright-core'
import { gif, jpeg, pdf, png } from '../../files/pictures.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

/** A file that was added. */
interface Added {
  id: number
  address: string
}

/** Adds a file; gives its number and address. */
async function added({ app, own }: Stage, name: string, bytes: Buffer): Promise<Added> {
  const headers = { 'x-key': own.key, 'content-type': 'application/octet-stream' }
  const url = `/media?name=${encodeURIComponent(name)}`
  const answer = await app.inject({ method: 'POST', url, headers, payload: bytes })
  if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.body}`)
  return answer.json()
}

const TREE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 60"><circle cx="40" cy="24" r="18" fill="#22623a"/>
  <rect x="36" y="38" width="8" height="18" fill="#7c3f26"/></svg>`

/** Adds files of every kind, and a message that shows the one it gives. */
async function addSeveral(stage: Stage): Promise<Added> {
  await added(stage, 'terms-of-sale-of-the-orchard-and-its-cellar-2026.pdf', pdf('terms'))
  await added(stage, 'logo.svg', Buffer.from(TREE))
  await added(stage, 'blossom.gif', gif(320, 200))
  await added(stage, 'crates.jpg', await jpeg(900, 600))
  await added(stage, 'tower.png', await png(90, 480, 120))
  const shown = await added(stage, 'orchard-in-spring.png', await png(1300, 700, 170))
  const html = `<html><body><img alt="An orchard" src="${shown.address}"></body></html>`
  await stage.action({ name: 'Spring opening', content: { subject: 'Come in', html } })
  return shown
}

let files: Promise<Added> | undefined
const several = (stage: Stage): Promise<Added> => (files ??= addSeveral(stage))

const grid = (page: Page) => page.getByRole('button', { name: /orchard-in-spring\.png/ }).waitFor()

export const scenes: Scene[] = [
  {
    name: 'media-empty',
    path: '/media',
    ready: (page) => page.getByRole('heading', { name: 'No pictures or documents yet' }).waitFor(),
  },
  {
    name: 'media',
    path: '/media',
    prepare: async (stage) => {
      await several(stage)
      return undefined
    },
    ready: grid,
  },
  {
    name: 'media-open',
    path: '/media',
    prepare: async (stage) => `/media?id=${(await several(stage)).id}`,
    ready: (page) => page.getByRole('dialog').getByRole('link', { name: 'Spring opening' }).first().waitFor(),
  },
  {
    name: 'media-broken',
    path: '/media',
    refused: '/media?',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
  {
    name: 'media-picker',
    path: '/designs',
    prepare: async (stage) => {
      const { address: src } = await several(stage)
      const { theme } = (await stage.call('GET', '/designs/library?language=en')).body[0].design
      const blocks = [[{ type: 'image', src, alt: '' }]]
      const design = { version: 1, theme, rows: [{ columns: [100], blocks }] }
      const made = await stage.call('POST', '/designs', { body: { name: 'Spring', type: 'design', design } })
      return `/designs/${made.body.id}`
    },
    ready: async (page) => {
      await page.locator('[data-block="0,0,0"]').click()
      await page.getByRole('button', { name: 'Choose picture' }).click()
      await page.getByRole('dialog', { name: 'Choose a picture' }).waitFor()
      await grid(page)
    },
  },
]
