import { createRootRoute, type ErrorComponentProps } from '@tanstack/react-router'
import { isReloadPending } from '../boot/reload-once.ts'
import { LoadingSkeleton } from '../components/layout/LoadingSkeleton.tsx'
import { NotFoundPage } from '../components/layout/NotFoundPage.tsx'
import { ProblemAlert } from '../components/layout/ProblemAlert.tsx'
import { ConsoleLayout } from './ConsoleLayout.tsx'

function ScreenError({ error, reset }: ErrorComponentProps) {
  return isReloadPending(error) ? <LoadingSkeleton /> : <ProblemAlert error={error} onRetry={reset} />
}

/** Root of every screen. A screen that fails shows its error in its own place. */
export const rootRoute = createRootRoute({
  component: ConsoleLayout,
  notFoundComponent: NotFoundPage,
  errorComponent: ScreenError,
})
export { ScreenError }
