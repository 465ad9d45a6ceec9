import { queryOptions } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import { requestPreview } from '../../../api/previews.ts'
import type { ApiDesign } from './shapes.ts'

const designNumbers = new WeakMap<ApiDesign, number>()
let lastNumber = 0

/** Returns a number that identifies a design: writing the whole design as a cache key would take longer than rendering it. */
function assignDesignNumber(design: ApiDesign): number {
  const designNumber = designNumbers.get(design) ?? ++lastNumber
  designNumbers.set(design, designNumber)
  return designNumber
}

/** The HTML of a design as the service makes it, with its warnings: once for all parts of the page that show it. */
export const renderedDesignQuery = (design: ApiDesign) =>
  queryOptions({
    queryKey: ['designs', 'rendered', assignDesignNumber(design)],
    queryFn: ({ signal }) =>
      requestPreview(signal, (previewSignal) => apiClient.renderDesign({ body: { design }, signal: previewSignal })),
    gcTime: 10_000,
    staleTime: Number.POSITIVE_INFINITY,
  })
