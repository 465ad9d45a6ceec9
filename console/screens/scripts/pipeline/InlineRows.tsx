import { Button, Select, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { LineList } from '../../../components/form/LineList.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { ResultCell } from '../runs/ResultCell.tsx'
import { scriptTexts } from '../texts.ts'
import { usePipelineEditor, usePipelineFault } from './desk.ts'
import { pathExpression } from './kinds.ts'
import styles from './Pipeline.module.css'

type InlineRow = Readonly<Record<string, unknown>>

/** Rows that are drawn; the JSON has all of them. */
const MAX_ROWS = 100
const INLINE_CHOICE = 'given'
const SINGLE_VALUE_COLUMN = 'value'

const toRow = (row: unknown): InlineRow =>
  row !== null && typeof row === 'object' ? (row as InlineRow) : { [SINGLE_VALUE_COLUMN]: row }

function RowGrid({ at, rows }: { at: string; rows: readonly unknown[] }) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const shownRows = rows.slice(0, MAX_ROWS).map(toRow)
  const [addedColumns, setAddedColumns] = useState<readonly string[]>([])
  const columns = [...new Set([...shownRows.flatMap((row) => Object.keys(row)), ...addedColumns])]
  const setColumns = (next: string[]): void => {
    const isRemoved = (name: string): boolean => columns.includes(name) && !next.includes(name)
    setAddedColumns(next)
    if (!columns.some(isRemoved)) return
    form.set(
      at,
      rows.map((row) => Object.fromEntries(Object.entries(toRow(row)).filter(([name]) => !isRemoved(name)))),
    )
  }
  return (
    <>
      <TagsInput size="xs" maw={560} label={t('columns')} readOnly={isReadOnly} value={columns} onChange={setColumns} />
      <LineList
        values={shownRows}
        onChange={(next) => form.set(at, [...next, ...rows.slice(MAX_ROWS)])}
        addLabel={t('addRow')}
        fresh={(): InlineRow => Object.fromEntries(columns.map((name) => [name, '']))}
        removeLabel={(row) => t('removeRow', { row: shownRows.indexOf(row) + 1 })}
        isReadOnly={isReadOnly}
        className={styles['cells']}
      >
        {(row, place) =>
          columns.map((name) => (
            <ResultCell
              key={name}
              label={t('cell', { column: name, row: place + 1 })}
              value={row[name]}
              isReadOnly={isReadOnly}
              onChange={(value) => form.set(at, rows.with(place, { ...row, [name]: value }))}
            />
          ))
        }
      </LineList>
      <small>{rows.length > MAX_ROWS ? t('firstRows', { shown: MAX_ROWS, count: rows.length }) : t('cellsHelp')}</small>
    </>
  )
}

/** Rows that stand in the pipeline itself, as cells; or the argument of type list that gives them. */
export function InlineRows({ at }: { at: string }) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly, argumentPaths } = usePipelineEditor()
  const storedValue = readPointerValue(form.value, at)
  const isInline = Array.isArray(storedValue)
  const path = isInline ? INLINE_CHOICE : String((storedValue as { value?: unknown } | null)?.value ?? '')
  const argumentChoices = [...new Set([...argumentPaths, ...(isInline || path === '' ? [] : [path])])]
  const error = usePipelineFault(at, `${at}/value`)
  return (
    <>
      {argumentChoices.length > 0 && (
        <Select
          size="xs"
          w={240}
          label={t('rowsFrom')}
          allowDeselect={false}
          readOnly={isReadOnly}
          error={error}
          data={[
            { value: INLINE_CHOICE, label: t('givenHere') },
            ...argumentChoices.map((pathOption) => ({ value: pathOption, label: pathOption })),
          ]}
          value={path}
          onChange={(next) => next !== null && form.set(at, next === INLINE_CHOICE ? [] : pathExpression(next))}
        />
      )}
      {isInline && <RowGrid at={at} rows={storedValue} />}
      {!isInline && argumentChoices.length === 0 && (
        <Button size="compact-sm" variant="default" onClick={() => form.set(at, [])}>
          {t('givenHere')}
        </Button>
      )}
    </>
  )
}
