import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiRefusal } from '../../api/refusal.ts'
import { CriteriaBuilder } from '../../components/criteria/CriteriaBuilder.tsx'
import { useCriteriaPreview } from '../../components/criteria/CriteriaPreview.tsx'
import { buildCriteriaGroup, type CriteriaGroup, countLeavesWithin } from '../../components/criteria/model.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocale } from '../../text/locale.ts'
import styles from './ContactFilter.module.css'
import { contactTexts } from './texts.ts'

const EMPTY_GROUP = buildCriteriaGroup('all', [])

/**
 * Criteria that the list is filtered by. What is being written reaches the address, and so the list, once the service can read it: an
 * unfinished line says what it needs and leaves the list as it is.
 */
export function ContactFilter({
  filter,
  onChange,
}: {
  filter: CriteriaGroup | undefined
  onChange(filter?: CriteriaGroup): void
}) {
  const t = useTranslator(contactTexts)
  const { language } = useLocale()
  const [editedFilter, setWritten] = useState(filter ?? EMPTY_GROUP)
  const preview = useCriteriaPreview(editedFilter)
  const isReadable = preview.isSuccess && !preview.isOld
  const nextFilter = countLeavesWithin(editedFilter) === 0 ? undefined : editedFilter
  const isChanged = JSON.stringify(nextFilter) !== JSON.stringify(filter)
  useEffect(() => {
    if (isReadable && isChanged) onChange(nextFilter)
  })
  return (
    <section className={styles['filter']} aria-label={t('filter')}>
      <CriteriaBuilder
        group={editedFilter}
        onChange={setWritten}
        faults={preview.error instanceof ApiRefusal && !preview.isOld ? preview.error.errors : []}
      />
      <div className={styles['foot']}>
        <p>{nextFilter === undefined ? t('filterNone') : preview.data?.words[language]}</p>
        {nextFilter !== undefined && (
          <>
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setWritten(EMPTY_GROUP)}>
              {t('clearFilter')}
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              renderRoot={(props) => (
                <Link to="/segments/new" search={{ type: 'dynamic', criteria: nextFilter as never }} {...props} />
              )}
            >
              {t('saveSegment')}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}
