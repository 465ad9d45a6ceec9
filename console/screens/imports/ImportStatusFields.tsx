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

const NO_STATUS = 'none'

interface Props {
  features: readonly ApiImportFeature[]
  onChange(features: ApiImportFeature[]): void
}

/** Mapping of words in a file to subscription statuses; empty if none were found. */
export function ImportStatusFields({ features, onChange }: Props) {
  const t = useTranslator(importTexts)
  const statusRules = listImportStatusRules(features)
  if (statusRules.length === 0) return null
  const formatColumn = ({ column }: ApiImportStatusRule): string =>
    typeof column === 'string'
      ? column
      : typeof column === 'number'
        ? t('column', { column: column + 1 })
        : t('fileName')
  const formatCellWord = (word: string): string => (word === '' ? t('emptyCell') : word === '*' ? t('otherWord') : word)
  const markChoices = [
    { value: NO_STATUS, label: t('noMark') },
    ...importStatusMarks.map((mark) => ({ value: mark, label: t(mark) })),
  ]
  return (
    <PagePanel title={t('statuses')}>
      <p className={styles['quiet']}>{t('statusesWhy')}</p>
      <div className={styles['rules']}>
        {statusRules.flatMap((rule, place) =>
          Object.entries(rule.map).map(([word, mark]) => {
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
          }),
        )}
      </div>
    </PagePanel>
  )
}
