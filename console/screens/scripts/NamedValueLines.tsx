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
  /** What is wrong with a value. */
  faultOf(name: string, place: number): string | undefined
}

/** Whether every line has a name of its own. */
const isWhole = (lines: readonly NamedScriptValue[]): boolean =>
  new Set(lines.map(([name]) => name)).size === lines.length && lines.every(([name]) => name !== '')

/** The lines that can be told: those with a name, of which the first counts where two have the same. */
const told = (lines: readonly NamedScriptValue[]): NamedScriptValue[] =>
  lines.filter(([name], place) => name !== '' && lines.findIndex(([other]) => other === name) === place)

/** Values of any kind by their names, in lines. */
export function NamedValueLines({ label, help, addLabel, values, onChange, faultOf }: Props) {
  const t = useTranslator(scriptTexts)
  // Lines without a name, or with that of another, are kept here while they are typed.
  const [typed, setTyped] = useState<readonly NamedScriptValue[] | null>(null)
  const isHeld = typed !== null && JSON.stringify(told(typed)) === JSON.stringify(values)
  const lines = isHeld ? typed : values
  const set = (next: readonly NamedScriptValue[]): void => {
    setTyped(isWhole(next) ? null : next)
    onChange(told(next))
  }
  const refusal = (name: string, place: number): string | undefined =>
    lines.findIndex(([other]) => other === name) < place && name !== '' ? t('nameTaken') : undefined
  return (
    <fieldset className={`${styles['stack']} ${styles['members']}`}>
      <legend>{label}</legend>
      <small>{help}</small>
      <LineList
        values={lines}
        onChange={set}
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
              error={refusal(name, place)}
              value={name}
              onChange={(event) => set(lines.with(place, [event.currentTarget.value, value]))}
            />
            <ResultCell
              label={t('valueOf', { name })}
              value={value}
              error={faultOf(name, place)}
              isReadOnly={false}
              onChange={(next) => set(lines.with(place, [name, next]))}
            />
          </>
        )}
      </LineList>
    </fieldset>
  )
}
