import type { Scene } from '../scene.ts'

export const scenes: Scene[] = [
  { name: 'home-empty', path: '/', ready: (page) => page.getByRole('heading', { level: 1 }).waitFor() },
]
