import { SegmentedControl } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { CodeBlock } from '../../../components/CodeBlock.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows drawn at once: the JSON has all of them. */
const MOST_ROWS = 200

const isRow = (value: unknown): value is Row => value !== null && typeof value === 'object' && !Array.isArray(value)

const isRows = (value: unknown): value is Row[] => Array.isArray(value) && value.length > 0 && value.every(isRow)

/** A value of a cell as text, whatever it is. */
const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

function Rows({ rows }: { rows: readonly Row[] }) {
  const t = useTranslator(scriptTexts)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <>
      <PlainTable label={t('result')}>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no other name.
            <tr key={index}>
              {names.map((name) => (
                <td key={name}>
                  <bdi>{textOf(row[name])}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {rows.length > MOST_ROWS && <small>{t('firstRows', { shown: MOST_ROWS, count: rows.length })}</small>}
    </>
  )
}

/** What a script, a template or a pipeline answered: rows as a table, anything as JSON, always as text. */
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
      {rows && isTable ? <Rows rows={rows} /> : <CodeBlock code={text ?? ''} label={t('result')} wrap />}
    </div>
  )
}

export interface ShownLogLine {
  level: string
  at: number
  text: string
}

/** Pixels from its end at which somebody still reads there. */
const NEAR = 40

/** What a run wrote into its log, each line with its milliseconds after the start. One that goes on shows its end, unless it is scrolled back. */
export function ScriptLogs({ logs, isLive = false }: { logs: readonly ShownLogLine[]; isLive?: boolean }) {
  const t = useTranslator(scriptTexts)
  const list = useRef<HTMLUListElement>(null)
  const isBack = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is scrolled when there are more lines.
  useEffect(() => {
    if (isLive && list.current && !isBack.current) list.current.scrollTop = list.current.scrollHeight
  }, [isLive, logs.length])
  if (logs.length === 0) return <small>{t('noLogs')}</small>
  return (
    <ul
      ref={list}
      className={styles['logs']}
      aria-label={t('logs')}
      aria-live={isLive ? 'polite' : undefined}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isBack.current = scrollHeight - scrollTop - clientHeight > NEAR
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
