import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import type { ApiAction } from '../action.ts'

const RENDER_DELAY_MS = 500

/** The parts as they are written: blocks that are not saved yet make their HTML first. */
async function resolveParts({ design, html, text }: ApiAction['content'], signal: AbortSignal) {
  if (!design) return { html: html ?? '', text: text ?? '' }
  const renderedDesign = await apiClient.renderDesign({ body: { design }, signal })
  return { html: renderedDesign.html, text: text ?? renderedDesign.text }
}

/** An email as a contact gets it; what is written counts, saved or not. `contact`: null is an empty one. */
export function useRenderedEmail({ id, content, settings }: ApiAction, contact: string | null) {
  const [debouncedContent] = useDebouncedValue(content, RENDER_DELAY_MS)
  const isReplaceable = settings.templating.version === '4.1'
  return useQuery({
    queryKey: ['rendered', id, contact, debouncedContent],
    queryFn: async ({ signal }) => {
      const body = {
        ...(contact !== null && { recipient: { type: 'id' as const, value: contact } }),
        ...(isReplaceable && {
          content: { type: 'template' as const, ...(await resolveParts(debouncedContent, signal)) },
        }),
        ...(isReplaceable && debouncedContent.subject && { subject: debouncedContent.subject }),
      }
      return apiClient.renderAction({ path: { id }, body, signal })
    },
    enabled: Boolean(debouncedContent.design || debouncedContent.html || debouncedContent.text),
    placeholderData: (before) => before,
  })
}
