import type { Page } from 'playwright-core'
import type { Scene } from '../scene.ts'

/** Answers of an account that asks for a second factor, which this session has not. */
const withoutFactor = (page: Page) =>
  page.route('**/me', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), secondFactorRequired: true, rights: [] } })
  })

export const scenes: Scene[] = [
  { name: 'settings-profile', path: '/settings', ready: (page) => page.getByText('this one').waitFor() },
  {
    name: 'settings-account',
    path: '/settings/account',
    ready: (page) => page.getByLabel('Name of the account').waitFor(),
  },
  {
    name: 'settings-people',
    path: '/settings/people',
    prepare: async ({ call }) => {
      await call('POST', '/people/invitations', { body: { email: 'new@orchard.example', role: 'author' } })
      return undefined
    },
    ready: (page) => page.getByLabel('Require a second factor').waitFor(),
  },
  {
    name: 'settings-people-broken',
    path: '/settings/people',
    refused: '/people',
    ready: (page) => page.getByRole('alert').first().waitFor(),
  },
  { name: 'settings-sending', path: '/settings/sending', ready: (page) => page.getByText('Send reports to').waitFor() },
  {
    name: 'settings-sending-lists',
    path: '/settings/sending',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add an email sender' }).click()
      await page.getByRole('button', { name: 'Add a web analytics tool' }).click()
      await page.getByText('2 unsaved changes').waitFor()
    },
  },
  {
    name: 'settings-sending-broken',
    path: '/settings/sending',
    refused: '/settings/sending',
    ready: (page) => page.getByRole('alert').getByText('This is broken for the picture').waitFor(),
  },
  {
    name: 'settings-factor-needed',
    path: '/contacts',
    ready: async (page) => {
      await withoutFactor(page)
      await page.reload()
      await page.getByRole('link', { name: 'Set one up in your profile' }).waitFor()
    },
  },
  {
    name: 'settings-factor-profile',
    path: '/settings',
    ready: async (page) => {
      await withoutFactor(page)
      await page.reload()
      await page.getByRole('button', { name: 'Continue to the account' }).waitFor()
    },
  },
  { name: 'settings-events', path: '/settings/events', ready: (page) => page.getByText('Keep events for').waitFor() },
  {
    name: 'settings-contacts',
    path: '/settings/contacts',
    ready: (page) => page.getByText('Date order').waitFor(),
  },
]
