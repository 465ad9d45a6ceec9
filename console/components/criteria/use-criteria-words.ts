import { useContactFields, useSegments } from '../../api/definitions.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import type { CriteriaWords } from './describe-leaf.ts'
import { criteriaTexts } from './texts.ts'

/** The names and formats by which criteria are put into words. */
export function useCriteriaWords(): CriteriaWords {
  const t = useTranslator(criteriaTexts)
  const format = useLocaleFormat()
  const fields = useContactFields().data ?? []
  const segments = useSegments().data ?? []
  const formatDate = (date: string): string => {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(date)
    if (Number.isNaN(Date.parse(date))) return date
    return isDay ? format.calendarDate(`${date}T00:00:00.000Z`) : format.dateTime(date)
  }
  return { t, fields, segments, formatDate, formatList: format.list }
}
