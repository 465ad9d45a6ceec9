import { SegmentedControl } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { CodeBlock } from '../../../components/CodeBlock.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'

type ResultRow = Readonly<Record<string, unknown>>

/** Rows drawn at once: the JSON has all of them. */
const MAX_ROWS = 200

const isRow = (value: unknown): value is ResultRow =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const isRows = (value: unknown): value is ResultRow[] => Array.isArray(value) && value.length > 0 && value.every(isRow)

/** A value of a cell as text, whatever it is. */
const formatCellText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

function RowTable({ rows }: { rows: readonly ResultRow[] }) {
  const t = useTranslator(scriptTexts)
  const columnNames = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <>
      <PlainTable label={t('result')}>
        <thead>
          <tr>
            {columnNames.map((name) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no other name.
            <tr key={index}>
              {columnNames.map((name) => (
                <td key={name}>
                  <bdi>{formatCellText(row[name])}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {rows.length > MAX_ROWS && <small>{t('firstRows', { shown: MAX_ROWS, count: rows.length })}</small>}
    </>
  )
}

/** Result of a script, a template or a pipeline: rows as a table, any value as JSON, always as text. */
export function ScriptResult({ value }: { value: unknown }) {
  const t = useTranslator(scriptTexts)
  const [isTable, setTable] = useState(true)
  const rows = isRows(value) ? value : null
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <div className={styles['stack']}>
      {rows && (
        <SegmentedControl
          size="xs"
          style={{ justifySelf: 'start' }}
          aria-label={t('shownAs')}
          data={[
            { value: 'table', label: t('table') },
            { value: 'json', label: t('json') },
          ]}
          value={isTable ? 'table' : 'json'}
          onChange={(next) => setTable(next === 'table')}
        />
      )}
      {rows && isTable ? <RowTable rows={rows} /> : <CodeBlock code={text ?? ''} label={t('result')} wrap />}
    </div>
  )
}

export interface ShownLogLine {
  level: string
  at: number
  text: string
}

/** Pixels from its end at which somebody still reads there. */
const SCROLL_END_TOLERANCE_PX = 40

/** Log of a run, each line with its milliseconds since the start. The log of an ongoing run follows its end unless it is scrolled back. */
export function ScriptLogs({ logs, isLive = false }: { logs: readonly ShownLogLine[]; isLive?: boolean }) {
  const t = useTranslator(scriptTexts)
  const listRef = useRef<HTMLUListElement>(null)
  const isScrolledBack = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is scrolled when there are more lines.
  useEffect(() => {
    if (isLive && listRef.current && !isScrolledBack.current) listRef.current.scrollTop = listRef.current.scrollHeight
  }, [isLive, logs.length])
  if (logs.length === 0) return <small>{t('noLogs')}</small>
  return (
    <ul
      ref={listRef}
      className={styles['logs']}
      aria-label={t('logs')}
      aria-live={isLive ? 'polite' : undefined}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isScrolledBack.current = scrollHeight - scrollTop - clientHeight > SCROLL_END_TOLERANCE_PX
      }}
    >
      {logs.map(({ level, at, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log have no other name.
        <li key={index} data-level={level}>
          <small>{at} ms</small>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
