import { createRootRoute, type ErrorComponentProps } from '@tanstack/react-router'
import { Missing } from '../parts/Missing.tsx'
import { Problem } from '../parts/Problem.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { isRecovering } from '../reload-once.ts'
import { Frame } from './Frame.tsx'

function Broken({ error, reset }: ErrorComponentProps) {
  return isRecovering(error) ? <Skeleton /> : <Problem error={error} onRetry={reset} />
}

/** What every screen stands in. A screen that breaks says so in its own place. */
export const root = createRootRoute({ component: Frame, notFoundComponent: Missing, errorComponent: Broken })
export { Broken }
