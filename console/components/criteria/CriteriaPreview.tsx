import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useContactFields } from '../../api/definitions.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { useLocale } from '../../text/locale.ts'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import styles from './CriteriaBuilder.module.css'
import type { CriteriaField } from './model.ts'
import { criteriaTexts } from './texts.ts'

const PAUSE_MS = 300

/** A value as it was a moment ago, once it rests. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** Who criteria select now: a count, some of them, and the criteria in words. Asked for a moment after each change. */
export function useCriteriaPreview(criteria: unknown, parentId: number | null = null) {
  const body = useRested(JSON.stringify({ criteria, parentId }))
  const isKnown = body === JSON.stringify({ criteria, parentId })
  const preview = useQuery({
    queryKey: ['segments', 'preview', body],
    queryFn: ({ signal }) =>
      readAnswer(
        apiClient.POST('/segments/preview', {
          body: JSON.parse(body) as ApiRequestBody<'/segments/preview', 'post'>,
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
  return { ...preview, isOld: preview.isPlaceholderData || !isKnown }
}

type Contact = ApiAnswer<'/segments/preview', 'post'>['sample'][number]

const nameOf = (contact: Contact, fields: readonly CriteriaField[]): string =>
  fields
    .filter(({ isUnicity }) => isUnicity)
    .map(({ id }) => contact.fields[id])
    .join(' · ')

/** Who is selected now, and the criteria in words. */
export function CriteriaPreview({ preview }: { preview: ReturnType<typeof useCriteriaPreview> }) {
  const t = useTranslator(criteriaTexts)
  const format = useLocaleFormat()
  const { language } = useLocale()
  const fields = useContactFields().data ?? []
  const { data: found, error, isOld } = preview
  if (error) return <ProblemAlert error={error} title={t('notYet')} shownElsewhere={() => true} />
  if (!found) return <LoadingSkeleton lines={[30, 80, 60, 60]} />
  return (
    <div className={styles['preview']} data-old={isOld || undefined} aria-live="polite">
      <p className={styles['figure']}>
        <strong>{format.number(found.count)}</strong>
        <span>{t(found.exact ? 'selected' : 'selectedAbout', { count: found.count })}</span>
      </p>
      <p className={styles['words']}>{found.words[language]}</p>
      {found.sample.length > 0 && (
        <ul className={styles['sample']} aria-label={t('sample')}>
          {found.sample.map((contact) => (
            <li key={contact.id}>
              <Link to={objectPaths.contact(contact.id)}>
                <bdi>{nameOf(contact, fields)}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
