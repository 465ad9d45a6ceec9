import type { ReactNode } from 'react'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { ScreenPage } from '../layout/ScreenPage.tsx'

interface Read<T> {
  data: T | undefined
  error: unknown
  refetch(): unknown
}

/** A page once its document is read; until then its shape, or what went wrong. */
export function DocumentLoader<T>({
  read,
  title,
  parent,
  children,
}: {
  read: Read<T>
  title: string
  parent: { label: string; to: string }
  children(data: T): ReactNode
}) {
  if (read.data !== undefined) return <>{children(read.data)}</>
  return (
    <ScreenPage title={title} parent={parent}>
      {read.error ? <ProblemAlert error={read.error} onRetry={() => void read.refetch()} /> : <LoadingSkeleton />}
    </ScreenPage>
  )
}
