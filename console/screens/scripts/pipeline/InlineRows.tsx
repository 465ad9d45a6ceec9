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

type Row = Readonly<Record<string, unknown>>

/** Rows that are drawn; the JSON has all of them. */
const MOST_ROWS = 100
const GIVEN = 'given'
const ALONE = 'value'

const asRow = (row: unknown): Row => (row !== null && typeof row === 'object' ? (row as Row) : { [ALONE]: row })

function Grid({ at, rows }: { at: string; rows: readonly unknown[] }) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const shown = rows.slice(0, MOST_ROWS).map(asRow)
  const [added, setAdded] = useState<readonly string[]>([])
  const columns = [...new Set([...shown.flatMap((row) => Object.keys(row)), ...added])]
  const setColumns = (next: string[]): void => {
    const isLeft = (name: string): boolean => columns.includes(name) && !next.includes(name)
    setAdded(next)
    if (!columns.some(isLeft)) return
    form.set(
      at,
      rows.map((row) => Object.fromEntries(Object.entries(asRow(row)).filter(([name]) => !isLeft(name)))),
    )
  }
  return (
    <>
      <TagsInput size="xs" maw={560} label={t('columns')} readOnly={isReadOnly} value={columns} onChange={setColumns} />
      <LineList
        values={shown}
        onChange={(next) => form.set(at, [...next, ...rows.slice(MOST_ROWS)])}
        addLabel={t('addRow')}
        fresh={(): Row => Object.fromEntries(columns.map((name) => [name, '']))}
        removeLabel={(row) => t('removeRow', { row: shown.indexOf(row) + 1 })}
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
      <small>
        {rows.length > MOST_ROWS ? t('firstRows', { shown: MOST_ROWS, count: rows.length }) : t('cellsHelp')}
      </small>
    </>
  )
}

/** Rows that stand in the pipeline itself, as cells; or the argument of type list that gives them. */
export function InlineRows({ at }: { at: string }) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly, argumentPaths } = usePipelineEditor()
  const stored = readPointerValue(form.value, at)
  const isGiven = Array.isArray(stored)
  const path = isGiven ? GIVEN : String((stored as { value?: unknown } | null)?.value ?? '')
  const paths = [...new Set([...argumentPaths, ...(isGiven || path === '' ? [] : [path])])]
  const error = usePipelineFault(at, `${at}/value`)
  return (
    <>
      {paths.length > 0 && (
        <Select
          size="xs"
          w={240}
          label={t('rowsFrom')}
          allowDeselect={false}
          readOnly={isReadOnly}
          error={error}
          data={[{ value: GIVEN, label: t('givenHere') }, ...paths.map((one) => ({ value: one, label: one }))]}
          value={path}
          onChange={(next) => next !== null && form.set(at, next === GIVEN ? [] : pathExpression(next))}
        />
      )}
      {isGiven && <Grid at={at} rows={stored} />}
      {!isGiven && paths.length === 0 && (
        <Button size="compact-sm" variant="default" onClick={() => form.set(at, [])}>
          {t('givenHere')}
        </Button>
      )}
    </>
  )
}
