import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasRight } from '../api/me.ts'
import type { ApiRight } from '../api/shapes.ts'

interface Props {
  right: ApiRight
  /** Redirect target for users without the right. */
  to: string
  children: ReactNode
}

/** A page that asks for a right: who lacks it, and has its address, is led to the next one that is theirs. */
export function RightGuard({ right, to, children }: Props) {
  return useHasRight(right) ? children : <Navigate to={to} replace />
}
