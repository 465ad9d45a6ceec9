import { useDebouncedValue } from '@mantine/hooks'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import { requestPreview } from '../../../api/previews.ts'
import { renderedDesignQuery } from '../../../components/design/model/rendered-design.ts'
import type { ApiAction } from '../action.ts'

const RENDER_DELAY_MS = 500

/** The parts as they are written: blocks that are not saved yet make their HTML first. */
async function resolveParts({ design, html, text }: ApiAction['content'], queryClient: QueryClient) {
  if (!design) return { html: html ?? '', text: text ?? '' }
  const renderedDesign = await queryClient.fetchQuery(renderedDesignQuery(design))
  return { html: renderedDesign.html, text: text ?? renderedDesign.text }
}

/** An email as a contact gets it; what is written counts, saved or not. `contact`: null is an empty one. */
export function useRenderedEmail({ id, content, settings }: ApiAction, contact: string | null) {
  const [debouncedContent] = useDebouncedValue(content, RENDER_DELAY_MS)
  const queryClient = useQueryClient()
  const isReplaceable = settings.templating.version === '4.1'
  return useQuery({
    queryKey: ['rendered', id, contact, debouncedContent],
    queryFn: async ({ signal }) => {
      const body = {
        ...(contact !== null && { recipient: { type: 'id' as const, value: contact } }),
        ...(isReplaceable && {
          content: { type: 'template' as const, ...(await resolveParts(debouncedContent, queryClient)) },
        }),
        ...(isReplaceable && debouncedContent.subject && { subject: debouncedContent.subject }),
      }
      return requestPreview(signal, (previewSignal) =>
        apiClient.renderAction({ path: { id }, body, signal: previewSignal }),
      )
    },
    enabled: Boolean(debouncedContent.design || debouncedContent.html || debouncedContent.text),
    placeholderData: (before) => before,
  })
}
