import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

const route = getRouteApi('/workflows/$id')

/** What is selected of the graph; the last node of it stands in the address. */
export function useNodeSelection(): [ids: readonly string[], select: (ids: string[]) => void] {
  const { node } = route.useSearch()
  const navigate = route.useNavigate()
  const [own, setOwn] = useState<{ ids: readonly string[]; node: string | undefined }>({
    ids: node === undefined ? [] : [node],
    node,
  })
  const select = (ids: string[]): void => {
    const last = ids.at(-1)
    setOwn({ ids, node: last })
    if (last !== own.node) void navigate({ search: (before) => ({ ...before, node: last }), replace: true })
  }
  return [useMemo(() => own.ids, [own.ids]), select]
}
