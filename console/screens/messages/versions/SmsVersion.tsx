import { useText } from '../../../text/catalogue.ts'
import type { Action } from '../action.ts'
import { TemplateField } from '../phones/TemplateField.tsx'
import { LetterCosts } from '../sms/LetterCosts.tsx'
import { smsTexts } from '../sms/texts.ts'
import type { ContentProps } from '../write/channel.ts'

/** The text of a version of an SMS, and what its letters cost. */
export function SmsVersion({ form, isReadOnly }: ContentProps<Action>) {
  const t = useText(smsTexts)
  const at = '/content/textContent'
  const { content, settings } = form.value
  return (
    <>
      <TemplateField {...{ form, isReadOnly, at }} hasLinks rows={5} label={t('text')} />
      <LetterCosts
        text={content.textContent ?? ''}
        format={settings.smsFormat ?? 3}
        onReplace={isReadOnly ? undefined : (next) => form.set(at, next)}
      />
    </>
  )
}
