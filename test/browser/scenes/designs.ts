import type { Scene } from '../scene.ts'

const at = (name: string): string => `/designs/new?from=${name}&language=en`

export const scenes: Scene[] = [
  {
    name: 'designs-empty',
    path: '/designs',
    ready: async (page) => {
      await page.getByRole('heading', { name: 'Your designs will stand here' }).waitFor()
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
    name: 'designs-broken',
    path: '/designs',
    refused: '/designs',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor(),
  },
]
