import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

const route = getRouteApi('/workflows/$id')

/** Selection in the graph; the address contains its last node. */
export function useNodeSelection(): [ids: readonly string[], select: (ids: string[]) => void] {
  const { node } = route.useSearch()
  const navigate = route.useNavigate()
  const [localSelection, setLocalSelection] = useState<{ ids: readonly string[]; node: string | undefined }>({
    ids: node === undefined ? [] : [node],
    node,
  })
  const select = (ids: string[]): void => {
    const lastId = ids.at(-1)
    setLocalSelection({ ids, node: lastId })
    if (lastId !== localSelection.node)
      void navigate({ search: (before) => ({ ...before, node: lastId }), replace: true })
  }
  return [useMemo(() => localSelection.ids, [localSelection.ids]), select]
}
