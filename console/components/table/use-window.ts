import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Browsers draw elements up to some 17 million pixels: longer lists are scrolled by share. */
const MAX_SCROLL_HEIGHT_PX = 8_000_000
const SCROLL_END_DELAY_MS = 120
const OVERSCAN_ROWS = 12

export interface VisibleRowWindow {
  /** Rows to draw. */
  first: number
  last: number
  /** Height of the scrolled content in pixels. */
  height: number
  /** Position of a row in the content, in pixels. */
  top(index: number): number
  scrollTo(index: number): void
}

/**
 * Range of rows to render in a scrolled element. A list taller than the largest element height scrolls row by row in small steps, and
 * jumps proportionally when the scroll bar is dragged.
 */
export function useRowWindow(
  box: RefObject<HTMLElement | null>,
  total: number,
  row: number,
  head: number,
): VisibleRowWindow {
  const fullHeight = total * row
  const scrollHeight = Math.min(fullHeight, MAX_SCROLL_HEIGHT_PX)
  const isScaled = fullHeight > MAX_SCROLL_HEIGHT_PX
  const [view, setView] = useState({ offset: 0, top: 0, seen: 800 })
  const lastPosition = useRef({ offset: 0, top: 0 })
  const scrollEndTimer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const measure = useCallback(() => {
    const scrollElement = box.current
    if (!scrollElement) return
    const visibleHeight = Math.max(scrollElement.clientHeight - head, row)
    const [maxScrollTop, maxOffset] = [
      Math.max(scrollHeight - visibleHeight, 0),
      Math.max(fullHeight - visibleHeight, 0),
    ]
    const scrollPosition = Math.min(scrollElement.scrollTop, maxScrollTop)
    const scrollDelta = scrollPosition - lastPosition.current.top
    const isSmallStep = Math.abs(scrollDelta) < 4 * visibleHeight && scrollPosition > 0 && scrollPosition < maxScrollTop
    const offset =
      isScaled && isSmallStep
        ? lastPosition.current.offset + scrollDelta
        : maxScrollTop === 0
          ? 0
          : (scrollPosition / maxScrollTop) * maxOffset
    lastPosition.current = { offset: Math.min(Math.max(offset, 0), maxOffset), top: scrollPosition }
    setView({ ...lastPosition.current, seen: visibleHeight })
    clearTimeout(scrollEndTimer.current)
    if (!isScaled) return
    scrollEndTimer.current = setTimeout(() => {
      // Steps do not move the bar as far as the rows: once it rests it stands where the rows are.
      const exactTop = (lastPosition.current.offset / maxOffset) * maxScrollTop
      lastPosition.current = { ...lastPosition.current, top: exactTop }
      scrollElement.scrollTop = exactTop
      setView({ ...lastPosition.current, seen: visibleHeight })
    }, SCROLL_END_DELAY_MS)
  }, [box, scrollHeight, fullHeight, isScaled, head, row])

  useLayoutEffect(measure, [measure])
  useEffect(() => {
    const scrollElement = box.current
    if (!scrollElement) return
    const resizeObserver = new ResizeObserver(measure)
    resizeObserver.observe(scrollElement)
    scrollElement.addEventListener('scroll', measure, { passive: true })
    return () => {
      resizeObserver.disconnect()
      clearTimeout(scrollEndTimer.current)
      scrollElement.removeEventListener('scroll', measure)
    }
  }, [box, measure])

  const { offset, top, seen } = view
  const firstRow = Math.max(Math.floor(offset / row) - OVERSCAN_ROWS, 0)
  const lastRow = Math.min(Math.ceil((offset + seen) / row) + OVERSCAN_ROWS, total - 1)
  return {
    first: firstRow,
    last: lastRow,
    height: scrollHeight,
    top: (index) => (isScaled ? top + (index * row - offset) : index * row),
    scrollTo: (index) => {
      const scrollElement = box.current
      if (!scrollElement) return
      const [rowTop, rowBottom] = [index * row, (index + 1) * row]
      if (rowTop < offset) scrollElement.scrollTop += rowTop - offset
      else if (rowBottom > offset + seen) scrollElement.scrollTop += rowBottom - offset - seen
    },
  }
}
