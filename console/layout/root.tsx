import { createRootRoute, type ErrorComponentProps } from '@tanstack/react-router'
import { isRecovering } from '../boot/reload-once.ts'
import { Missing } from '../components/layout/Missing.tsx'
import { Problem } from '../components/layout/Problem.tsx'
import { Skeleton } from '../components/layout/Skeleton.tsx'
import { Frame } from './Frame.tsx'

function Broken({ error, reset }: ErrorComponentProps) {
  return isRecovering(error) ? <Skeleton /> : <Problem error={error} onRetry={reset} />
}

/** What every screen stands in. A screen that breaks says so in its own place. */
export const root = createRootRoute({ component: Frame, notFoundComponent: Missing, errorComponent: Broken })
export { Broken }
