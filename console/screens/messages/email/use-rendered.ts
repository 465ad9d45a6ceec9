import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
import type { ApiAction } from '../action.ts'

const PAUSE_MS = 500

/** The parts as they are written: blocks that are not saved yet make their HTML first. */
async function partsOf({ design, html, text }: ApiAction['content'], signal: AbortSignal) {
  if (!design) return { html: html ?? '', text: text ?? '' }
  const made = await readAnswer(apiClient.POST('/designs/render', { body: { design }, signal }))
  return { html: made.html, text: text ?? made.text }
}

/** An email as a contact gets it; what is written counts, saved or not. `contact`: null is an empty one. */
export function useRenderedEmail({ id, content, settings }: ApiAction, contact: string | null) {
  const [written] = useDebouncedValue(content, PAUSE_MS)
  const isReplaceable = settings.templating.version === '4.1'
  return useQuery({
    queryKey: ['rendered', id, contact, written],
    queryFn: async ({ signal }) => {
      const body = {
        ...(contact !== null && { recipient: { type: 'id' as const, value: contact } }),
        ...(isReplaceable && { content: { type: 'template' as const, ...(await partsOf(written, signal)) } }),
        ...(isReplaceable && written.subject && { subject: written.subject }),
      }
      return readAnswer(apiClient.POST('/actions/{id}/render', { params: { path: { id } }, body, signal }))
    },
    enabled: Boolean(written.design || written.html || written.text),
    placeholderData: (before) => before,
  })
}
