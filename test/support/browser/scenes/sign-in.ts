import type { Scene } from '../scene.ts'

export const scenes: Scene[] = [
  {
    name: 'sign-in',
    path: '/console/sign-in',
    isDoor: true,
    ready: (page) => page.getByLabel('Password', { exact: true }).waitFor(),
  },
  { name: 'reset', path: '/console/reset', isDoor: true, ready: (page) => page.getByLabel('Email').waitFor() },
  {
    name: 'setup',
    path: '/console/setup#token=none',
    isDoor: true,
    ready: (page) => page.getByLabel('Your name').waitFor(),
  },
]
