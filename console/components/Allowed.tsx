import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../api/me.ts'
import type { Right } from '../api/shapes.ts'

interface Props {
  right: Right
  /** Where somebody without it is led. */
  to: string
  children: ReactNode
}

/** A page that asks for a right: who lacks it, and has its address, is led to the next one that is theirs. */
export function Allowed({ right, to, children }: Props) {
  return useMay(right) ? children : <Navigate to={to} replace />
}
