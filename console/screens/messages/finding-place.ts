import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** Id of the fields of a part of a content, which findings lead to. */
export const findingPlaceId = (part: string): string => `part-${part}`

/** The element with the fields of these parts: when a finding leads there, it comes into view and its field gets the focus. */
export function useFindingPlace<Element extends HTMLElement>(...parts: readonly string[]): RefObject<Element | null> {
  const ref = useRef<Element>(null)
  const hash = useLocation({ select: (location) => location.hash })
  const isShown = parts.some((part) => findingPlaceId(part) === hash)
  useEffect(() => {
    if (!isShown) return
    ref.current?.scrollIntoView({ block: 'center' })
    ref.current?.querySelector<HTMLElement>('input, textarea, [contenteditable], [tabindex="0"]')?.focus()
  }, [isShown])
  return ref
}
