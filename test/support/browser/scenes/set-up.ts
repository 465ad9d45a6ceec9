import type { Scene } from '../scene.ts'

export const scenes: Scene[] = [
  { name: 'set-up-account', path: '/set-up', ready: (page) => page.getByLabel('Name of the account').waitFor() },
  { name: 'set-up-sender', path: '/set-up?step=sender', ready: (page) => page.getByLabel('Before the @').waitFor() },
  {
    name: 'set-up-domain',
    path: '/set-up?step=domain',
    ready: async (page) => {
      await page.getByRole('textbox', { name: 'Domain', exact: true }).fill('news.orchard.example')
      await page.getByRole('button', { name: 'Add a domain' }).click()
      await page.getByText('DMARC').first().waitFor()
    },
  },
  {
    name: 'set-up-gateway',
    path: '/set-up?step=gateway',
    ready: (page) => page.getByRole('radio', { name: /^Capture for now/ }).waitFor(),
  },
  {
    name: 'set-up-gateway-provider',
    path: '/set-up?step=gateway',
    ready: async (page) => {
      await page.getByRole('radio', { name: /^Postmark/ }).click()
      await page.getByLabel('Host', { exact: true }).waitFor()
    },
  },
  {
    name: 'set-up-test',
    path: '/set-up?step=test',
    ready: (page) => page.getByRole('button', { name: 'Send test email' }).waitFor(),
  },
  {
    name: 'set-up-contacts',
    path: '/set-up?step=contacts',
    ready: (page) => page.getByRole('button', { name: 'Add sample data' }).waitFor(),
  },
]
