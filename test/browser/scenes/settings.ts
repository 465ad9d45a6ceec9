import type { Scene } from '../scene.ts'

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
  { name: 'settings-sending', path: '/settings/sending', ready: (page) => page.getByText('Reports go to').waitFor() },
  { name: 'settings-events', path: '/settings/events', ready: (page) => page.getByText('Events are kept').waitFor() },
  {
    name: 'settings-contacts',
    path: '/settings/contacts',
    ready: (page) => page.getByText('Order of dates').waitFor(),
  },
]
