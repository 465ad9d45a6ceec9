import { Button, Select } from '@mantine/core'
import { useState } from 'react'
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

const NO_STATUS = 'none'

interface Props {
  features: readonly ApiImportFeature[]
  onChange(features: ApiImportFeature[]): void
  /** True if a word stands in this column of the file; absent where the file is not known. */
  occurs?: (column: string | number, word: string) => boolean
}

/** Mapping of words in a file to subscription statuses; empty if none were found. */
export function ImportStatusFields({ features, onChange, occurs }: Props) {
  const t = useTranslator(importTexts)
  const [showsAll, setShowsAll] = useState(false)
  const statusRules = listImportStatusRules(features)
  if (statusRules.length === 0) return null
  const formatColumn = ({ column }: ApiImportStatusRule): string =>
    typeof column === 'string'
      ? column
      : typeof column === 'number'
        ? t('column', { column: column + 1 })
        : t('fileName')
  const formatCellWord = (word: string): string => (word === '' ? t('emptyCell') : word === '*' ? t('otherWord') : word)
  const allWords = statusRules.flatMap((rule, place) =>
    Object.entries(rule.map).map(([word, mark]) => ({ rule, place, word, mark })),
  )
  const occurringWords = allWords.filter(
    ({ rule: { column }, word }) => !occurs || column === undefined || column === null || occurs(column, word),
  )
  const shownWords = showsAll || occurringWords.length === 0 ? allWords : occurringWords
  const hiddenCount = allWords.length - shownWords.length
  const markChoices = [
    { value: NO_STATUS, label: t('noMark') },
    ...importStatusMarks.map((mark) => ({ value: mark, label: t(mark) })),
  ]
  return (
    <PagePanel title={t('statuses')}>
      <p className={styles['quiet']}>{t('statusesWhy')}</p>
      <div className={styles['rules']}>
        {shownWords.map(({ rule, place, word, mark }) => {
          const ruleLabel = t('statusOf', { column: formatColumn(rule), word: formatCellWord(word) })
          return (
            <div key={ruleLabel} className={styles['rule']}>
              <bdi>{ruleLabel}</bdi>
              <Select
                size="xs"
                aria-label={ruleLabel}
                allowDeselect={false}
                data={markChoices}
                value={mark ?? NO_STATUS}
                onChange={(value) => {
                  const chosenMark = value === NO_STATUS ? null : (value as ImportStatusMark)
                  onChange(setStatusMark(features, { rule: place, word, mark: chosenMark }))
                }}
              />
            </div>
          )
        })}
      </div>
      {hiddenCount > 0 && (
        <div>
          <Button variant="subtle" size="compact-sm" px={0} onClick={() => setShowsAll(true)}>
            {t('otherWords', { count: hiddenCount })}
          </Button>
        </div>
      )}
    </PagePanel>
  )
}
