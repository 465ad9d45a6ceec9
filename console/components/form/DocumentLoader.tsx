import type { ReactNode } from 'react'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { ScreenPage } from '../layout/ScreenPage.tsx'

interface DocumentQuery<T> {
  data: T | undefined
  error: unknown
  refetch(): unknown
}

/** A page once its document is read; until then its shape, or what went wrong. */
export function DocumentLoader<T>({
  read: documentQuery,
  title,
  parent,
  children,
}: {
  read: DocumentQuery<T>
  title: string
  parent: { label: string; to: string }
  children(data: T): ReactNode
}) {
  if (documentQuery.data !== undefined) return <>{children(documentQuery.data)}</>
  return (
    <ScreenPage title={title} parent={parent}>
      {documentQuery.error ? (
        <ProblemAlert error={documentQuery.error} onRetry={() => void documentQuery.refetch()} />
      ) : (
        <LoadingSkeleton />
      )}
    </ScreenPage>
  )
}
