import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const path = '/developers'

async function keys({ makeKey, own }: Stage): Promise<undefined> {
  await makeKey(own.account, ['read'])
  return undefined
}

async function webhook({ call }: Stage): Promise<string> {
  const body = { name: 'Warehouse', url: 'https://hooks.orchard.example/stentor', events: ['hits', 'bounces'] }
  const { body: made } = await call('POST', '/webhooks', { body })
  return `/developers/webhooks/${made.id}`
}

export const scenes: Scene[] = [
  {
    name: 'developers-webhooks-empty',
    path: '/developers/webhooks',
    ready: (page) => page.getByRole('heading', { name: 'No webhooks yet' }).waitFor(),
  },
  {
    name: 'developers-keys',
    path,
    prepare: keys,
    ready: (page) => page.getByRole('button', { name: 'Revoke' }).first().waitFor(),
  },
  {
    name: 'developers-new-key',
    path,
    ready: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('dialog').getByLabel('Name').waitFor()
    },
  },
  {
    name: 'developers-webhook',
    path: '/developers/webhooks',
    prepare: webhook,
    ready: (page) => page.getByText('No deliveries in the last hour').waitFor(),
  },
  {
    name: 'developers-webhook-settings',
    path: '/developers/webhooks',
    ready: async (page) => {
      await page.getByRole('link', { name: 'Warehouse' }).click()
      await page.getByRole('navigation', { name: 'Warehouse' }).getByRole('link', { name: 'Settings' }).click()
      await page.getByLabel('Address').waitFor()
    },
  },
  {
    name: 'developers-webhook-secret',
    path: '/developers/webhooks',
    ready: async (page) => {
      await page.getByRole('link', { name: 'Warehouse' }).click()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'New secret' }).click()
      await page.getByRole('button', { name: 'Create another secret' }).waitFor()
    },
  },
  {
    name: 'developers-webhooks',
    path: '/developers/webhooks',
    ready: (page) => page.getByText('Warehouse').waitFor(),
  },
  {
    name: 'developers-stream',
    path: '/developers/stream',
    ready: (page) => page.getByText('listening').waitFor(),
  },
  {
    name: 'developers-requests',
    path: '/developers/requests',
    ready: (page) =>
      page
        .getByRole('table')
        .or(page.getByRole('heading', { level: 2 }))
        .first()
        .waitFor(),
  },
  {
    name: 'developers-broken',
    path,
    refused: '/keys',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
]
