import type { Scene } from '../scene.ts'

export const scenes: Scene[] = [
  {
    name: 'sign-in',
    path: '/console/sign-in',
    ready: (page) => page.getByLabel('Password', { exact: true }).waitFor(),
  },
  { name: 'reset', path: '/console/reset', ready: (page) => page.getByLabel('Email').waitFor() },
]
