import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import { LiquidTextField } from '../phones/LiquidTextField.tsx'
import { LetterCosts } from '../sms/LetterCosts.tsx'
import { smsTexts } from '../sms/texts.ts'
import type { MessageContentProps } from '../write/channel.ts'

/** The text of a version of an SMS, and what its letters cost. */
export function SmsVersion({ form, isReadOnly }: MessageContentProps<ApiAction>) {
  const t = useTranslator(smsTexts)
  const textPointer = '/content/textContent'
  const { content, settings } = form.value
  return (
    <>
      <LiquidTextField form={form} isReadOnly={isReadOnly} at={textPointer} hasLinks rows={5} label={t('text')} />
      <LetterCosts
        text={content.textContent ?? ''}
        format={settings.smsFormat ?? 3}
        onReplace={isReadOnly ? undefined : (next) => form.set(textPointer, next)}
      />
    </>
  )
}
