import type { Scene } from '../scene.ts'

export const scenes: Scene[] = [
  {
    name: 'home-empty',
    path: '/',
    ready: (page) => page.getByRole('heading', { name: 'Nothing has been sent yet' }).waitFor(),
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
