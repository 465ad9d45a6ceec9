import { Select } from '@mantine/core'
import { Panel } from '../../components/layout/Panel.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Imports.module.css'
import { type Feature, type Mark, marks, type StatusRule, statusRules, withMark } from './mapping.ts'
import { importTexts } from './texts.ts'

const NONE = 'none'

interface Props {
  features: readonly Feature[]
  onChange(features: Feature[]): void
}

/** What words of a file mean for who may be written to; nothing where none were found. */
export function Statuses({ features, onChange }: Props) {
  const t = useText(importTexts)
  const rules = statusRules(features)
  if (rules.length === 0) return null
  const placeOf = ({ column }: StatusRule): string =>
    typeof column === 'string'
      ? column
      : typeof column === 'number'
        ? t('column', { column: column + 1 })
        : t('fileName')
  const wordOf = (word: string): string => (word === '' ? t('emptyCell') : word === '*' ? t('otherWord') : word)
  const choices = [{ value: NONE, label: t('noMark') }, ...marks.map((mark) => ({ value: mark, label: t(mark) }))]
  return (
    <Panel title={t('statuses')}>
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
                    const chosen = value === NONE ? null : (value as Mark)
                    onChange(withMark(features, { rule: place, word, mark: chosen }))
                  }}
                />
              </div>
            )
          }),
        )}
      </div>
    </Panel>
  )
}
