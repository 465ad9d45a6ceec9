import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { valueAt } from '../../parts/form/pointers.ts'
import styles from './Gateways.module.css'
import { type Place, pointerTo } from './SchemaFields.tsx'
import type { Schema } from './schema.ts'
import { useWords } from './words.ts'

type Line = readonly [name: string, value: string]

const linesOf = (value: unknown): Line[] => Object.entries((value ?? {}) as Record<string, string>)

/** Names with a value each, such as the headers of a request. */
export function MapField({ form, isReadOnly, path, schema }: Place & { schema: Schema }) {
  const words = useWords()
  const at = pointerTo(path)
  const stored = valueAt(form.value, at)
  // Lines that have no name yet, or one that is there twice, are kept here while they are typed.
  const [typed, setTyped] = useState<Line[] | null>(null)
  const lines = typed && sameMap(typed, stored) ? typed : linesOf(stored)
  const [one] = Object.values(schema.patternProperties ?? {})
  const set = (next: Line[]): void => {
    setTyped(next)
    form.set(at, mapOf(next))
  }
  const change = (index: number, line: Line): void => set(lines.with(index, line))
  return (
    <fieldset className={styles['map']}>
      <legend>{words.label(path)}</legend>
      {words.help(path) && <small>{words.help(path)}</small>}
      {lines.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place: its name changes while it is typed.
        <div key={index} className={styles['pair']}>
          <TextInput
            aria-label={words.t('mapName')}
            placeholder={words.t('mapName')}
            readOnly={isReadOnly}
            value={name}
            onChange={(event) => change(index, [event.currentTarget.value, value])}
          />
          {one?.enum ? (
            <Select
              aria-label={words.t('mapValue')}
              allowDeselect={false}
              readOnly={isReadOnly}
              data={one.enum.map((word) => ({ value: word, label: words.value(path, word) }))}
              value={value}
              onChange={(next) => change(index, [name, next ?? value])}
            />
          ) : (
            <TextInput
              aria-label={words.t('mapValue')}
              placeholder={words.t('mapValue')}
              error={form.faultAt(`${at}/${name}`)}
              readOnly={isReadOnly}
              value={value}
              onChange={(event) => change(index, [name, event.currentTarget.value])}
            />
          )}
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={words.t('mapRemove', { name })}
              onClick={() => set(lines.toSpliced(index, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...lines, ['', one?.enum?.[0] ?? '']])}
        >
          {words.t('mapAdd')}
        </Button>
      )}
    </fieldset>
  )
}

const mapOf = (lines: readonly Line[]): Record<string, string> =>
  Object.fromEntries(lines.filter(([name]) => name !== ''))

const sameMap = (lines: readonly Line[], stored: unknown): boolean =>
  JSON.stringify(mapOf(lines)) === JSON.stringify(stored ?? {})
