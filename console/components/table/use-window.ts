import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Browsers draw elements up to some 17 million pixels: longer lists are scrolled by share. */
const TALLEST_PX = 8_000_000
const SETTLED_MS = 120
const OVERSCAN = 12

export interface VisibleRowWindow {
  /** Rows to draw. */
  first: number
  last: number
  /** How high what is scrolled is, in pixels. */
  height: number
  /** Where a row stands in it, in pixels. */
  top(index: number): number
  scrollTo(index: number): void
}

/**
 * Which rows of a scrolled element are drawn. A list that is higher than an element can be moves row by row as long as it is scrolled a
 * little at a time, and jumps to the share of the list when the scroll bar is dragged.
 */
export function useRowWindow(
  box: RefObject<HTMLElement | null>,
  total: number,
  row: number,
  head: number,
): VisibleRowWindow {
  const real = total * row
  const height = Math.min(real, TALLEST_PX)
  const isScaled = real > TALLEST_PX
  const [view, setView] = useState({ offset: 0, top: 0, seen: 800 })
  const place = useRef({ offset: 0, top: 0 })
  const settle = useRef<ReturnType<typeof setTimeout>>(undefined)

  const measure = useCallback(() => {
    const element = box.current
    if (!element) return
    const seen = Math.max(element.clientHeight - head, row)
    const [highest, furthest] = [Math.max(height - seen, 0), Math.max(real - seen, 0)]
    const top = Math.min(element.scrollTop, highest)
    const moved = top - place.current.top
    const isStep = Math.abs(moved) < 4 * seen && top > 0 && top < highest
    const offset = isScaled && isStep ? place.current.offset + moved : highest === 0 ? 0 : (top / highest) * furthest
    place.current = { offset: Math.min(Math.max(offset, 0), furthest), top }
    setView({ ...place.current, seen })
    clearTimeout(settle.current)
    if (!isScaled) return
    settle.current = setTimeout(() => {
      // Steps do not move the bar as far as the rows: once it rests it stands where the rows are.
      const exact = (place.current.offset / furthest) * highest
      place.current = { ...place.current, top: exact }
      element.scrollTop = exact
      setView({ ...place.current, seen })
    }, SETTLED_MS)
  }, [box, height, real, isScaled, head, row])

  useLayoutEffect(measure, [measure])
  useEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(measure)
    watcher.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      watcher.disconnect()
      clearTimeout(settle.current)
      element.removeEventListener('scroll', measure)
    }
  }, [box, measure])

  const { offset, top, seen } = view
  const first = Math.max(Math.floor(offset / row) - OVERSCAN, 0)
  const last = Math.min(Math.ceil((offset + seen) / row) + OVERSCAN, total - 1)
  return {
    first,
    last,
    height,
    top: (index) => (isScaled ? top + (index * row - offset) : index * row),
    scrollTo: (index) => {
      const element = box.current
      if (!element) return
      const [from, to] = [index * row, (index + 1) * row]
      if (from < offset) element.scrollTop += from - offset
      else if (to > offset + seen) element.scrollTop += to - offset - seen
    },
  }
}
