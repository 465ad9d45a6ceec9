import type { Scene } from '../scene.ts'

export const scenes: Scene[] = [
  {
    name: 'approvals-empty',
    path: '/approvals',
    ready: (page) => page.getByText('Nothing waits for approval').waitFor(),
  },
]
