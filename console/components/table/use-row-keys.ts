import { type RefObject, useEffect, useRef } from 'react'
import { useShortcut } from '../../layout/dialogs/keys.tsx'
import { layoutTexts } from '../../layout/texts.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import type { TableRows } from './rows.ts'
import type { VisibleRowWindow } from './use-window.ts'

interface Options<T> {
  box: RefObject<HTMLElement | null>
  rows: TableRows<T>
  window: VisibleRowWindow
  keyOf(row: T): string
  toggle?(key: string): void
}

/** The row that holds the focus; undefined: none. */
function focused(box: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-index]')
  return row && box?.contains(row) ? Number(row.dataset['index']) : undefined
}

/** j and k, and the arrows within, walk through the rows; x selects one. Enter opens: the focus is on the row's link. */
export function useTableRowKeys<T>({ box, rows, window, keyOf, toggle }: Options<T>): void {
  const [t, frame] = [useTranslator(componentTexts), useTranslator(layoutTexts)]
  const wanted = useRef<number | undefined>(undefined)
  const last = useRef(-1)
  const walk = (step: number) => (): void => {
    const from = focused(box.current) ?? last.current
    const to = Math.min(Math.max(from + step, 0), rows.total - 1)
    wanted.current = to
    last.current = to
    window.scrollTo(to)
    land()
  }
  const land = (): void => {
    if (wanted.current === undefined) return
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    const target = row?.querySelector<HTMLElement>('a') ?? row?.querySelector<HTMLElement>('button, input')
    if (!target) return
    wanted.current = undefined
    target.focus({ preventScroll: true })
  }
  // The row may have to be drawn before it can have the focus.
  useEffect(land)
  const choose = (): void => {
    const row = rows.row(focused(box.current) ?? last.current)
    if (row !== undefined) toggle?.(keyOf(row))
  }
  useShortcut('j', frame('keyRows'), walk(1))
  useShortcut('k', frame('keyRows'), walk(-1))
  useShortcut('ArrowDown', frame('keyRows'), walk(1))
  useShortcut('ArrowUp', frame('keyRows'), walk(-1))
  useShortcut('Enter', frame('keyOpen'))
  useShortcut('x', t('select'), choose, toggle !== undefined)
}
