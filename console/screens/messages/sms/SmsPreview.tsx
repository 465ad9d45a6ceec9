import { apiClient, readAnswer } from '../../../api/client.ts'
import { SmsBubble } from '../../../components/phone/SmsBubble.tsx'
import type { ApiAction } from '../action.ts'
import { RenderedPhonePreview } from '../phones/RenderedPhonePreview.tsx'
import type { MessagePreviewProps } from '../write/channel.ts'

interface Rendered {
  type: 'success'
  sender: string
  text: string
  encoding: 'gsm7' | 'ucs2'
  segments: number
}

/** An SMS as a contact gets it, of the text that is being written. */
export function SmsPreview({ value: { id, content, settings, updateDate } }: MessagePreviewProps<ApiAction>) {
  const text = content.textContent ?? ''
  return (
    <RenderedPhonePreview<Rendered>
      isEmpty={text.trim() === ''}
      of={['sms', id, text, updateDate]}
      render={async (receiver, signal) =>
        (await readAnswer(
          apiClient.POST('/actions/{id}/render', {
            ...{ params: { path: { id } }, signal },
            body: { ...receiver, content: { type: 'template', text } },
          }),
        )) as Rendered
      }
    >
      {(shown) => (
        <SmsBubble
          from={settings.sender || shown.sender}
          text={shown.text}
          encoding={shown.encoding}
          segments={shown.segments}
        />
      )}
    </RenderedPhonePreview>
  )
}
