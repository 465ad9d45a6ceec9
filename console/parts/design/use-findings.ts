import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, data } from '../../api/client.ts'
import { Refusal } from '../../api/refusal.ts'
import type { Design } from './shapes.ts'

const PAUSE_MS = 900

interface Fault {
  pointer: string
  detail: string
}

/** The path of the row or block that a pointer leads into; empty: the design as a whole. */
function pathOf(pointer: string): string {
  const parts = /^(?:\/design)?\/rows\/(\d+)(?:\/blocks\/(\d+)\/(\d+))?(?:\/blocks\/(\d+)\/(\d+))?/.exec(pointer)
  return (
    parts
      ?.slice(1)
      .filter((part) => part !== undefined)
      .join(',') ?? ''
  )
}

/** The HTML of a design as the service makes it, and what it says about blocks, a moment after each change. */
export function useFindings(design: Design) {
  const [settled] = useDebouncedValue(design, PAUSE_MS)
  const rendered = useQuery({
    queryKey: ['designs', 'rendered', settled],
    queryFn: ({ signal }) => data(api.POST('/designs/render', { body: { design: settled }, signal })),
    placeholderData: (before) => before,
    gcTime: 10_000,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: made, error } = rendered
  const byPath = useMemo(() => {
    const faults: readonly Fault[] = error instanceof Refusal ? error.errors : (made?.warnings ?? [])
    const found: Record<string, string> = {}
    for (const { pointer, detail } of faults) {
      const path = pathOf(pointer)
      found[path] = found[path] ? `${found[path]}; ${detail}` : detail
    }
    return found
  }, [made, error])
  return { rendered, byPath }
}
