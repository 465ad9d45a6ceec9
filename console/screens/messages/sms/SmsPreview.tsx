import { apiClient } from '../../../api/client.ts'
import { SmsBubble } from '../../../components/phone/SmsBubble.tsx'
import type { ApiAction } from '../action.ts'
import { RenderedPhonePreview } from '../phones/RenderedPhonePreview.tsx'
import type { MessagePreviewProps } from '../write/channel.ts'

interface RenderedSms {
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
    <RenderedPhonePreview<RenderedSms>
      isEmpty={text.trim() === ''}
      of={['sms', id, text, updateDate]}
      render={async (receiver, signal) =>
        (await apiClient.renderAction({
          path: { id },
          signal,
          body: { ...receiver, content: { type: 'template', text } },
        })) as RenderedSms
      }
    >
      {(renderedSms) => (
        <SmsBubble
          from={settings.sender || renderedSms.sender}
          text={renderedSms.text}
          encoding={renderedSms.encoding}
          segments={renderedSms.segments}
        />
      )}
    </RenderedPhonePreview>
  )
}
