import { generateKeyPairSync } from 'node:crypto'
import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

/** The key of a service account that nobody has. */
function serviceAccount(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  return JSON.stringify({ client_email: 'push@orchard.example', private_key, project_id: 'orchard-prod' })
}

/** An application with two push services and two devices. */
async function made({ call }: Stage): Promise<string> {
  const literal = (value: string) => ({ type: 'literal', value })
  const answer = await call('POST', '/parameters/applications', {
    body: {
      name: 'Orchard app',
      registration: { proof: 'required' },
      description: 'The shop on phones and in browsers.',
      providers: [
        { type: 'firebase', key: serviceAccount() },
        { type: 'webpush', subject: 'mailto:push@orchard.example' },
      ],
      routes: [
        { name: 'home', value: literal('app://home'), default: true },
        { name: 'sale', value: literal('app://sale'), default: false },
      ],
    },
  })
  const { id } = answer.body
  await call('POST', `/parameters/applications/${id}/activation`)
  for (const token of ['one', 'two'])
    await call('PUT', '/subscriptions', { body: { application: id, provider: { type: 'firebase', token } } })
  return `/settings/applications/${id}`
}

let path = ''

async function profile({ call }: Stage): Promise<string> {
  const body = {
    name: 'Orchard France',
    agent: 'orchard_fr_k2',
    country: 'FRA',
    fallback: { type: 'sms', sender: null },
    provider: { type: 'google-rbm', region: 'europe', credentials: serviceAccount(), clientToken: 'token' },
  }
  const answer = await call('POST', '/channel/rcs/profiles', { body })
  await call('POST', '/channel/rcs/profiles', {
    body: { name: 'Trial', agent: 'trial', provider: { type: 'capture' } },
  })
  return `/settings/rcs/${answer.body.id}`
}

export const scenes: Scene[] = [
  {
    name: 'applications-empty',
    path: '/settings/applications',
    ready: (page) => page.getByRole('heading', { name: 'No applications yet' }).waitFor(),
  },
  {
    name: 'applications-new',
    path: '/settings/applications/new',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Apple (APNs)' }).click()
      await page.getByLabel('Bundle').waitFor()
    },
  },
  {
    name: 'applications-one',
    path: '/settings/applications',
    prepare: async (stage) => {
      path = await made(stage)
      return path
    },
    ready: (page) => page.getByText('Last registered').waitFor(),
  },
  {
    name: 'applications-connect',
    path: '/settings/applications',
    prepare: async () => `${path}/connect`,
    ready: (page) => page.getByText('Check that it works').waitFor(),
  },
  {
    name: 'applications',
    path: '/settings/applications',
    ready: (page) => page.getByRole('link', { name: 'Orchard app' }).waitFor(),
  },
  {
    name: 'applications-broken',
    path: '/settings/applications',
    refused: '/parameters/applications',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor(),
  },
  {
    name: 'rcs-empty',
    path: '/settings/rcs',
    ready: (page) => page.getByRole('heading', { name: 'No RCS profiles yet' }).waitFor(),
  },
  {
    name: 'rcs-profile',
    path: '/settings/rcs',
    prepare: profile,
    ready: (page) => page.getByRole('heading', { name: 'Webhook' }).waitFor(),
  },
  {
    name: 'rcs',
    path: '/settings/rcs',
    ready: (page) => page.getByRole('link', { name: 'Orchard France' }).waitFor(),
  },
  {
    name: 'rcs-broken',
    path: '/settings/rcs',
    refused: '/channel/rcs/profiles',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').first().waitFor(),
  },
]
