import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import { type SetUpStep, setUpSteps } from './address.ts'

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  validateSearch: ({ step }: Record<string, unknown>): { step?: SetUpStep } => {
    const knownStep = setUpSteps.find((word) => word === step)
    return knownStep ? { step: knownStep } : {}
  },
  component: lazyRouteComponent(() => import('./SetUpPage.tsx'), 'SetUpPage'),
})

export const setUpPageRoutes = [setUpRoute] as const
