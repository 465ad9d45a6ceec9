import { DAY_MS } from '../../../../src/lib/time/spans.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

/** A campaign to forty contacts, sent. */
async function sent(stage: Stage): Promise<undefined> {
  const contacts = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      stage.contact(`reader${index}@${index % 3 ? 'orchard' : 'meadow'}.example`),
    ),
  )
  await stage.planned(await stage.segment(contacts), 100)
  await stage.sendDue()
  await stage.advance()
  return undefined
}

/** Thirty days of growth, as a job counts them. */
const growth = Array.from({ length: 30 }, (_, index) => {
  const entered = 40 + ((index * 37) % 90)
  const left = (index * 13) % 25
  const date = new Date(Date.UTC(2026, 9, 1) + index * DAY_MS).toISOString().slice(0, 10)
  return { date, count: 12_000 + index * 62, entered, left }
})

export const scenes: Scene[] = [
  {
    name: 'home-empty',
    path: '/',
    ready: (page) => page.getByRole('heading', { name: 'Nothing has been sent yet' }).waitFor(),
  },
  {
    name: 'home',
    path: '/',
    prepare: sent,
    answers: { '/targets/growth': growth },
    ready: async (page) => {
      await page.getByRole('heading', { name: 'Last campaigns' }).waitFor()
      await page.locator('canvas').waitFor()
    },
  },
  {
    name: 'home-broken',
    path: '/',
    refused: '/overview',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
  {
    name: 'search',
    path: '/',
    ready: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('con')
      await page.getByRole('option', { name: 'Contacts' }).waitFor()
    },
  },
  {
    name: 'keys',
    path: '/contacts',
    ready: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog').getByText('Search everything').waitFor()
    },
  },
]
