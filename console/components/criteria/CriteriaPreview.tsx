import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useContactFields } from '../../api/definitions.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { useLocale } from '../../text/locale.ts'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import styles from './CriteriaBuilder.module.css'
import { hasUnfinishedCriterion } from './describe-leaf.ts'
import { type CriteriaField, toCriteriaGroup } from './model.ts'
import { criteriaTexts } from './texts.ts'

const PREVIEW_DELAY_MS = 300

/** A value as it was a moment ago, once it rests. */
function useDelayedValue<T>(value: T): T {
  const [delayedValue, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PREVIEW_DELAY_MS)
    return () => clearTimeout(timer)
  }, [value])
  return delayedValue
}

/** Contacts selected by the criteria now: a count, a sample, and the criteria in words. Requested shortly after each change. */
export function useCriteriaPreview(criteria: unknown, parentId: number | null = null) {
  const body = useDelayedValue(JSON.stringify({ criteria, parentId }))
  const isUnfinished = hasUnfinishedCriterion(toCriteriaGroup(criteria))
  const isKnown = body === JSON.stringify({ criteria, parentId })
  const previewQuery = useQuery({
    queryKey: ['segments', 'preview', body],
    queryFn: ({ signal }) =>
      apiClient.previewSegment({ body: JSON.parse(body) as ApiRequestBody<'previewSegment'>, signal }),
    placeholderData: keepPreviousData,
    enabled: !(
      isUnfinished || hasUnfinishedCriterion(toCriteriaGroup((JSON.parse(body) as { criteria: unknown }).criteria))
    ),
  })
  return { ...previewQuery, isUnfinished, isOld: isUnfinished || previewQuery.isPlaceholderData || !isKnown }
}

type SampleContact = ApiAnswer<'previewSegment'>['sample'][number]

const formatContact = (contact: SampleContact, fields: readonly CriteriaField[]): string =>
  fields
    .filter(({ isUnicity }) => isUnicity)
    .map(({ id }) => contact.fields[id])
    .join(' · ')

/** Currently selected contacts, and the criteria in words. */
export function CriteriaPreview({ preview }: { preview: ReturnType<typeof useCriteriaPreview> }) {
  const t = useTranslator(criteriaTexts)
  const format = useLocaleFormat()
  const { language } = useLocale()
  const contactFields = useContactFields().data ?? []
  const { data: previewResult, error, isOld, isUnfinished } = preview
  const missingValue = isUnfinished && <small>{t('valueMissing')}</small>
  if (isUnfinished && !previewResult) return missingValue
  if (error && !isUnfinished) return <ProblemAlert error={error} title={t('notYet')} shownElsewhere={() => true} />
  if (!previewResult) return <LoadingSkeleton lines={[30, 80, 60, 60]} />
  return (
    <div className={styles['preview']} data-old={isOld || undefined} aria-live="polite">
      <p className={styles['figure']}>
        <strong>{format.number(previewResult.count)}</strong>
        <span>{t(previewResult.exact ? 'selected' : 'selectedAbout', { count: previewResult.count })}</span>
      </p>
      {missingValue}
      <p className={styles['words']}>{previewResult.words[language]}</p>
      {previewResult.sample.length > 0 && (
        <ul className={styles['sample']} aria-label={t('sample')}>
          {previewResult.sample.map((contact) => (
            <li key={contact.id}>
              <Link to={objectPaths.contact(contact.id)}>
                <bdi>{formatContact(contact, contactFields)}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
