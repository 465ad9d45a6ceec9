import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const at = (name: string): string => `/designs/new?from=${name}&language=en`

/** Saves a template of the program, and one of its rows. */
async function saveSome({ call }: Stage): Promise<undefined> {
  const [newsletter, announcement] = (await call('GET', '/designs/library?language=en')).body
  const { design } = newsletter
  await call('POST', '/designs', { body: { name: 'Spring letter', category: 'news', design: announcement.design } })
  for (const [name, row] of Object.entries({ 'Green band': design.rows[1], Dates: design.rows[3] }))
    await call('POST', '/designs', { body: { name, type: 'rows', design: { ...design, rows: [row] } } })
}

/** A design with faults of every kind, shown to some. */
async function saveFaulty({ call }: Stage): Promise<string> {
  const [{ design }] = (await call('GET', '/designs/library?language=en')).body
  const blocks = [
    { type: 'image', src: '', alt: '' },
    { type: 'button', text: 'Read it', href: '' },
    { type: 'social', links: [{ name: 'Instagram', href: 'https://shop.example/instagram' }] },
  ]
  const rows = [{ columns: [100], condition: 'contact.Email != blank', blocks: [blocks] }]
  const answer = await call('POST', '/designs', { body: { name: 'Half done', design: { ...design, rows } } })
  return `/designs/${answer.body.id}`
}

export const scenes: Scene[] = [
  {
    name: 'designs-empty',
    path: '/designs',
    ready: async (page) => {
      await page.getByRole('heading', { name: 'No designs yet' }).waitFor()
      await page.getByRole('link', { name: /Newsletter/ }).waitFor()
      await page.locator('iframe').first().waitFor({ state: 'attached' })
    },
  },
  {
    name: 'designs-editor',
    path: at('newsletter'),
    ready: (page) => page.getByRole('group', { name: 'Row 1', exact: true }).waitFor(),
  },
  {
    name: 'designs-chosen',
    path: at('announcement'),
    ready: async (page) => {
      const button = page.getByRole('group', { name: /^Button: / }).first()
      await button.click()
      await page.getByRole('region', { name: 'Settings: Button' }).waitFor()
    },
  },
  {
    name: 'designs-writing',
    path: at('plain-letter'),
    ready: async (page) => {
      await page
        .getByRole('group', { name: /^Text: / })
        .first()
        .dblclick()
      await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
    },
  },
  {
    name: 'designs-row',
    path: '/designs/new',
    prepare: saveFaulty,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Select row 1' }).click()
      await page.getByRole('region', { name: 'Settings: Row' }).waitFor()
      await page.getByRole('button', { name: 'Add a footer' }).waitFor()
    },
  },
  {
    name: 'designs-links',
    path: '/designs/new',
    prepare: saveFaulty,
    ready: async (page) => {
      await page.getByRole('group', { name: /^Social links: / }).click()
      await page.getByRole('button', { name: 'Add a footer' }).waitFor()
    },
  },
  {
    name: 'designs-drawer',
    path: at('announcement'),
    ready: async (page) => {
      // The drawer stays open when the window is wide again, where settings stand beside the canvas.
      await page.setViewportSize({ width: 390, height: 844 })
      await page
        .getByRole('group', { name: /^Button: / })
        .first()
        .click()
      await page.getByRole('button', { name: 'Settings', exact: true }).click()
      await page.getByRole('dialog').getByRole('region', { name: 'Settings: Button' }).waitFor()
    },
  },
  {
    name: 'designs-insert',
    path: at('newsletter'),
    prepare: saveSome,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Library', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Insert a saved row' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Dates' }).first().waitFor()
      await page.getByRole('dialog').locator('iframe').first().waitFor({ state: 'attached' })
    },
  },
  {
    name: 'designs-preview',
    path: at('newsletter'),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Preview', exact: true }).click()
      await page.getByRole('dialog').locator('iframe').waitFor()
    },
  },
  {
    name: 'designs-list',
    path: '/designs',
    prepare: saveSome,
    ready: async (page) => {
      await page.getByRole('heading', { name: 'Your rows' }).waitFor()
      await page.locator('iframe').first().waitFor({ state: 'attached' })
    },
  },
  {
    name: 'designs-broken',
    path: '/designs',
    refused: '/designs',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor(),
  },
]
