import type { ReactNode } from 'react'
import { Page } from '../layout/Page.tsx'
import { Problem } from '../layout/Problem.tsx'
import { Skeleton } from '../layout/Skeleton.tsx'

interface Read<T> {
  data: T | undefined
  error: unknown
  refetch(): unknown
}

/** A page once its document is read; until then its shape, or what went wrong. */
export function Loaded<T>({
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
    <Page title={title} parent={parent}>
      {read.error ? <Problem error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
    </Page>
  )
}
