import { api, data } from '../../../api/client.ts'
import { SmsBubble } from '../../../components/phone/SmsBubble.tsx'
import type { Action } from '../action.ts'
import { Previewed } from '../phones/Previewed.tsx'
import type { PreviewProps } from '../write/channel.ts'

interface Rendered {
  type: 'success'
  sender: string
  text: string
  encoding: 'gsm7' | 'ucs2'
  segments: number
}

/** An SMS as a contact gets it, of the text that is being written. */
export function SmsPreview({ value: { id, content, settings, updateDate } }: PreviewProps<Action>) {
  const text = content.textContent ?? ''
  return (
    <Previewed<Rendered>
      isEmpty={text.trim() === ''}
      of={['sms', id, text, updateDate]}
      render={async (receiver, signal) =>
        (await data(
          api.POST('/actions/{id}/render', {
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
    </Previewed>
  )
}
