import { addGateway } from '../../../../src/sending/gateway-registry/gateway-rows.ts'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

const path = '/settings/gateways'

/** Two ways out for SMS: the account's own carries, that of the installation stands by. */
async function gateways({ context, own }: Stage): Promise<string> {
  const { db, masterKeys } = context
  const provider = {
    url: 'https://sms.provider.example/send?to={{to}}',
    headers: { 'content-type': 'application/json' },
  }
  await addGateway(db, masterKeys, {
    account: null,
    name: 'Provider',
    kind: 'sms-http',
    channel: 'sms',
    guarded: true,
    settings: { ...provider, body: '{"text": "{{text}}"}' },
    secrets: { key: 'k', hookToken: 't' },
  })
  const id = await addGateway(db, masterKeys, {
    account: own.account,
    name: 'Message centre',
    kind: 'sms-smpp',
    channel: 'sms',
    guarded: false,
    settings: { host: '127.0.0.1', port: 1, connectMs: 500 },
    secrets: { systemId: 'orchard', password: 'pears' },
  })
  return `${path}/${id}`
}

export const scenes: Scene[] = [
  {
    name: 'gateways-empty',
    path,
    ready: (page) => page.getByRole('heading', { name: 'Messages are captured for now' }).waitFor(),
  },
  {
    name: 'gateways-new',
    path: `${path}/new`,
    ready: (page) => page.getByRole('link', { name: 'SMTP relay' }).waitFor(),
  },
  {
    name: 'gateways-new-relay',
    path: `${path}/new?kind=smtp`,
    ready: (page) => page.getByLabel('Host', { exact: true }).waitFor(),
  },
  {
    name: 'gateways-new-provider',
    path: `${path}/new?kind=sms-http`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add a line' }).first().click()
      for (const part of ['Meaning of responses', 'Receipts and replies', 'More settings'])
        await page.getByText(part, { exact: true }).click()
      await page.getByLabel('IDs in receipts').or(page.getByLabel('ID member')).waitFor()
    },
  },
  {
    name: 'gateway',
    path,
    prepare: gateways,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Test the connection' }).click()
      await page.getByText('does not work').first().waitFor()
    },
  },
  { name: 'gateways', path, ready: (page) => page.getByText('on standby').waitFor() },
  {
    name: 'gateways-broken',
    path,
    refused: '/gateways',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
]
