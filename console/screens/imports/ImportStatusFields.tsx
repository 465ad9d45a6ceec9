import { Select } from '@mantine/core'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './ImportsPage.module.css'
import {
  type ApiImportFeature,
  type ApiImportStatusRule,
  type ImportStatusMark,
  importStatusMarks,
  listImportStatusRules,
  setStatusMark,
} from './mapping.ts'
import { importTexts } from './texts.ts'

const NONE = 'none'

interface Props {
  features: readonly ApiImportFeature[]
  onChange(features: ApiImportFeature[]): void
}

/** What words of a file mean for who may be written to; nothing where none were found. */
export function ImportStatusFields({ features, onChange }: Props) {
  const t = useTranslator(importTexts)
  const rules = listImportStatusRules(features)
  if (rules.length === 0) return null
  const placeOf = ({ column }: ApiImportStatusRule): string =>
    typeof column === 'string'
      ? column
      : typeof column === 'number'
        ? t('column', { column: column + 1 })
        : t('fileName')
  const wordOf = (word: string): string => (word === '' ? t('emptyCell') : word === '*' ? t('otherWord') : word)
  const choices = [
    { value: NONE, label: t('noMark') },
    ...importStatusMarks.map((mark) => ({ value: mark, label: t(mark) })),
  ]
  return (
    <PagePanel title={t('statuses')}>
      <p className={styles['quiet']}>{t('statusesWhy')}</p>
      <div className={styles['rules']}>
        {rules.flatMap((rule, place) =>
          Object.entries(rule.map).map(([word, mark]) => {
            const label = t('statusOf', { column: placeOf(rule), word: wordOf(word) })
            return (
              <div key={label} className={styles['rule']}>
                <bdi>{label}</bdi>
                <Select
                  size="xs"
                  aria-label={label}
                  allowDeselect={false}
                  data={choices}
                  value={mark ?? NONE}
                  onChange={(value) => {
                    const chosen = value === NONE ? null : (value as ImportStatusMark)
                    onChange(setStatusMark(features, { rule: place, word, mark: chosen }))
                  }}
                />
              </div>
            )
          }),
        )}
      </div>
    </PagePanel>
  )
}
