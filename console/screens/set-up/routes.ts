import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../layout/root.tsx'

export const steps = ['account', 'domain', 'sender', 'gateway', 'test', 'contacts'] as const
export type Step = (typeof steps)[number]

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  validateSearch: ({ step }: Record<string, unknown>): { step?: Step } => {
    const known = steps.find((word) => word === step)
    return known ? { step: known } : {}
  },
  component: lazyRouteComponent(() => import('./SetUp.tsx'), 'SetUp'),
})

export const setUpRoutes = [setUp] as const
