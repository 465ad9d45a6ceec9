import { type RefObject, useEffect, useRef } from 'react'
import { useShortcut } from '../../layout/dialogs/keys.tsx'
import { layoutTexts } from '../../layout/texts.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import type { TableRows } from './rows.ts'
import type { VisibleRowWindow } from './use-window.ts'

interface RowKeysOptions<T> {
  box: RefObject<HTMLElement | null>
  rows: TableRows<T>
  window: VisibleRowWindow
  keyOf(row: T): string
  toggle?(key: string): void
}

/** The row that holds the focus; undefined: none. */
function findFocusedRow(box: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-index]')
  return row && box?.contains(row) ? Number(row.dataset['index']) : undefined
}

/** j and k, and the arrows within, walk through the rows; x selects one. Enter opens: the focus is on the row's link. */
export function useTableRowKeys<T>({ box, rows, window, keyOf, toggle }: RowKeysOptions<T>): void {
  const [t, layoutT] = [useTranslator(componentTexts), useTranslator(layoutTexts)]
  const targetRow = useRef<number | undefined>(undefined)
  const lastRow = useRef(-1)
  const moveFocus = (step: number) => (): void => {
    const currentRow = findFocusedRow(box.current) ?? lastRow.current
    const nextRow = Math.min(Math.max(currentRow + step, 0), rows.total - 1)
    targetRow.current = nextRow
    lastRow.current = nextRow
    window.scrollTo(nextRow)
    focusTarget()
  }
  const focusTarget = (): void => {
    if (targetRow.current === undefined) return
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${targetRow.current}"]`)
    const focusableElement = row?.querySelector<HTMLElement>('a') ?? row?.querySelector<HTMLElement>('button, input')
    if (!focusableElement) return
    targetRow.current = undefined
    focusableElement.focus({ preventScroll: true })
  }
  // The row may have to be drawn before it can have the focus.
  useEffect(focusTarget)
  const toggleFocusedRow = (): void => {
    const row = rows.row(findFocusedRow(box.current) ?? lastRow.current)
    if (row !== undefined) toggle?.(keyOf(row))
  }
  useShortcut('j', layoutT('keyRows'), moveFocus(1))
  useShortcut('k', layoutT('keyRows'), moveFocus(-1))
  useShortcut('ArrowDown', layoutT('keyRows'), moveFocus(1))
  useShortcut('ArrowUp', layoutT('keyRows'), moveFocus(-1))
  useShortcut('Enter', layoutT('keyOpen'))
  useShortcut('x', t('select'), toggleFocusedRow, toggle !== undefined)
}
