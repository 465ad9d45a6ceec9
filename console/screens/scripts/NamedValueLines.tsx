import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { LineList } from '../../components/form/LineList.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { ResultCell } from './runs/ResultCell.tsx'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

/** A value under its name. */
export type NamedScriptValue = readonly [name: string, value: unknown]

interface Props {
  label: string
  help: string
  addLabel: string
  values: readonly NamedScriptValue[]
  onChange(values: readonly NamedScriptValue[]): void
  /** Returns the fault of a value, if there is one. */
  faultOf(name: string, place: number): string | undefined
}

/** True if every line has a unique name. */
const hasUniqueNames = (lines: readonly NamedScriptValue[]): boolean =>
  new Set(lines.map(([name]) => name)).size === lines.length && lines.every(([name]) => name !== '')

/** Returns the lines to report: those with a name, and the first one of duplicates. */
const filterReportable = (lines: readonly NamedScriptValue[]): NamedScriptValue[] =>
  lines.filter(([name], place) => name !== '' && lines.findIndex(([otherName]) => otherName === name) === place)

/** Values of any kind by their names, in lines. */
export function NamedValueLines({ label, help, addLabel, values, onChange, faultOf }: Props) {
  const t = useTranslator(scriptTexts)
  // Lines without a name, or with that of another, are kept here while they are typed.
  const [typedLines, setTypedLines] = useState<readonly NamedScriptValue[] | null>(null)
  const isTypedCurrent = typedLines !== null && JSON.stringify(filterReportable(typedLines)) === JSON.stringify(values)
  const lines = isTypedCurrent ? typedLines : values
  const changeLines = (next: readonly NamedScriptValue[]): void => {
    setTypedLines(hasUniqueNames(next) ? null : next)
    onChange(filterReportable(next))
  }
  const findNameError = (name: string, place: number): string | undefined =>
    lines.findIndex(([otherName]) => otherName === name) < place && name !== '' ? t('nameTaken') : undefined
  return (
    <fieldset className={`${styles['stack']} ${styles['members']}`}>
      <legend>{label}</legend>
      <small>{help}</small>
      <LineList
        values={lines}
        onChange={changeLines}
        addLabel={addLabel}
        fresh={(): NamedScriptValue => ['', '']}
        removeLabel={([name]) => t('removeNamed', { name })}
        isReadOnly={false}
        className={styles['member']}
      >
        {([name, value], place) => (
          <>
            <TextInput
              size="xs"
              aria-label={t('valueName')}
              placeholder={t('valueName')}
              error={findNameError(name, place)}
              value={name}
              onChange={(event) => changeLines(lines.with(place, [event.currentTarget.value, value]))}
            />
            <ResultCell
              label={t('valueOf', { name })}
              value={value}
              error={faultOf(name, place)}
              isReadOnly={false}
              onChange={(next) => changeLines(lines.with(place, [name, next]))}
            />
          </>
        )}
      </LineList>
    </fieldset>
  )
}
