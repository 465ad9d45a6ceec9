import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'

interface Props<T> {
  label: string
  read: UseInfiniteQueryResult<InfiniteData<{ items: T[] }>>
  empty: ReactNode
  line(item: T): ReactNode
}

/** A list read page by page, as far as it was asked for. */
export function PagedLines<T>({ label, read: pagesQuery, empty, line }: Props<T>) {
  const t = useTranslator(reviewTexts)
  if (pagesQuery.error) return <ProblemAlert error={pagesQuery.error} onRetry={() => void pagesQuery.refetch()} />
  if (!pagesQuery.data) return <LoadingSkeleton />
  const items = pagesQuery.data.pages.flatMap((page) => page.items)
  if (items.length === 0) return empty
  return (
    <>
      <ul className={styles['lines']} aria-label={label}>
        {items.map(line)}
      </ul>
      {pagesQuery.hasNextPage && (
        <Button
          variant="default"
          loading={pagesQuery.isFetchingNextPage}
          onClick={() => void pagesQuery.fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </>
  )
}
